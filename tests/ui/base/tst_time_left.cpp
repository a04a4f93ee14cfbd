#include <QtTest>

#include "ui/shell/bars/status_line.h"

using ks::ui::TimeLeft;

class TimeLeftTest : public QObject {
    Q_OBJECT
  private slots:
    void itTellsTheRestOfAStageThatIsUnderWay() {
        TimeLeft left;
        QCOMPARE(left.text(0, "correlate"), QString("correlate"));
        left.text(0.25, "correlate");
        QCOMPARE(left.withRest(10), QString("correlate, 30 s left"));
        QCOMPARE(left.withRest(0.5), QString("correlate"));
        left.text(0.5, "correlate");
        QCOMPARE(left.withRest(600), QString("correlate, 10 min left"));
    }
    void anotherStageBeginsAnew() {
        TimeLeft left;
        left.text(0.5, "read");
        left.text(0.1, "correlate");
        QCOMPARE(left.withRest(10), QString("correlate"));
        left.text(0.2, "correlate");
        QCOMPARE(left.withRest(10), QString("correlate, 80 s left"));
    }
};

QTEST_MAIN(TimeLeftTest)
#include "tst_time_left.moc"
