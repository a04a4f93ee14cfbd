#include <QListWidget>
#include <QtTest>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/data/missing_value.h"
#include "ui/plots/curve_plot.h"
#include "ui/xpcs/run_curves.h"

using ks::Array;
using ks::DataKind;
using ks::Dataset;
using ks::Run;
using ks::ui::CurveSeries;
using ks::ui::RunRow;
using namespace ks::ui::xpcs;

namespace {

/// Two bins, four delays; g2 of bin b at delay d is 10 b + d.
RunRow row(int number, bool seconds, int twoTimeOf = 0) {
    Run run;
    const auto add = [&](const char* name, std::vector<std::size_t> shape,
                         const std::vector<double>& values) {
        run.result.datasets.push_back(
            Dataset{name, name, "", DataKind::curves, Array::of(std::move(shape), values)});
    };
    add("g2", {2, 4}, {10, 11, 12, 13, 20, 21, 22, 23});
    add("g2_err", {2, 4}, {0, .1, .2, .3, 0, .1, .2, .3});
    add("delay", {4}, {0, 1, 2, 3});
    if (seconds) add("delay_time", {4}, {0, 0.5, 1, 1.5});
    add("q", {2}, {0.0123, std::nan("")});
    if (twoTimeOf > 0) {
        add("two_time", {2, 2}, {1, 2, 2, 4});
        run.request.parameters["two_time_bin"] = std::int64_t{twoTimeOf};
    }
    return {number, std::make_shared<const Run>(run), true, false};
}

RunRow withQ(RunRow row, double q) {
    Run run = *row.run;
    for (Dataset& dataset : run.result.datasets)
        if (dataset.name == "q") dataset.values.as<double>()[0] = q;
    row.run = std::make_shared<const Run>(run);
    return row;
}

/// @param mask of the request: values drawn in a window; empty: none
RunRow withLabels(RunRow row, const char* partition, const std::vector<std::int32_t>& labels,
                  const std::vector<std::uint32_t>& mask = {}) {
    Run run = *row.run;
    run.request.inputs["partition"] = {partition, {}};
    if (!mask.empty())
        run.request.inputs["mask"] = {"mask of the window",
                                      Array::of<std::uint32_t>({mask.size() / 2, 2}, mask)};
    run.result.datasets.push_back(Dataset{"labels", "bins", "", DataKind::overlay,
                                          Array::of<std::int32_t>({1, labels.size()}, labels)});
    row.run = std::make_shared<const Run>(run);
    return row;
}

}  // namespace

class RunCurvesTest : public QObject {
    Q_OBJECT
  private slots:
    void eachBinBecomesACurveWithoutDelayZero() {
        const G2Curves curves = g2Curves({row(1, true)}, {});
        QCOMPARE(curves.delayUnit, QString("s"));
        QCOMPARE(curves.series.size(), 2);
        QCOMPARE(curves.series[1].x, (QVector<double>{0.5, 1, 1.5}));
        QCOMPARE(curves.series[1].y, (QVector<double>{21, 22, 23}));
        QCOMPARE(curves.series[1].yerr, (QVector<double>{.1, .2, .3}));
        QVERIFY(curves.series[0].label.contains("0.0123"));
        QCOMPARE(curves.series[1].label, QString("2"));
        QVERIFY(curves.series[0].run.isEmpty());
    }

    void delaysInFramesAreThoseOfTheFile() {
        // Of every second frame, of which three each are added up.
        const auto shorter = [](RunRow row) {
            Run run = *row.run;
            run.request.parameters["stride"] = std::int64_t{2};
            run.request.parameters["average"] = std::int64_t{3};
            row.run = std::make_shared<const Run>(run);
            return row;
        };
        // The oldest run comes first.
        const G2Curves curves = g2Curves({shorter(row(2, false)), row(1, true)}, {});
        QCOMPARE(curves.delayUnit, QString("frames"));
        QCOMPARE(curves.series[0].x, (QVector<double>{1, 2, 3}));
        QCOMPARE(curves.series[2].x, (QVector<double>{6, 12, 18}));
        const G2Curves seconds = g2Curves({shorter(row(1, true))}, {});
        QCOMPARE(seconds.delayUnit, QString("s"));
        QCOMPARE(seconds.series[0].x, (QVector<double>{0.5, 1, 1.5}));
        QString unit;
        QCOMPARE(twoTimeMap(*shorter(row(1, false, 1)).run, &unit)->xLast, 6.0);
        QCOMPARE(unit, QString("frames"));
        QCOMPARE(twoTimeMap(*shorter(row(1, true, 1)).run)->xLast, 0.5);
    }

    void sectorsHaveTheirAngle() {
        const auto withPhi = [](double one, double other) {
            Run run = *row(1, true).run;
            run.result.datasets.push_back(Dataset{"phi", "phi", "deg", DataKind::axis,
                                                  Array::of<double>({2}, std::vector{one, other})});
            return RunRow{1, std::make_shared<const Run>(run), true, false};
        };
        const G2Curves sectors = g2Curves({withPhi(-45, 135.2)}, {});
        QCOMPARE(sectors.series[0].label, QString("1  0.0123  -45\u00b0"));
        QCOMPARE(sectors.series[1].label, QString("2  135\u00b0"));
        QVERIFY(sectors.series[0].labelInFull.endsWith(", azimuth -45\u00b0") && sectors.sectors);
        // Directions around 180 degrees lie on both sides of it.
        const G2Curves both = g2Curves({withPhi(-179.8, 0.2)}, {}), zero = g2Curves({withPhi(90, -0.2)}, {});
        QCOMPARE(both.series[0].label, QString("1  0.0123  180\u00b0"));
        QCOMPARE(zero.series[1].label, QString("2  0\u00b0"));
        for (const double other : {std::nan(""), 47.0}) {
            const G2Curves rings = g2Curves({withPhi(45, other)}, {});
            QVERIFY(!rings.series[0].label.contains("45") && !rings.sectors);
        }
    }

    void aWrongRunIsNamedAlsoWhereItStandsAlone() {
        RunRow wrong = row(4, true);
        Run failed = *wrong.run;
        failed.verdict.state = ks::Verdict::State::fail;
        wrong.run = std::make_shared<const Run>(failed);
        for (const CurveSeries& curve : g2Curves({wrong}, {}).series)
            QCOMPARE(curve.run, QString("run 4 (wrong)"));
        QStringList names;
        for (const CurveSeries& curve : g2Curves({wrong, row(1, true)}, {}).series) names << curve.run;
        QCOMPARE(names.count("run 4 (wrong)"), 2);
        QCOMPARE(names.count("run 1"), 2);
    }

    void aBinWithoutPixelsHasNoCurve() {
        const RunRow full = row(1, true);
        Run run = *full.run;
        for (auto& dataset : run.result.datasets)
            if (dataset.name == "g2" || dataset.name == "g2_err")
                for (std::size_t i = 0; i < 4; ++i) dataset.values.as<double>()[i] = std::nan("");
        const G2Curves curves = g2Curves({{1, std::make_shared<const Run>(run), true, false}}, {});
        QCOMPARE(curves.series.size(), 1);
        QCOMPARE(curves.series[0].label, QString("2"));
    }

    void errorsBecomeCurvesOfTheirOwn() {
        const auto errors = errorsOf(g2Curves({row(1, true)}, {}).series);
        QCOMPARE(errors.size(), 2);
        QCOMPARE(errors[1].x, (QVector<double>{0.5, 1, 1.5}));
        QCOMPARE(errors[1].y, (QVector<double>{.1, .2, .3}));
        QVERIFY(errors[1].yerr.isEmpty());
        QVERIFY(errors[0].label.contains("0.0123"));
    }

    // The spread of a single pair of frames is 0.
    void theErrorOfALastDelayWithOnePairIsLeftOut() {
        QVector<CurveSeries> curves = g2Curves({row(1, true)}, {}).series;
        curves[0].yerr = {.1, 0, 0};
        curves[1].yerr = {0, 0, 0};
        const auto errors = errorsOf(curves);
        QCOMPARE(errors[0].y[0], .1);
        QCOMPARE(errors[0].y[1], 0.0);
        QVERIFY(ks::is_missing(errors[0].y[2]));
        QCOMPARE(errors[1].y, (QVector<double>{0, 0, 0}));
    }

    void runsAreComparedInFramesWhereOneDoesNotKnowItsTime() {
        const G2Curves curves = g2Curves({row(2, true), row(1, false)}, {});
        QCOMPARE(curves.delayUnit, QString("frames"));
        QCOMPARE(curves.series.size(), 4);
        QVERIFY(curves.series[0].run.contains("1"));
        QCOMPARE(curves.series[0].x, (QVector<double>{1, 2, 3}));
    }

    void anotherDarkFieldMakesNoOtherBins() {
        const auto ran = [](int number, const char* labels, const char* dark) {
            Run run = *withLabels(row(number, true), "/l.h5::/labels", {1, 2}).run;
            run.request.inputs["dark"] = {"/d.h5"};
            run.files = {{"/l.h5", 8, 1, labels}, {"/d.h5", 8, 1, dark}};
            return RunRow{number, std::make_shared<const Run>(run), true, false};
        };
        const auto bases = [](const G2Curves& curves) {
            return std::pair(curves.series.front().basis, curves.series.back().basis);
        };
        const auto [one, same] = bases(g2Curves({ran(2, "a", "b"), ran(1, "a", "a")}, {}));
        QCOMPARE(one, same);
        // Labels that changed may be other bins with the same pixels so far.
        RunRow partly = ran(2, "b", "a");
        Run run = *partly.run;
        run.result.datasets.back().values.as<std::int32_t>()[1] = 0;
        partly.run = std::make_shared<const Run>(run);
        const auto [first, other] = bases(g2Curves({partly, ran(1, "a", "a")}, {}));
        QVERIFY(first != other);
    }

    void runsOfAnotherFileComeLastAndNameIt() {
        ks::ui::OpenFile open;
        open.name = open.path = QStringLiteral("/data/b.h5");
        const auto of = [](RunRow row, const char* frames, const char* bins) {
            Run run = *row.run;
            run.request.inputs["frames"] = {frames, {}};
            run.request.inputs["partition"] = {bins, {}};
            row.run = std::make_shared<const Run>(run);
            return row;
        };
        const std::vector<RunRow> rows{of(row(3, true), "/data/b.h5", "rings:1"),
                                       of(row(2, true), "/data/a.h5", "rings:1"),
                                       of(row(1, true), "/data/b.h5", "rings:2")};
        const auto curves = g2Curves(rows, {}, &open).series;
        QCOMPARE(curves.size(), 6);
        QStringList runs;
        for (const auto& one : curves) runs << one.run;
        runs.removeDuplicates();
        QCOMPARE(runs, (QStringList{"run 1", "run 3", "run 2 of a.h5"}));
        QVERIFY(!curves[0].foreign && !curves[2].foreign && curves[4].foreign);
        QVERIFY2(curves[0].basis != curves[2].basis, "other bins");
        // The same bins under another mask are compared.
        Run masked = *rows[0].run;
        masked.request.inputs["mask"] = {"drawn", {}};
        const auto again =
            g2Curves({rows[0], {4, std::make_shared<const Run>(masked), true, false}}, {}).series;
        QVERIFY(again[0].run != again[2].run && again[0].basis == again[2].basis);
        // Alone it is named, too; of the same file its place in it is.
        QCOMPARE(g2Curves({rows[1]}, {}, &open).series.front().run, QString("run 2 of a.h5"));
        const auto other = of(row(4, true), "/data/b.h5::/entry/dark", "rings:1");
        QCOMPARE(g2Curves({other}, {}, &open).series.front().run, QString("run 4 of b.h5::/entry/dark"));
        QVERIFY(g2Curves({rows[0]}, {}, &open).series.front().run.isEmpty());
    }

    void filesOfOneNameAreNamedWithTheirFolders() {
        ks::ui::OpenFile open;
        open.name = open.path = QStringLiteral("/data/b/scan.h5");
        const auto of = [](RunRow row, const char* frames) {
            Run run = *row.run;
            run.request.inputs["frames"] = {frames, {}};
            row.run = std::make_shared<const Run>(run);
            return row;
        };
        const auto named = [&](const std::vector<RunRow>& rows) {
            QStringList runs;
            for (const auto& one : g2Curves(rows, {}, &open).series) runs << one.run << one.runInFull;
            runs.removeDuplicates();
            return runs;
        };
        const RunRow own = of(row(3, true), "/data/b/scan.h5"), other = of(row(2, true), "/data/a/scan.h5");
        const QString variant = QString::fromStdString(own.run->variant.id);
        QCOMPARE(named({own, other}), (QStringList{"run 3", "run 3, " + variant, "run 2 of a/scan.h5",
                                                   "run 2, " + variant + " of a/scan.h5"}));
        open.name = open.path = QStringLiteral("/data/c.h5");
        QCOMPARE(named({own, other}),
                 (QStringList{"run 2 of a/scan.h5", "run 2, " + variant + " of a/scan.h5",
                              "run 3 of b/scan.h5", "run 3, " + variant + " of b/scan.h5"}));
        QCOMPARE(named({other}).front(), QString("run 2 of scan.h5"));
    }

    void anEntryOfTheLegendForRunsOfOtherQNamesTheQOfEach() {
        const auto curves = g2Curves({withQ(row(2, true), 0.0246), row(1, true)}, {}).series;
        QCOMPARE(curves.size(), 4);
        QCOMPARE(curves[0].label, QString("1  0.0123"));
        QCOMPARE(curves[2].label, QString("1  0.0246"));
        for (const int i : {0, 2}) {
            QCOMPARE(curves[i].legendLabel(), QString("1  q differs"));
            QCOMPARE(curves[i].legendLabelInFull(),
                     QStringLiteral("bin 1, q 0.0123 1/\u00c5 in run 1, q 0.0246 1/\u00c5 in run 2"));
        }
        QCOMPARE(curves[1].legendLabel(), QString("2"));
        // As a window and a figure show it.
        ks::ui::CurvePlot plot;
        plot.setSeries(curves);
        QStringList entries, tips;
        for (int i = 0; i < plot.legend().count(); ++i) {
            entries << plot.legend().item(i)->text();
            tips << plot.legend().item(i)->toolTip();
        }
        QCOMPARE(entries, (QStringList{"run 1", "run 2", "1  q differs", "2"}));
        QVERIFY2(tips[2].contains("0.0123") && tips[2].contains("0.0246"), qPrintable(tips[2]));
        // Every run in the table keeps its own.
        plot.setOfBins(true);
        const std::string table = plot.csv();
        for (const char* own : {",1,\"bin 1, q 0.0123 1/\u00c5\",", ",1,\"bin 1, q 0.0246 1/\u00c5\","})
            QVERIFY2(table.find(own) != std::string::npos, table.c_str());
        const auto same = g2Curves({withQ(row(2, true), 0.0123 * (1 + 1e-12)), row(1, true)}, {}).series;
        QCOMPARE(same[0].legendLabel(), QString("1  0.0123"));
    }

    void sameLabelsAreSameBinsHoweverTheyWereGiven() {
        const std::vector<std::int32_t> labels{1, 1, 0, 2}, others{1, 2, 0, 2};
        const auto curves = g2Curves({withLabels(row(3, true), "rings:beam,beam,0,2,2", others),
                                      withLabels(row(2, true), "rings:beam,beam,0,2,2", labels),
                                      withLabels(row(1, true), "rings:4,5,0,2,2", labels)},
                                     {});
        QCOMPARE(curves.series[0].basis, curves.series[2].basis);
        QVERIFY2(curves.series[4].basis != curves.series[2].basis, "the same text, but another beam");
        QVERIFY(curves.otherMasks.isEmpty());
    }

    void runsWithOtherMasksAreNamed() {
        const auto named = [](const std::vector<std::int32_t>& one, const std::vector<std::int32_t>& other,
                              const std::vector<std::uint32_t>& mask) {
            const G2Curves curves = g2Curves({withLabels(row(2, true), "rings:1", other, mask),
                                              withLabels(row(1, true), "rings:1", one, {0, 1})},
                                             {});
            return curves.series[0].basis == curves.series[2].basis ? curves.otherMasks
                                                                    : QStringList("other bins");
        };
        QCOMPARE(named({0, 1, 2, 2}, {1, 0, 2, 2}, {1, 1}), (QStringList{"run 1", "run 2"}));
        QCOMPARE(named({0, 1, 2, 2}, {0, 1, 2, 2}, {0, 1}), QStringList());
    }

    void binsThatAreOffHaveNoCurve() {
        const G2Curves curves = g2Curves({row(1, false)}, {{1}});
        QCOMPARE(curves.series.size(), 1);
        QCOMPARE(curves.series[0].bin, 2);
    }

    void binsThatAreOffAreThoseOfTheTable() {
        const auto table =
            std::make_shared<const ks::QPartition>(1, 4, std::vector<std::int32_t>{1, 1, 0, 2});
        const auto shown = [&table](const std::vector<std::int32_t>& labels) {
            QList<int> bins;
            for (const auto& one :
                 g2Curves({withLabels(row(1, true), "rings:1", labels)}, {{1}, table}).series)
                bins << one.bin;
            return bins;
        };
        QCOMPARE(shown({1, 1, 0, 2}), QList<int>{2});
        QCOMPARE(shown({0, 1, 0, 2}), QList<int>{2});  // of the same bins, a mask leaves other pixels
        QCOMPARE(shown({1, 2, 0, 2}), (QList<int>{1, 2}));
        QCOMPARE(shown({1, 1, 0, 2, 2}), (QList<int>{1, 2}));
    }

    void theTwoTimeMapKnowsItsBinAndAxes() {
        QCOMPARE(twoTimeBin(*row(1, false).run), 0);
        QVERIFY(!twoTimeMap(*row(1, false).run));
        const RunRow with = row(1, true, 2);
        QCOMPARE(twoTimeBin(*with.run), 2);
        QString unit;
        const auto map = twoTimeMap(*with.run, &unit);
        QVERIFY(map.has_value());
        QCOMPARE(unit, QString("s"));
        QCOMPARE(map->values, (std::vector<double>{1, 2, 2, 4}));
        QCOMPARE(map->xLast, 0.5);
    }
};

QTEST_MAIN(RunCurvesTest)
#include "tst_run_curves.moc"
