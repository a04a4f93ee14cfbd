#include <QComboBox>
#include <QElapsedTimer>
#include <QListWidget>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTimer>
#include <QtTest>
#include <algorithm>

#include "tests/ui/child.h"
#include "tests/ui/shell/xpcs_window.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/run_table_model.h"
#include "ui/xpcs/xpcs_page.h"

/// Thousands of bins, as a slip of typing makes them, do not hold up the window.
class ManyBinsTest : public ks::tests::WindowFixture {
    Q_OBJECT

    void type(ks::ui::xpcs::XpcsPage& page, const QString& field, int value) {
        for (QSpinBox* const box : page.partitionForm().findChildren<QSpinBox*>())
            if (box->accessibleName() == field) box->setValue(value);
    }
    bool atRest() const {
        return QTest::qWaitFor([this] { return window_->jobs().running() == 0 && !window_->queue().busy(); },
                               60000);
    }

  private slots:
    void initTestCase() { ks::tests::generate_xpcs(path("data.h5"), 120, 201, 241, true); }

    void ofAFit_data() {
        QTest::addColumn<int>("rings");
        QTest::addColumn<int>("sectors");
        QTest::newRow("rings and sectors") << 100 << 36;
        QTest::newRow("rings narrower than a pixel") << 10000 << 1;
    }
    void ofAFit() {
        QFETCH(int, rings);
        QFETCH(int, sectors);
        window_ = firstWindow({1280, 800});
        ks::tests::open_data(*window_, path("data.h5"));
        auto& page = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*window_->page());
        auto& model = ks::tests::child<QComboBox>(page, "fitModel");
        model.setCurrentIndex(model.findData(QStringLiteral("single")));
        auto choice = page.partitionForm().choice();
        choice.source = ks::ui::xpcs::PartitionChoice::Rings;
        page.partitionForm().setChoice(choice);
        QVERIFY(atRest());

        QElapsedTimer gap;
        qint64 longest = 0;
        QTimer tick;
        connect(&tick, &QTimer::timeout, this, [&] { longest = std::max(longest, gap.restart()); });
        gap.start();
        tick.start(5);
        type(page, QStringLiteral("Number of rings"), rings);
        type(page, QStringLiteral("Number of sectors in each ring"), sectors);
        QTRY_VERIFY_WITH_TIMEOUT(page.missing().isEmpty() && page.bins().rowCount() == rings * sectors,
                                 60000);
        QVERIFY(atRest());
        QSignalSpy added(&window_->queue(), &ks::ui::RunQueue::runAdded);
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        const auto& curves = dynamic_cast<const ks::ui::CurvePlot&>(*page.plots().front().plot);
        // With the fits, of which rings of one pixel have none.
        QTRY_VERIFY_WITH_TIMEOUT(
            sectors == 1 ||
                std::ranges::any_of(curves.series(),
                                    [](const auto& one) { return one.style == ks::ui::CurveStyle::line; }),
            60000);
        QVERIFY(atRest());
        QTest::qWait(200);  // the last painting
        tick.stop();
        // A third of a second at most where nothing else computes; drawing them all took 2 to 25 seconds.
        QVERIFY2(longest < 1500, qPrintable(QString::number(longest)));

        // What is not drawn is said, and is in the table.
        QVERIFY(curves.visibleCurves() <= 2 * ks::ui::CurvePlot::mostCurves);
        QVERIFY(const_cast<ks::ui::CurvePlot&>(curves).legend().count() <= ks::ui::CurvePlot::mostCurves + 2);
        QSet<int> bins;
        for (const auto& one : curves.series()) bins.insert(one.bin);
        QVERIFY(bins.size() > 3 * ks::ui::CurvePlot::mostCurves);
        QVERIFY2(curves.figure().content().limited.contains(
                     QStringLiteral(" of %1 bins are drawn").arg(bins.size())),
                 qPrintable(curves.figure().content().limited));
        // A bin that is picked is drawn.
        int left = 0;
        QSet<int> drawn;
        for (const auto& one : curves.figure().content().series) drawn.insert(one.bin);
        for (const auto& one : curves.series())
            if (left == 0 && !drawn.contains(one.bin)) left = one.bin;
        QVERIFY(left > 0);
        QVERIFY(page.showPlace({{"bin", static_cast<std::size_t>(left)}}));
        drawn.clear();
        for (const auto& one : curves.figure().content().series) drawn.insert(one.bin);
        QVERIFY(drawn.contains(left));
        window_.reset();
    }
};

QTEST_MAIN(ManyBinsTest)
#include "tst_many_bins.moc"
