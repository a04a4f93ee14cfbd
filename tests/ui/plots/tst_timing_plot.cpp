#include <cmath>

#include <qcustomplot.h>
#include <QTest>

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

    void theAxisTellsTimesInTheirUnit() {
        TimingPlot plot;
        auto* inner = plot.findChild<QCustomPlot*>();
        plot.setRuns({{"7", {{"gram", StageKind::kernel, 52'000'000}}}});
        QCOMPARE(inner->xAxis->label(), QString("time (ms)"));
        plot.setRuns({{"7", {{"gram", StageKind::kernel, 1'800'000'000}}}});
        QCOMPARE(inner->xAxis->label(), QString("time (s)"));
    }

    void aBarTellsShareAndRates() {
        QCustomPlot plot;
        auto* bars = new TimingBars(&plot);
        Timing row{"gram", StageKind::kernel, 40'000'000, 80'000'000, 6'000'000'000, 3};
        bars->present({{"7", {{"read", StageKind::read, 10'000'000}, row}}}, plot.palette(), {});
        const QString text = bars->describe(0, 1);
        for (const char* part :
             {"gram", "40.0 ms", "80 %", "50.0 ms", "3 launches", "2.00 GB/s", "150 Gop/s"}) {
            QVERIFY2(text.contains(part), qPrintable(text));
        }
    }
};

QTEST_MAIN(TestTimingPlot)
#include "tst_timing_plot.moc"
