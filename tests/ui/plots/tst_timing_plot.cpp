#include <cmath>

#include <qcustomplot.h>
#include <QTest>

#include "ui/plots/figure_export.h"
#include "ui/plots/timing_bars.h"
#include "ui/plots/timing_plot.h"

using namespace ks;
using namespace ks::ui;

class TestTimingPlot : public QObject {
    Q_OBJECT
  private slots:
    void barsStandWhereTheirStagesWere() {
        TimingPlot plot;
        plot.resize(700, 300);
        plot.show();
        Timing read{"read", StageKind::read, 10'000'000}, gram{"gram", StageKind::kernel, 30'000'000},
            naive{"naive", StageKind::kernel, 90'000'000};
        read.spans = {{0, 10'000'000}};
        gram.spans = {{5'000'000, 20'000'000}, {40'000'000, 10'000'000}};
        naive.spans = {{0, 90'000'000}};
        plot.setRuns({{"7", {read, gram}, 50'000'000}, {"6", {naive}, 90'000'000}});
        plot.findChild<QCustomPlot*>()->replot();
        const QRectF first = plot.barRect(0, 0), second = plot.barRect(0, 1), other = plot.barRect(1, 0);
        QVERIFY(first.width() > 20);
        QVERIFY(std::abs(second.width() / first.width() - 2) < 0.01);
        QVERIFY(std::abs(other.width() / first.width() - 9) < 0.01);
        // It began in the middle of the reading, in a lane of its own.
        QVERIFY(std::abs(second.left() - first.center().x()) < 1);
        QVERIFY(second.top() >= first.bottom());
        QVERIFY(std::abs(other.left() - first.left()) < 1e-6);
        QVERIFY(other.top() > second.bottom());
        QVERIFY(other.right() < plot.width());
    }

    void spansThatOverlapShareTheHeightOfTheirLane() {
        TimingPlot plot;
        plot.resize(700, 300);
        plot.show();
        Timing one{"read", StageKind::read, 20}, other{"read more", StageKind::read, 20},
            kernel{"gram", StageKind::kernel, 10};
        one.spans = {{0, 20}};
        other.spans = {{10, 20}};
        kernel.spans = {{30, 10}};
        plot.setRuns({{"7", {one, other, kernel}, 40}});
        plot.findChild<QCustomPlot*>()->replot();
        const QRectF above = plot.barRect(0, 0), below = plot.barRect(0, 1), alone = plot.barRect(0, 2);
        QVERIFY(std::abs(above.bottom() - below.top()) < 1e-6);
        QVERIFY(std::abs(above.height() - below.height()) < 1e-6);
        QVERIFY(std::abs(alone.height() - 2 * above.height()) < 1e-6);
    }

    void eachDeviceOfASharedRunHasALane() {
        TimingPlot plot;
        plot.resize(700, 300);
        plot.show();
        Timing load{"load", StageKind::read, 10}, one{"gram", StageKind::kernel, 20},
            more{"upload", StageKind::upload, 10}, other{"gram", StageKind::kernel, 20};
        load.spans = {{0, 10}};
        one.spans = {{10, 20}};
        more.spans = {{30, 10}};
        other.spans = {{10, 20}};
        one.device = more.device = 0;
        other.device = 1;
        plot.setRuns({{"7", {load, one, more, other}, 40, {"Graphics (1)", "Graphics (2)"}}});
        plot.findChild<QCustomPlot*>()->replot();
        const QRectF first = plot.barRect(0, 1), same = plot.barRect(0, 2), second = plot.barRect(0, 3);
        // All stages of a device are in its lane, those of another below.
        QVERIFY(std::abs(first.top() - same.top()) < 1e-6);
        QVERIFY(std::abs(first.left() - second.left()) < 1e-6);
        QVERIFY(second.top() >= first.bottom());
        QVERIFY(first.top() >= plot.barRect(0, 0).bottom());
    }

    void theBuildingOfKernelsIsToldAndNotDrawn() {
        Timing load{"load", StageKind::read, 10'000'000}, build{"build kernels", StageKind::host, 50'000'000},
            gram{"gram", StageKind::kernel, 30'000'000};
        load.spans = {{0, 10'000'000}};
        build.spans = {{10'000'000, 50'000'000}};
        gram.spans = {{60'000'000, 30'000'000}};
        const TimingSeries series{"7", {load, build, gram}, 90'000'000};
        const auto parts = timingParts(series, false);
        QCOMPARE(parts.size(), std::size_t{2});
        QCOMPARE(parts[1].timing.stage, std::string("gram"));
        QCOMPARE(parts[1].spans[0].start, std::uint64_t{10'000'000});
        QCOMPARE(parts[1].spans[0].nanoseconds, std::uint64_t{30'000'000});
        TimingPlot plot;
        plot.resize(700, 200);
        plot.setRuns({series});
        const std::string csv = plot.csv();
        QVERIFY2(csv.find("\"7\",\"build kernels\",host,10000000,50000000") != std::string::npos,
                 csv.c_str());
        QVERIFY(plot.findChild<QCustomPlot*>()->xAxis->range().upper < 50'000'000);
    }

    void kernelsAloneLeaveOutAllElse() {
        const TimingSeries series{"7", {{"load", StageKind::read, 10}, {"gram", StageKind::kernel, 30}}, 100};
        const auto parts = timingParts(series, true);
        QCOMPARE(parts.size(), std::size_t{1});
        QCOMPARE(parts[0].timing.stage, std::string("gram"));
        TimingPlot plot;
        plot.resize(700, 200);
        plot.setRuns({series});
        QVERIFY(plot.findChild<QCustomPlot*>()->xAxis->range().upper > 100);
        plot.setKernelsOnly(true);
        QVERIFY(plot.findChild<QCustomPlot*>()->xAxis->range().upper < 100);
        QCOMPARE(plot.csv().find("load"), std::string::npos);
    }

    void stagesOfARunThatDoesNotTellWhenStandInOrder() {
        const TimingSeries series{"7", {{"read", StageKind::read, 80}, {"gram", StageKind::kernel, 70}}, 100};
        const auto parts = timingParts(series, false);
        QCOMPARE(parts.size(), std::size_t{2});
        QCOMPARE(parts[1].spans[0].start, std::uint64_t{80});
    }

    void aWidePlotShowsLongNamesWhole() {
        const QString name = QStringLiteral("registers.buffered  NVIDIA H200, 2026-11-23");
        QCustomPlot plot;
        auto* bars = new TimingBars(&plot);
        bars->present({{name, {{"gram", StageKind::kernel, 30}}}}, plot.palette(), {});
        const auto shown = [&] {
            bars->fitWidth();
            return plot.yAxis->ticker().dynamicCast<QCPAxisTickerText>()->ticks().last();
        };
        plot.setViewport(QRect(0, 0, 2000, 300));
        QCOMPARE(shown(), name);
        plot.setViewport(QRect(0, 0, 400, 300));
        // Both ends stay: devices of one name differ in the number at theirs.
        QVERIFY2(shown().startsWith("registers") && shown().endsWith("23"), qPrintable(shown()));
        QVERIFY(shown().size() < name.size());
    }

    void theAxisTellsTimesInTheirUnit() {
        TimingPlot plot;
        auto* inner = plot.findChild<QCustomPlot*>();
        plot.setRuns({{"7", {{"gram", StageKind::kernel, 52'000'000}}}});
        QCOMPARE(inner->xAxis->label(), QString("time (ms)"));
        plot.setRuns({{"7", {{"gram", StageKind::kernel, 1'800'000'000}}}});
        QCOMPARE(inner->xAxis->label(), QString("time (s)"));
    }

    void aNarrowFigureIsAsHighAsItsRowsNeed() {
        TimingPlot plot;
        QVector<TimingSeries> runs;
        for (int run = 8; run > 0; --run)
            runs.push_back({QString::number(run), {{"gram", StageKind::kernel, 30'000'000}}});
        plot.setRuns(runs);
        const double own = figureMillimetres(plot, {}).height();
        QCOMPARE(figureMillimetres(plot, {85}).height(), own);
        QCOMPARE(figureMillimetres(plot, {85}).width(), 85.0);
        // 9 pt of text and some room a row, in points
        QVERIFY(own / 25.4 * 72 > 8 * 20);
        plot.setRuns(runs.mid(0, 2));
        QVERIFY(figureMillimetres(plot, {85}).height() < own);
    }

    void aBarTellsShareAndRates() {
        QCustomPlot plot;
        auto* bars = new TimingBars(&plot);
        Timing row{"gram", StageKind::kernel, 40'000'000, 80'000'000, 6'000'000'000, 3};
        bars->present({{"7", {{"read", StageKind::read, 10'000'000}, row}}}, plot.palette(), {});
        const QString text = bars->describe(0, 1);
        for (const char* part :
             {"gram (kind: kernel)", "40.0 ms", "80 %", "50.0 ms", "3 launches", "2.00 GB/s", "150 Gop/s"}) {
            QVERIFY2(text.contains(part), qPrintable(text));
        }
    }
};

QTEST_MAIN(TestTimingPlot)
#include "tst_timing_plot.moc"
