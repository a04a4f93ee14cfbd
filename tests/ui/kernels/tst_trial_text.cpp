#include <QtTest>

#include "ui/kernels/trial/trial_text.h"

using namespace ks::ui;

/// What is said of a trial: verdict, place, times.
class TrialTextTest : public QObject {
    Q_OBJECT
    static TrialResult sampled() {
        TrialResult result;
        result.base = "tiles";
        result.verdict.state = ks::Verdict::State::sampled;
        result.verdict.samples = 200;
        result.verdict.where = "g2, bin 4, delay 7";
        result.verdict.place = {{"bin", 4}, {"delay", 7}};
        result.kernelNanoseconds = 2e6;
        return result;
    }

  private slots:
    void aFasterKernelIsSaidToBeSoWithTheRangeOfChance() {
        // Times of a half each: the ratio is 2, whatever is drawn.
        const TrialTimes times{{1e6, 2e6, 3e6, 2e6, 1e6, 3e6, 2e6, 2e6},
                               {2e6, 4e6, 6e6, 4e6, 2e6, 6e6, 4e6, 4e6}};
        const QString text = timesText(times, "tiles");
        QVERIFY2(text.contains("<b>2.00 \u00d7 as fast</b> (2.00 to 2.00, 8 runs each)"), qPrintable(text));
        QVERIFY2(text.contains("kernels 2 ms") || text.contains("kernels 2.00 ms"), qPrintable(text));
        const QString slower = timesText({times.base, times.own}, "tiles");
        QVERIFY2(slower.contains("<b>takes 2.00 \u00d7 as long</b> (2.00 to 2.00, 8 runs each)"),
                 qPrintable(slower));
    }

    void whatChanceCanMakeIsNoDifference() {
        // Eight runs each: the range is from 3/4 to 4/3.
        const QString text = timesText(
            {{3e6, 4e6, 3e6, 4e6, 3e6, 4e6, 3e6, 4e6}, {4e6, 3e6, 4e6, 3e6, 4e6, 3e6, 4e6, 3e6}}, "tiles");
        QVERIFY2(text.contains("no significant difference</b> (0.75 to 1.33 \u00d7 as fast, 8 runs each)"),
                 qPrintable(text));
    }

    void fewerThanEightRunsAreNotSure() {
        const QString text = timesText({std::vector<double>(7, 1e6), std::vector<double>(7, 5e6)}, "tiles");
        QVERIFY2(
            text.contains("5.00 \u00d7 as fast, not significant with fewer than 8 runs each (7 runs each)"),
            qPrintable(text));
    }

    void aBaseThatFailedIsNamedWithTheReason() {
        TrialResult result = sampled();
        result.times = TrialTimes{{1e6, 1e6}, {}, "tiles failed: out of memory"};
        const QString text = trialText(result, {});
        QVERIFY2(text.contains("not compared with tiles: tiles failed: out of memory"), qPrintable(text));
        QVERIFY2(text.contains("200 values"), qPrintable(text));
        QVERIFY(!text.contains("as fast"));
    }

    void thePlaceIsALinkWhereItCanBeShown() {
        TrialResult result = sampled();
        QVERIFY(!trialText(result, {}).contains("<a "));
        result.placeCanBeShown = true;
        const QString text = trialText(result, {});
        QVERIFY2(text.contains("<a href='place'") && text.contains("bin 4, delay 7"), qPrintable(text));
    }

    void ofGuardZonesNoMoreIsSaidThanWasLookedAt() {
        TrialResult result = sampled();
        QVERIFY(!trialText(result, {}).contains("guard zones"));
        result.guarded = true;
        QVERIFY2(trialText(result, {}).contains("guard zones intact"), qPrintable(trialText(result, {})));
        QVERIFY(guardZonesTip().contains("Reads outside of buffers") && guardZonesTip().contains("Shift+F7"));
    }

    void thatNobodyLookedForRacesStandsBesideARightVerdict() {
        TrialResult result = sampled();
        QVERIFY2(trialText(result, {}).contains("local memory and races not checked (Shift+F7 checks them)"),
                 qPrintable(trialText(result, {})));
        result.accesses.racesLookedFor = true;
        QVERIFY(!trialText(result, {}).contains("races"));
        result.accesses.racesLookedFor = false;
        result.verdict.state = ks::Verdict::State::fail;
        QVERIFY(!trialText(result, {}).contains("races"));
    }

    void wrongIsSaidOnce() {
        TrialResult result = sampled();
        result.verdict.state = ks::Verdict::State::fail;
        result.verdict.text = "fail: 3 of 9 values differ";
        const QString text = trialText(result, {});
        QVERIFY2(text.contains("wrong") && text.contains(" 3 of 9 values differ") && !text.contains("fail"),
                 qPrintable(text));
    }

    void anAccessCheckThatFoundWrongValuesOutweighsASample() {
        TrialResult result = sampled();
        result.accesses.faults = {"wrong values"};
        const QString text = trialText(result, {});
        QVERIFY2(text.contains("wrong: the access check of this text found wrong values") &&
                     !text.contains("right:"),
                 qPrintable(text));
    }

    void everyFaultThatTheAccessCheckFoundIsNamed() {
        TrialResult result = sampled();
        result.verdict.state = ks::Verdict::State::pass;
        result.accesses = {true, {"data races", "wrong barriers"}};
        QString text = trialText(result, {});
        QVERIFY2(text.contains("wrong: the access check of this text found data races, wrong barriers") &&
                     text.contains("(all values of this run are right)") && !text.contains("right:"),
                 qPrintable(text));
        // Also of a run whose values nobody compared.
        result.verdict.state = ks::Verdict::State::unchecked;
        text = trialText(result, {});
        QVERIFY2(text.contains("found data races, wrong barriers") && !text.contains("right"),
                 qPrintable(text));
        // A run that is wrong itself says how.
        result.verdict.state = ks::Verdict::State::fail;
        result.verdict.text = "fail: 3 of 9 values differ";
        text = trialText(result, {});
        QVERIFY2(text.contains("3 of 9 values differ") && !text.contains("barriers"), qPrintable(text));
    }

    void aGeneratedProblemIsNamed() {
        TrialResult result = sampled();
        result.problem = "on a generated problem: Frames 64";
        QVERIFY(trialText(result, {}).contains("on a generated problem: Frames 64"));
    }
};

QTEST_MAIN(TrialTextTest)
#include "tst_trial_text.moc"
