#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "core/io/open_frames.h"
#include "core/run/progress.h"
#include "core/run/registry.h"
#include "ui/image/detector_view.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;
using ks::ui::xpcs::PartitionChoice;
using ks::ui::xpcs::XpcsPage;

class XpcsPageTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    Jobs jobs_;
    PageContext context_{jobs_};
    std::shared_ptr<const OpenFile> file_;

    std::unique_ptr<XpcsPage> pageWithRings() {
        auto page = std::make_unique<XpcsPage>(context_);
        page->dataWidget()->setParent(page.get());
        page->inputWidget()->setParent(page.get());
        page->setFile(file_);
        PartitionChoice rings;
        rings.ring = {30, 30, 2, 4, 3};
        page->partitionForm().setChoice(rings);
        return page;
    }

  private slots:
    void initTestCase() {
        const QString path = folder_.filePath("frames.h5");
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis("xpcs");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["frames"] = std::int64_t{20};
        ks::Progress progress;
        analysis.generate(parameters, path.toStdString(), true, progress);
        file_ = std::make_shared<const OpenFile>(openFile(path));
    }

    void withoutDataItSaysWhatIsMissing() {
        XpcsPage page(context_);
        page.dataWidget()->setParent(&page);
        page.inputWidget()->setParent(&page);
        QVERIFY(page.missing().contains("open a file"));
    }

    void ringsBecomeBinsOfTheRightSize() {
        const auto page = pageWithRings();
        QTRY_VERIFY(page->missing().isEmpty());
        QTRY_VERIFY(page->image().frame() != nullptr);
        QCOMPARE(page->bins().rowCount(), 3);
        // Pixel centres with 6 <= r < 10 around (30, 30), counted here anew.
        std::size_t expected = 0;
        for (std::size_t y = 0; y < file_->frames->height(); ++y)
            for (std::size_t x = 0; x < file_->frames->width(); ++x) {
                const double dx = static_cast<double>(x) + 0.5 - 30, dy = static_cast<double>(y) + 0.5 - 30;
                const double r2 = dx * dx + dy * dy;
                expected += r2 >= 36 && r2 < 100;
            }
        QVERIFY(expected > 0);
        QCOMPARE(page->bins().bins()[1].pixels, expected);
        ks::Request request;
        page->fill(request);
        QCOMPARE(request.inputs.at("partition").name.substr(0, 6), std::string("rings:"));
        QVERIFY(!request.inputs.at("partition").values.has_value());
    }

    void aBinThatIsOffLeavesTheRequest() {
        const auto page = pageWithRings();
        QTRY_VERIFY(page->missing().isEmpty());
        const auto& bins = page->bins();
        page->bins().setData(bins.index(1, BinTableModel::OnColumn), Qt::Unchecked, Qt::CheckStateRole);
        ks::Request request;
        page->fill(request);
        const auto labels = request.inputs.at("partition").values->as<std::int32_t>();
        QCOMPARE(static_cast<std::size_t>(std::count(labels.begin(), labels.end(), 2)), std::size_t{0});
        QCOMPARE(static_cast<std::size_t>(std::count(labels.begin(), labels.end(), 3)),
                 bins.bins()[2].pixels);
        page->bins().setAll(false);
        QVERIFY(page->missing().contains("switched off"));
    }

    void pickingABinAsksForItsTwoTimeMap() {
        const auto page = pageWithRings();
        QTRY_VERIFY(page->missing().isEmpty());
        QSignalSpy asked(page.get(), &Page::runRequested);
        page->pickBin(3);
        QCOMPARE(asked.count(), 1);
        ks::Request request;
        page->fill(request);
        QCOMPARE(ks::integer(request.parameters, "two_time_bin"), 3);
    }

    void labelsOfAFileThatIsNotThereAreRefusedByName() {
        const auto page = pageWithRings();
        QString told;
        connect(page.get(), &Page::failed, this, [&](const ks::Error& error) { told = error.what(); });
        page->partitionForm().setDataset(folder_.filePath("absent.h5") + "::/entry/qmask");
        QTRY_VERIFY(told.contains("absent.h5"));
        QVERIFY(!page->missing().isEmpty());
    }
};

QTEST_MAIN(XpcsPageTest)
#include "tst_xpcs_page.moc"
