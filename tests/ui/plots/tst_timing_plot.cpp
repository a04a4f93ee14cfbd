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
    void widthsAreProportionalToTimes() {
        TimingPlot plot;
        plot.resize(700, 200);
        plot.show();
        plot.setRuns({{"7", {{"read", StageKind::read, 10'000'000}, {"gram", StageKind::kernel, 30'000'000}}},
                      {"6", {{"naive", StageKind::kernel, 90'000'000}}}});
        plot.findChild<QCustomPlot*>()->replot();
        const QRectF read = plot.barRect(0, 0), gram = plot.barRect(0, 1), naive = plot.barRect(1, 0);
        QVERIFY(read.width() > 20);
        QVERIFY(std::abs(gram.width() / read.width() - 3) < 0.01);
        QVERIFY(std::abs(naive.width() / read.width() - 9) < 0.01);
        QVERIFY(std::abs(gram.left() - read.right()) < 1e-6);
        QVERIFY(std::abs(naive.left() - read.left()) < 1e-6);
        QVERIFY(naive.top() > gram.bottom());
        QVERIFY(naive.right() < plot.width());
    }

    void aBarIsAsLongAsTheRunFromEndToEnd() {
        const TimingSeries series{"7",
                                  {{"load", StageKind::read, 10'000'000},
                                   {"build kernels", StageKind::host, 50'000'000},
                                   {"gram", StageKind::kernel, 30'000'000}},
                                  100'000'000};
        const auto parts = timingParts(series, false);
        QCOMPARE(parts.size(), std::size_t{4});
        QCOMPARE(parts[2].timing.stage, std::string("rest"));
        QVERIFY(parts[2].rest);
        QCOMPARE(parts[2].timing.nanoseconds, std::uint64_t{10'000'000});
        QVERIFY(parts[3].build);
        std::uint64_t sum = 0;
        for (const TimingPart& part : parts) sum += part.timing.nanoseconds;
        QCOMPARE(sum, series.total);
        TimingPlot plot;
        plot.resize(700, 200);
        plot.setRuns({series});
        QVERIFY2(plot.csv().find("\"7\",\"rest\",rest,10000000") != std::string::npos, plot.csv().c_str());
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

    void stagesThatOverlapHaveNoRest() {
        const TimingSeries series{"7", {{"read", StageKind::read, 80}, {"gram", StageKind::kernel, 80}}, 100};
        QCOMPARE(timingParts(series, false).size(), std::size_t{2});
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
