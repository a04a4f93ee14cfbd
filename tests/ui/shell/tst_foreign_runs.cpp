#include <QTemporaryDir>
#include <QtTest>

#include "core/base/progress.h"
#include "core/run/registry.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/spots/made_runs.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/map_plot.h"
#include "ui/spots/spot_plots.h"
#include "ui/spots/spots_page.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;

/// Runs of a file that is no longer open, beside one that is.
class ForeignRunsTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    Jobs jobs_;
    PageContext context_{jobs_};

    std::shared_ptr<const OpenFile> file(const QString& leaf) const {
        return std::make_shared<const OpenFile>(openFile(folder_.filePath(leaf)));
    }

    template <class Kind>
    std::unique_ptr<Kind> pageOf() {
        auto page = std::make_unique<Kind>(context_);
        for (QWidget* part : {page->dataWidget(), page->inputWidget()}) {
            if (!part) continue;
            part->setParent(page.get());
            part->hide();
        }
        return page;
    }

    RunRow correlation(int number, const QString& leaf) const {
        ks::Run run;
        run.request.analysis = "xpcs";
        run.request.inputs["frames"] = {folder_.filePath(leaf).toStdString(), {}};
        run.request.parameters["two_time_bin"] = std::int64_t{1};
        const auto add = [&](const char* name, std::vector<std::size_t> shape,
                             const std::vector<double>& values) {
            run.result.datasets.push_back(
                {name, name, "", ks::DataKind::curves, ks::Array::of(shape, values)});
        };
        add("g2", {1, 3}, {1.4, 1.3, 1.2});
        add("g2_err", {1, 3}, {0.1, 0.1, 0.1});
        add("delay", {3}, {0, 1, 2});
        add("two_time", {2, 2}, {1, 2, 2, 4});
        return {number, std::make_shared<const ks::Run>(run), true, false};
    }

  private slots:
    void initTestCase() {
        for (const char* leaf : {"a.h5", "b.h5"}) ks::tests::generate_xpcs(folder_.filePath(leaf), 5, 40, 50);
    }

    void curvesOfTheFormerFileAreMarkedAsSoonAsAnotherOneIsOpened() {
        const auto page = pageOf<xpcs::XpcsPage>();
        page->setFile(file("a.h5"));
        page->setRuns({correlation(1, "a.h5")});
        QVERIFY(!page->curves().series().front().foreign);
        QCOMPARE(page->twoTime().title(), QString("two-time, bin 1, run 1"));
        page->setFile(file("b.h5"));
        QVERIFY(page->curves().series().front().foreign);
        QCOMPARE(page->curves().series().front().run, QString("run 1 of a.h5"));
        QVERIFY2(page->twoTime().title().isEmpty(), qPrintable(page->twoTime().title()));
        QVERIFY(page->twoTime().map().values.empty());
        page->setRuns({correlation(2, "b.h5"), correlation(1, "a.h5")});
        QCOMPARE(page->curves().series().size(), 2);
        QVERIFY(!page->curves().series()[0].foreign && page->curves().series()[1].foreign);
        QCOMPARE(page->twoTime().title(), QString("two-time, bin 1, run 2"));
    }

    void statisticsOfSpotsAreOfTheOpenFileAlone() {
        const auto page = pageOf<spots::SpotsPage>();
        const auto run = [&](const QString& leaf) {
            const std::vector<ks::spots::Spot> found{boxSpot(10, 10, 4, 0, 2, 0)};
            return madeRun(folder_.filePath(leaf).toStdString(), 40, 50, 0, found, signalsOf(found, 5, 50));
        };
        const auto series = [&] {
            return dynamic_cast<const CurvePlot&>(*page->statistics().plots().front().plot).series();
        };
        page->setFile(file("a.h5"));
        page->setRuns({{1, run("a.h5"), true, false}});
        QCOMPARE(series().size(), 1);
        page->setFile(file("b.h5"));
        QVERIFY2(series().isEmpty(), "what is shown is of a file that is no longer open");
        page->setRuns({{2, run("b.h5"), true, false}, {1, run("a.h5"), true, false}});
        QCOMPARE(series().size(), 1);
    }
};

QTEST_MAIN(ForeignRunsTest)
#include "tst_foreign_runs.moc"
