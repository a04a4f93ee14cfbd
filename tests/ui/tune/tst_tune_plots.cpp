#include <qcustomplot.h>
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>
#include <cmath>

#include "core/tune/tuner.h"
#include "tests/ui/tune/define_field.h"
#include "ui/plots/plot_view.h"
#include "ui/tune/define_values.h"
#include "ui/tune/kept_panel.h"
#include "ui/tune/parallel_plot.h"
#include "ui/tune/ratio_map.h"
#include "ui/tune/ratio_scale.h"
#include "ui/tune/tune_table_model.h"

using namespace ks::ui::tune;

namespace {

/// WG 1, 2, 16 by ITEMS 4, 8, with times of 100 per default of 100: ratio WG=1: 1 and 2, WG=2: 0.5 and 4,
/// WG=16: fails, and is wrong.
ks::TuneReport madeReport() {
    ks::TuneReport report;
    report.plan.space = {{"WG", {"1", "2", "16"}}, {"ITEMS", {"4", "8"}}};
    report.usual.defines = {{"WG", "1"}, {"ITEMS", "4"}};
    report.valid = report.combinations = 6;
    const auto add = [&](const char* group, const char* items, double time) {
        ks::TuneRow row;
        row.defines = {{"WG", group}, {"ITEMS", items}};
        if (time > 0) {
            row.tried = {time, time, time};
            row.default_then = {100, 100, 100};
        }
        report.rows.push_back(row);
    };
    add("1", "4", 100);
    add("1", "8", 200);
    add("2", "4", 50);
    add("2", "8", 400);
    add("16", "4", 0);
    report.rows.back().not_timed = "the kernel does not build";
    report.rows.back().failure = {ks::ErrorKind::build, "a.cl:3:5: error: undeclared 'x'\n"};
    add("16", "8", 0);
    report.rows.back().not_timed = "its result is wrong: 3 of 4 differ";
    report.rows.back().wrong = true;
    return report;
}

SharedConfigurations made() {
    return std::make_shared<const Configurations>(configurationsOf(madeReport()));
}

QCustomPlot& canvas(QWidget& plot) {
    return *plot.findChild<QCustomPlot*>();
}

void drag(QWidget& on, const QPointF& from, const QPointF& to) {
    QTest::mousePress(&on, Qt::LeftButton, {}, from.toPoint());
    for (int i = 1; i <= 4; ++i) {
        const QPointF at = from + (to - from) * i / 4;
        QMouseEvent move(QEvent::MouseMove, at, on.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&on, &move);
    }
    QTest::mouseRelease(&on, Qt::LeftButton, {}, to.toPoint());
}

}  // namespace

/// What the page Tune draws of a report, and what a hand does to it.
class TunePlotsTest : public QObject {
    Q_OBJECT

  private slots:
    void aReportBecomesAxesAndRows() {
        const SharedConfigurations all = made();
        QCOMPARE(all->axes.size(), std::size_t{2});
        QCOMPARE(all->axes[0].name, QString("ITEMS"));
        QCOMPARE(all->axes[1].values, (QStringList{"1", "2", "16"}));  // as numbers
        QCOMPARE(all->rows[2].ratio, 0.5);
        QVERIFY(std::isnan(all->rows[4].ratio));
        QVERIFY(all->rows[4].outcome == Outcome::failed && all->rows[5].outcome == Outcome::wrong);
        QCOMPARE(all->best.value(), std::size_t{2});
        QCOMPARE(all->failed(), std::size_t{2});
        QCOMPARE(all->name(2), QString("ITEMS=4 WG=2"));
        QCOMPARE(all->usual[1].value(), std::size_t{0});
    }

    void linesStandAtTheirValuesAndRatios() {
        ParallelPlot plot;
        plot.resize(700, 400);
        plot.show();
        plot.setConfigurations(made());
        const ParallelLines& lines = plot.lines();
        QCOMPARE(lines.axes(), std::size_t{3});
        QCOMPARE(lines.place(0, 1), 1.0 / 6);  // the first of three values
        QCOMPARE(lines.place(4, 1), 5.0 / 6);
        // Equal ratios of times are equally far apart: 0.5, 1, 2, 4.
        const auto up = [&](std::size_t row) { return lines.place(row, 2); };
        QVERIFY(std::abs((up(1) - up(0)) - (up(0) - up(2))) < 1e-9);
        QVERIFY(std::abs((up(3) - up(2)) - 3 * (up(0) - up(2))) < 1e-9);
        // What has no time stands above all times, in places of its own.
        QVERIFY(up(4) > up(3) && up(5) > up(4));
        // Lines of one value do not lie on each other.
        QVERIFY(std::abs(lines.pointAt(0, 1).y() - lines.pointAt(1, 1).y()) > 3);
        QCOMPARE(lines.rowAt(lines.pointAt(3, 2)).value(), std::size_t{3});
        QVERIFY(plot.describe(3).contains("ITEMS=8 WG=2: 4.00"));
        QVERIFY(plot.describe(5).contains("wrong") && plot.describe(5).contains("3 of 4 differ"));
    }

    void aSingleLinePassesThroughItsValueAndSeveralAreSpreadAroundIt() {
        ks::TuneReport report = madeReport();
        report.plan.space = {{"WG", {"1", "2"}}, {"ITEMS", {"4", "8"}}};
        report.rows.erase(report.rows.begin() + 4, report.rows.end());
        report.rows.erase(report.rows.begin() + 2);  // left: WG=1 twice, WG=2 ITEMS=8 alone
        ParallelPlot plot;
        plot.resize(700, 400);
        plot.show();
        plot.setConfigurations(std::make_shared<const Configurations>(configurationsOf(report)));
        const ParallelLines& lines = plot.lines();
        const auto y = [&](std::size_t row, std::size_t axis) { return lines.pointAt(row, axis).y(); };
        QCOMPARE(y(0, 0), lines.yOf(0.25));  // ITEMS=4 alone
        QCOMPARE(y(2, 1), lines.yOf(0.75));  // WG=2 alone
        // WG=1 in rows 0 and 1, ITEMS=8 in rows 1 and 2: around the value, the faster one lower.
        QCOMPARE((y(0, 1) + y(1, 1)) / 2, lines.yOf(0.25));
        QVERIFY(y(0, 1) > y(1, 1) + 3);
        QCOMPARE((y(1, 0) + y(2, 0)) / 2, lines.yOf(0.75));
        QVERIFY(y(1, 0) > y(2, 0) + 3);
    }

    void aDragAlongAnAxisLeavesOutTheOthersAndAClickTakesItBack() {
        ParallelPlot plot;
        plot.resize(700, 400);
        plot.show();
        plot.setConfigurations(made());
        const ParallelLines& lines = plot.lines();
        QSignalSpy changed(&plot, &ParallelPlot::brushesChanged);
        const auto left = [&] {
            QList<int> rows;
            for (int row = 0; row < 6; ++row)
                if (plot.isLeft(static_cast<std::size_t>(row))) rows << row;
            return rows;
        };
        const auto at = [&](std::size_t axis, double place) {
            return QPointF(lines.axisX(axis), lines.yOf(place));
        };
        QCOMPARE(left(), (QList<int>{0, 1, 2, 3, 4, 5}));
        drag(canvas(plot), at(1, 0.4), at(1, 0.6));  // WG=2
        QCOMPARE(left(), (QList<int>{2, 3}));
        QVERIFY(changed.count() > 0 && plot.brushed());
        drag(canvas(plot), at(0, 0.1), at(0, 0.6));  // ITEMS=4, too, and not quite 8
        QCOMPARE(left(), (QList<int>{2}));
        // New rows of the same axes are asked, too.
        plot.setConfigurations(made());
        QCOMPARE(left(), (QList<int>{2}));
        QTest::mouseClick(&canvas(plot), Qt::LeftButton, {}, at(1, 0.5).toPoint());
        QCOMPARE(left(), (QList<int>{0, 2, 4}));
        // Of the ratios: those below 0.7.
        drag(canvas(plot), at(2, 0.0), at(2, (lines.place(0, 2) + lines.place(2, 2)) / 2));
        QCOMPARE(left(), (QList<int>{2}));
        QTest::mouseDClick(&canvas(plot), Qt::LeftButton, {}, QPoint(300, 5));
        QCOMPARE(left().size(), 6);
        QVERIFY(!plot.brushed() && !plot.view().byHand());
        QVERIFY(plot.csv().find("2,8,4,timed,1") == std::string::npos);  // ITEMS comes first
        QVERIFY(plot.csv().find("8,2,4,timed,1") != std::string::npos);
    }

    void aClickOnALinePicksIt() {
        ParallelPlot plot;
        plot.resize(700, 400);
        plot.show();
        plot.setConfigurations(made());
        QSignalSpy picked(&plot, &ParallelPlot::picked);
        const QPointF middle = (plot.lines().pointAt(3, 1) + plot.lines().pointAt(3, 2)) / 2;
        QTest::mouseClick(&canvas(plot), Qt::LeftButton, {}, middle.toPoint());
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked[0][0].value<std::size_t>(), std::size_t{3});
        QCOMPARE(plot.marked().value(), std::size_t{3});
    }

    void theMapHasTheBestOfEachCellAndMarksThoseWithoutATime() {
        RatioMap map;
        map.resize(600, 400);
        map.show();
        map.setConfigurations(made());
        QCOMPARE(map.xDefine().currentText(), QString("WG"));  // it has most values
        QCOMPARE(map.yDefine().currentText(), QString("ITEMS"));
        const RatioGrid& grid = map.cells().grid();
        QCOMPARE(grid.columns, std::size_t{3});
        QCOMPARE(grid.rows, std::size_t{2});
        QCOMPARE(grid.at(0, 1).best.value(), std::size_t{2});
        QVERIFY(!grid.at(0, 2).best && grid.at(0, 2).failed == 1);
        QVERIFY(grid.at(0, 0).holdsDefault && !grid.at(1, 0).holdsDefault);
        QCOMPARE(grid.at(0, 0).ratio(*made()).value(), 1.0);
        QVERIFY(!grid.at(0, 2).ratio(*made()));
        QVERIFY(!grid.at(1, 2).best && grid.at(1, 2).wrong == 1);
        QVERIFY(map.describe(0, 1).contains("0.50"));
        QVERIFY(map.describe(1, 2).contains("1 wrong"));
        QSignalSpy picked(&map, &RatioMap::picked);
        const QPoint inside = map.cells().cellRect(1, 0).center().toPoint();
        QTest::mouseClick(&canvas(map), Qt::LeftButton, {}, inside);
        QCOMPARE(picked.value(0).value(0).value<std::size_t>(), std::size_t{1});
        map.yDefine().setCurrentText("WG");
        QVERIFY(map.cells().grid().cells.empty());
        QCOMPARE(map.csv(), std::string("ratio,tried,failed,wrong\n"));
    }

    // The default is no row: where nothing but it has these values, the cell has its ratio.
    void aCellOfTheDefaultAloneHasTheRatioOne() {
        ks::TuneReport report = madeReport();
        report.rows.erase(report.rows.begin());
        const Configurations all = configurationsOf(report);
        const RatioGrid grid = gridOf(all, 1, 0);
        QCOMPARE(grid.at(0, 0).tried, std::size_t{0});
        QCOMPARE(grid.at(0, 0).ratio(all).value(), 1.0);
    }

    // A cell without a time has none of the colours of times, and is not of one colour.
    void aCellWithoutATimeIsHatched() {
        RatioMap map;
        map.resize(600, 400);
        map.show();
        map.setConfigurations(made());
        QTest::qWait(100);
        const QImage picture = canvas(map).grab().toImage();
        const double scale = picture.devicePixelRatio();
        const auto colours = [&](std::size_t row, std::size_t column) {
            QSet<QRgb> found;
            const QRectF cell = map.cells().cellRect(row, column).adjusted(4, 4, -4, -4);
            for (int x = static_cast<int>(cell.left()); x < cell.left() + cell.width() / 4; ++x)
                found << picture.pixel(static_cast<int>(x * scale),
                                       static_cast<int>((cell.top() + 3) * scale));
            return found.size();
        };
        QCOMPARE(colours(0, 0), 1);
        QVERIFY(colours(0, 2) > 1 && colours(1, 2) > 1);
    }

    void theScaleHoldsTheDefaultAndItsTicksCanBeRead() {
        const RatioScale scale = RatioScale::of(*made());
        QCOMPARE(scale.position(0.5), 0.0);
        QCOMPARE(scale.position(4), 1.0);
        QVERIFY(std::abs(scale.position(1) - 1.0 / 3) < 1e-12);
        for (const int most : {2, 4, 8, 30}) {
            const std::vector<double> ticks = scale.ticks(most);
            QVERIFY(static_cast<int>(ticks.size()) <= most && !ticks.empty());
            QVERIFY(std::ranges::find(ticks, 1.0) != ticks.end());
        }
        QVERIFY(scale.colour(0.5, false) != scale.colour(4, false));
    }

    void theTableHasAColumnForEachDefineAndSorts() {
        const SharedConfigurations all = made();
        TuneTableModel model(all->axes);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setConfigurations(all);
        QCOMPARE(model.rowCount(), 6);
        QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString().trimmed(), QString("WG"));
        const int ratio = model.column(TuneTableModel::RatioColumn);
        model.sort(ratio, Qt::AscendingOrder);
        QCOMPARE(model.itemAt(0), 2);
        QCOMPARE(model.itemAt(3), 3);  // then those without a time
        model.sort(2, Qt::DescendingOrder);
        QCOMPARE(model.index(0, 2).data().toString(), QString("16"));  // a number, not a word
        const int reason = model.column(TuneTableModel::ReasonColumn);
        QVERIFY(model.index(model.rowOf(4), reason).data().toString().contains("does not build"));
        QCOMPARE(model.index(model.rowOf(4), reason).data(Qt::ToolTipRole).toString(),
                 QString("the kernel does not build\na.cl:3:5: error: undeclared 'x'"));
        QCOMPARE(model.index(model.rowOf(5), model.column(TuneTableModel::OutcomeColumn)).data().toString(),
                 QString("wrong"));
        model.setAccepted([](int item) { return item % 2 == 0; });
        QCOMPARE(model.rowCount(), 3);
        model.setConfigurations(all);
        QCOMPARE(model.rowCount(), 6);
    }

    void theFinalComparisonHasAColumnOfItsOwn() {
        ks::TuneReport report = madeReport();
        report.rows[0].samples = {120, 120, 120};
        report.rows[2].samples = {103, 103, 103};
        report.usual.samples = {100, 100, 100};
        const auto textOf = [](const ks::TuneReport& of, int item) {
            const Configurations all = configurationsOf(of);
            TuneTableModel model(all.axes);
            model.setConfigurations(std::make_shared<const Configurations>(all));
            return model.text(item, model.column(TuneTableModel::RatioColumn)) + QLatin1Char(' ') +
                   model.text(item, model.column(TuneTableModel::FinalColumn));
        };
        const QString none(QChar(0x2013));
        QCOMPARE(textOf(report, 2), "0.500 " + none);  // not complete
        report.best = 2;
        QCOMPARE(textOf(report, 2), QString("0.500 1.030"));
        QCOMPARE(textOf(report, 0), "1.000 " + none);  // its times are of an earlier comparison
        QCOMPARE(textOf(report, 3), "4.000 " + none);
        ParallelPlot plot;
        plot.setConfigurations(std::make_shared<const Configurations>(configurationsOf(report)));
        QVERIFY2(plot.describe(2).contains("0.50 \u00d7 the default's time in the search") &&
                     plot.describe(2).contains("1.03 \u00d7 in the final comparison"),
                 qPrintable(plot.describe(2)));
        QVERIFY2(!plot.describe(0).contains("final comparison"), qPrintable(plot.describe(0)));
    }

    void keptRowsAreAModel() {
        KeptModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        ks::TunedRow row;
        row.of = {"spots", "tile", "algorithm=dispersion element=u16", 8};
        row.defines = {{"WG", "64"}};
        row.speed_up = 1.25;
        model.setRows({row, row});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, KeptModel::ForColumn).data().toString(),
                 QString("algorithm=dispersion, element=u16, size 65536 to 262143"));
        QCOMPARE(model.index(0, KeptModel::ValuesColumn).data().toString(), QString("WG=64"));
        model.setRows({row});
        QCOMPARE(model.rowCount(), 1);
        model.setRows({});
        QCOMPARE(model.rowCount(), 0);
    }

    void valuesAreTickedAndTyped() {
        ks::Variant variant;
        variant.defines = {{"WG", "64", {"32", "64", "128"}, "items of a group"}, {"SIZE", "8", {}, "any"}};
        DefineValues values;
        values.setVariant(variant, {{"WG", {"128"}}}, {});
        QCOMPARE(values.space(), (DefineValues::Values{{"WG", {"32", "64"}}}));
        ks::tests::define_field<QCheckBox>(values, "WG=32").click();
        ks::tests::define_field<QLineEdit>(values, "SIZE").setText("1, 2,4");
        QCOMPARE(values.space(), (DefineValues::Values{{"SIZE", {"1", "2", "4"}}, {"WG", {"64"}}}));
        // As in fields for one whole number.
        ks::tests::define_field<QLineEdit>(values, "SIZE").setText("1e3, 2 000, 3.5");
        QCOMPARE(values.typed(), (DefineValues::Values{{"SIZE", {"1000", "2000", "3.5"}}}));
        QVERIFY(values.without().isEmpty());
        ks::tests::define_field<QCheckBox>(values, "WG=64").click();
        QCOMPARE(values.without(), QString("WG"));
        QCOMPARE(values.off(), (DefineValues::Values{{"WG", {"32", "64", "128"}}}));
    }
};

QTEST_MAIN(TunePlotsTest)
#include "tst_tune_plots.moc"
