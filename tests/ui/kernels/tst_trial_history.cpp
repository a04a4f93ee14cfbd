#include <QListWidget>
#include <QtTest>

#include "ui/kernels/trial/trial_history.h"

using namespace ks::ui;

/// The last trials of a kernel.
class TrialHistoryTest : public QObject {
    Q_OBJECT
    static KernelTrial trial(quint64 number, const char* id = "user.mine") {
        return {"sums", id, "tiles", TrialData::page, {}, number, QString("0a1b2%1").arg(number)};
    }
    static TrialResult result(ks::Verdict::State state = ks::Verdict::State::pass) {
        TrialResult made;
        made.base = "tiles";
        made.verdict.state = state;
        made.kernelNanoseconds = 4e6;
        return made;
    }

  private slots:
    void aRowHasVerdictTimeAndRatio() {
        TrialResult one = result();
        QCOMPARE(trialRow(one), QString("\u2713 4.00 ms"));
        one.times = TrialTimes{std::vector<double>(8, 1e6), std::vector<double>(8, 2e6)};
        QCOMPARE(trialRow(one), QString("\u2713 1.00 ms  2.00 \u00d7"));
        one.times = TrialTimes{{1565e6, 1565e6, 1565e6}, {1e6, 1e6, 1e6}};
        QVERIFY2(trialRow(one).endsWith("1/1565 \u00d7"), qPrintable(trialRow(one)));
        one.times = TrialTimes{{3e6, 4e6}, {4e6, 3e6}};
        QVERIFY2(trialRow(one).contains("\u2248"), "chance alone can make it");
        one.times = TrialTimes{{1e6, 1e6}, {}, "tiles failed"};
        QCOMPARE(trialRow(one), QString("\u2713 1.00 ms"));
        QVERIFY(trialRow(result(ks::Verdict::State::fail)).contains("wrong"));
    }

    void theNewestIsFirstAndTheTimesOfATrialAreNoSecondOne() {
        TrialHistory history;
        history.showOf("sums", "user.mine");
        QVERIFY(history.isHidden());
        history.take(trial(1), result());
        history.take(trial(2), result(ks::Verdict::State::fail));
        history.take(trial(3), ks::Error(ks::ErrorKind::build, "the kernel does not build"));
        history.take(trial(4), ks::Error(ks::ErrorKind::cancelled, "cancelled"));
        TrialResult timed = result();
        timed.times = TrialTimes{{1e6, 1e6, 1e6}, {5e6, 5e6, 5e6}};
        history.take(trial(1), timed);
        QCOMPARE(history.list().count(), 3);
        QVERIFY(history.list().item(0)->text().contains("does not build"));
        QVERIFY(history.list().item(1)->text().contains("wrong"));
        QVERIFY(history.list().item(2)->text().contains("5.00 \u00d7"));
        QVERIFY2(history.list().item(2)->toolTip().contains("(tiles: "),
                 qPrintable(history.list().item(2)->toolTip()));
    }

    void rowsNameTheTextAndTheReason() {
        TrialHistory history;
        history.showOf("sums", "user.mine");
        history.take(trial(1), result());
        history.take(trial(2),
                     ks::Error(ks::ErrorKind::input, "define WIDTH: expected one of 2, 4, found \"3\"",
                               "/home/somebody/own kernels/sums/mine.cl:5"));
        QVERIFY2(history.list().item(1)->text().endsWith(", text 0a1b21"),
                 qPrintable(history.list().item(1)->text()));
        QVERIFY(history.list().item(0)->text().startsWith(
            QString::fromUtf8("\u2717 define WIDTH: expected one of 2, 4, found \"3\"\n")));
        QVERIFY(history.list().item(0)->text().endsWith(", text 0a1b22"));
        QVERIFY(history.list().item(0)->toolTip().contains("mine.cl:5"));
    }

    void anAccessCheckAlsoJudgesTheRunsOfItsText() {
        TrialHistory history;
        history.showOf("sums", "user.mine");
        history.take(trial(1), result());
        history.take(trial(2), result());
        history.take("sums", "user.mine", "0a1b21", {true, {"data races", "wrong barriers"}});
        const QListWidgetItem *const other = history.list().item(0), *const judged = history.list().item(1);
        QVERIFY2(other->text().startsWith(u'\u2713') && !other->text().contains("wrong"),
                 qPrintable(other->text()));
        QVERIFY2(judged->text().startsWith(QString::fromUtf8("\u2717 wrong")) &&
                     judged->text().endsWith("\naccess check: data races, wrong barriers"),
                 qPrintable(judged->text()));
        QVERIFY2(judged->toolTip().contains("found data races, wrong barriers"),
                 qPrintable(judged->toolTip()));
        // A later run of this text is none of a right one.
        KernelTrial again = trial(3);
        again.textMark = "0a1b21";
        history.take(again, result());
        QVERIFY(history.list().item(0)->text().startsWith(u'\u2717'));
        QCOMPARE(history.accessesOf("sums", "user.mine", "0a1b21").faults.size(), 2);
        QVERIFY(history.accessesOf("sums", "user.mine", "0a1b22").faults.isEmpty());
        history.rename("sums", "user.mine", "user.third");
        history.showOf("sums", "user.third");
        QVERIFY(history.list().item(2)->text().startsWith(u'\u2717'));
        // A newer check that finds nothing takes it back.
        history.take("sums", "user.third", "0a1b21", {true, {}});
        QVERIFY(history.list().item(2)->text().startsWith(u'\u2713'));
    }

    void eachKernelHasItsOwn() {
        TrialHistory history;
        history.showOf("sums", "user.mine");
        history.take(trial(1), result());
        history.take(trial(2, "user.other"), result());
        history.take(trial(3, "user.other"), result());
        QCOMPARE(history.list().count(), 1);
        history.showOf("sums", "user.other");
        QCOMPARE(history.list().count(), 2);
        history.rename("sums", "user.other", "user.third");
        history.showOf("sums", "user.third");
        QCOMPARE(history.list().count(), 2);
        history.drop("sums", "user.third");
        // It keeps its place in the window as long as any kernel has been run.
        QVERIFY(!history.isHidden() && history.list().count() == 0);
        history.drop("sums", "user.mine");
        QVERIFY(history.isHidden());
    }
};

QTEST_MAIN(TrialHistoryTest)
#include "tst_trial_history.moc"
