#include <QAction>
#include <QProcess>
#include <QSignalSpy>
#include <QtTest>

#include "core/base/progress.h"
#include "core/run/registry.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/plots/map_plot.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/error_bar.h"
#include "ui/xpcs/run_curves.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;
using ks::ui::xpcs::PartitionChoice;
using ks::ui::xpcs::twoTimeBin;
using ks::ui::xpcs::XpcsPage;

/// Maps of bins that are picked after a run, with the real worker.
class TwoTimeTest : public ks::tests::WindowFixture {
    Q_OBJECT

    XpcsPage& page() { return dynamic_cast<XpcsPage&>(*window_->page()); }
    const RunRow& newest() { return window_->runs().rows().front(); }

    bool opened(const QString& leaf) {
        ks::tests::open_data(*window_, path(leaf));
        window_->action("live")->setChecked(false);
        PartitionChoice rings = page().partitionForm().choice();
        rings.source = PartitionChoice::Rings;
        rings.recipe.geometry = page().imagePanel().geometry();
        rings.recipe.radial = ks::linear_levels(4, 28, 4);
        page().partitionForm().setChoice(rings);
        return QTest::qWaitFor([&] { return page().bins().rowCount() == 4; }, 30000);
    }
    bool ran() {
        const int before = window_->runs().rowCount();
        window_->startRun();
        return QTest::qWaitFor(
            [&] { return window_->runs().rowCount() > before && !window_->queue().busy(); }, 120000);
    }
    bool supplemented(int label) {
        page().pickBin(label);
        return QTest::qWaitFor([&] { return twoTimeBin(*newest().run) == label && !window_->queue().busy(); },
                               120000);
    }

  private slots:
    void initTestCase() {
        ks::tests::generate_xpcs(path("a.h5"), 70, 61, 71);
        // Counts of the inner bins need two bytes, those of the outer one alone do not.
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis("xpcs");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["frames"] = std::int64_t{70};
        parameters["height"] = std::int64_t{61};
        parameters["width"] = std::int64_t{71};
        parameters["mean"] = 350.0;
        parameters["type"] = std::string("u16");
        ks::Progress progress;
        analysis.generate(parameters, path("bright.h5").toStdString(), true, progress);
    }
    void init() { window_ = firstWindow(); }
    void cleanup() { window_.reset(); }

    void withoutARunThePlotSaysWhatToDo() {
        QVERIFY(opened("a.h5"));
        page().pickBin(3);
        QVERIFY(!window_->queue().busy());
        QVERIFY2(page().noMapText().contains("Press Run (F5) to compute"), qPrintable(page().noMapText()));
    }

    void aPickedBinBringsItsMapIntoTheRun() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        QCOMPARE(twoTimeBin(*newest().run), 1);
        const auto before = newest().run;
        QSignalSpy progress(&window_->queue(), &RunQueue::busyChanged);
        QVERIFY(supplemented(3));
        QCOMPARE(window_->runs().rowCount(), 1);
        QVERIFY(std::ranges::any_of(
            progress, [](const QVariantList& one) { return one[1].toString() == "two-time of bin 3"; }));
        const ks::Run& run = *newest().run;
        QCOMPARE(run.result.facts["two_time_bin"].get<int>(), 3);
        QCOMPARE(run.result.at("two_time").title, std::string("C(t1, t2) of bin 3"));
        QVERIFY(run.result.at("g2").values == before->result.at("g2").values);
        QVERIFY(run.result.at("two_time").values != before->result.at("two_time").values);
        QCOMPARE(page().twoTime().title(), QString("two-time, bin 3, run 1"));
        // What came is checked, too.
        QVERIFY(run.verdict.state == ks::Verdict::State::sampled ||
                run.verdict.state == ks::Verdict::State::pass);
        // The map that was there is kept to be shown.
        QSignalSpy asked(&page(), &AnalysisPage::supplementWanted);
        page().pickBin(1);
        QCOMPARE(asked.count(), 0);
        QCOMPARE(page().twoTime().title(), QString("two-time, bin 1, run 1"));
        QVERIFY(page().twoTime().map().values == before->result.at("two_time").values.to_doubles());
    }

    void otherBinsThanThoseOfTheRunAreNotMixed() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        PartitionChoice rings = page().partitionForm().choice();
        rings.recipe.radial = ks::linear_levels(5, 28, 4);
        page().partitionForm().setChoice(rings);
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty(), 30000);
        QSignalSpy asked(&page(), &AnalysisPage::supplementWanted);
        page().pickBin(3);
        QCOMPARE(asked.count(), 0);
        QVERIFY(page().noMapText().contains("has changed since the last run:\npress Run (F5)"));
    }

    void aBinThatIsSwitchedOffIsSaidToBe() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        page().bins().setData(page().bins().index(1, BinTableModel::OnColumn), Qt::Unchecked,
                              Qt::CheckStateRole);
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty(), 30000);
        page().pickBin(2);
        QVERIFY2(page().noMapText().startsWith("Bin 2 is switched off:"), qPrintable(page().noMapText()));
        QVERIFY(ran());
        QVERIFY2(page().noMapText().startsWith("Bin 2 is switched off:"), qPrintable(page().noMapText()));
    }

    void aRunOfAnotherFileIsNotTheLastRunOfTheBins() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        QVERIFY(opened("bright.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty(), 30000);
        page().pickBin(1);
        QVERIFY2(page().noMapText().contains("Press Run (F5) to compute"), qPrintable(page().noMapText()));
    }

    void runsGoFirst() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        QSignalSpy supplemented(&window_->queue(), &RunQueue::supplemented),
            added(&window_->queue(), &RunQueue::runAdded);
        qsizetype addedBefore = -1;
        connect(&window_->queue(), &RunQueue::supplemented, this, [&] { addedBefore = added.count(); });
        page().pickBin(2);
        window_->startRun();
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(supplemented.count(), 1, 60000);
        QCOMPARE(addedBefore, qsizetype{2});
        QCOMPARE(supplemented[0][0].toInt(), 1);
        QCOMPARE(twoTimeBin(*window_->runs().find(1)->run), 2);
    }

    void itCanBeCancelled() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        page().pickBin(2);
        QVERIFY(window_->action("cancel")->isEnabled());
        window_->action("cancel")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 10000);
        QCOMPARE(twoTimeBin(*newest().run), 1);
        QVERIFY(!window_->errorBar().isError());
        QVERIFY(supplemented(2));
    }

    void everyVariantGivesTheSameBytesForTheBinAlone_data() {
        QTest::addColumn<QString>("leaf");
        QTest::newRow("few counts") << "a.h5";
        QTest::newRow("counts of another type in the bin") << "bright.h5";
    }
    void everyVariantGivesTheSameBytesForTheBinAlone() {
        QFETCH(QString, leaf);
        QVERIFY(opened(leaf));
        int compared = 0;
        for (int device = 0; device < window_->devices().count(); ++device) {
            window_->devices().setCurrentIndex(device);
            const std::vector<ks::Offer> offers = window_->variants().offers();
            for (const ks::Offer& offer : offers) {
                const QString id = QString::fromStdString(offer.variant.id);
                if (!window_->variants().setVariant(id) || window_->variants().variant() != id) continue;
                page().pickBin(1);
                QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 120000);
                QVERIFY(ran());
                const auto alone = newest().run;
                if (!ks::ui::xpcs::makesTwoTime(offer.variant)) {
                    QCOMPARE(twoTimeBin(*alone), 0);
                    ks::Request asked = alone->request;
                    asked.parameters["two_time_bin"] = std::int64_t{1};
                    QString refused;
                    const QObject once;
                    connect(&window_->queue(), &RunQueue::failed, &once,
                            [&](const ks::Error& error) { refused = QString::fromUtf8(error.what()); });
                    window_->queue().run(asked, true);
                    QTRY_VERIFY2_WITH_TIMEOUT(refused.contains("the bin of a two-time map to be none"),
                                              qPrintable(refused), 120000);
                    continue;
                }
                QCOMPARE(twoTimeBin(*alone), 1);
                QVERIFY2(supplemented(4), qPrintable(id));
                const auto joined = newest().run;
                QVERIFY(ran());
                const auto whole = newest().run;
                QCOMPARE(twoTimeBin(*whole), 4);
                for (const ks::Dataset& one : whole->result.datasets)
                    QVERIFY2(joined->result.at(one.name).values.bytes().size() == one.values.bytes().size() &&
                                 std::ranges::equal(joined->result.at(one.name).values.bytes(),
                                                    one.values.bytes()),
                             qPrintable(id + ": " + QString::fromStdString(one.name)));
                ++compared;
            }
        }
        QVERIFY(compared >= 2);
    }

    void aSavedRunWithSuchAMapIsRepeated() {
        QVERIFY(opened("a.h5"));
        QVERIFY(ran());
        QVERIFY(supplemented(4));
        QSignalSpy written(&window_->runFiles(), &RunFiles::saved);
        window_->saveRun(path("run.h5"), true);
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 30000);
        QProcess repeat;
        repeat.start(KERNELSCOPE_CLI, {"repeat", path("run.h5")});
        QVERIFY(repeat.waitForFinished(60000));
        const QByteArray out = repeat.readAllStandardOutput() + repeat.readAllStandardError();
        QVERIFY2(repeat.exitCode() == 0 && out.contains("the same bytes"), out.constData());
    }
};

QTEST_MAIN(TwoTimeTest)
#include "tst_two_time.moc"
