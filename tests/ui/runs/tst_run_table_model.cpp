#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>
#include <cstdint>
#include <vector>

#include "core/run/user/shown_variant.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/user/text_faults.h"

using ks::Run;
using ks::StageKind;
using ks::ui::RunTableModel;

namespace {

std::shared_ptr<const Run> run(const std::string& variant, std::uint64_t kernelNs, bool baseline,
                               const std::string& frames = "a.h5") {
    Run made;
    made.request.analysis = "xpcs";
    made.request.inputs["frames"] = {frames, {}};
    made.variant.id = variant;
    made.variant.baseline = baseline;
    made.device.name = "PoCL";
    made.timings = {{"correlate", StageKind::kernel, kernelNs, 0, 0, 1},
                    {"upload", StageKind::upload, 1000, 0, 0, 1}};
    made.wall_nanoseconds = kernelNs + 1000;
    return std::make_shared<const Run>(made);
}

/// Of "bins" bins that were given as `partition`.
std::shared_ptr<const Run> asked(int bins, const std::string& partition, const ks::ParameterSet& set) {
    Run made = *run("gram", 10, false);
    made.request.inputs["partition"] = {partition, {}};
    made.request.parameters = set;
    made.result.facts["bins"] = bins;
    return std::make_shared<const Run>(made);
}

QString cell(const RunTableModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

}  // namespace

class RunTableModelTest : public QObject {
    Q_OBJECT
  private slots:
    void warningsOfARunStandInItsTips() {
        RunTableModel model;
        Run warned = *run("seed.naive", 100, true);
        warned.result.warnings = {"no two-time map of bin 2", "3 empty bins"};
        model.addRun(std::make_shared<const Run>(warned), true);
        for (int column = 0; column < RunTableModel::ColumnCount; ++column) {
            const QString tip = model.index(0, column).data(Qt::ToolTipRole).toString();
            QVERIFY2(tip.endsWith("Warning: no two-time map of bin 2\nWarning: 3 empty bins"),
                     qPrintable(tip));
        }
        // What follows from wrong values says nothing about the data.
        warned.result.warnings = {"index 2 does not match row number 1", "3 sums are not finite"};
        warned.verdict.state = ks::Verdict::State::fail;
        model.addRun(std::make_shared<const Run>(warned), true);
        const QString tip = model.index(0, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(
            tip.endsWith("Warning: index 2 does not match row number 1\nWarning: 3 sums are not finite\n"
                         "Warning: the result of this run is wrong, so what these warnings say of its values "
                         "may be wrong as well"),
            qPrintable(tip));
    }

    void theTimesOfARunSayWhatIsExpectedToBeFaster() {
        RunTableModel model;
        Run slow = *run("gram.tiled", 100, false);
        slow.result.facts["faster"] = "the correlator sparse is expected to take 20 % of the time";
        model.addRun(std::make_shared<const Run>(slow), true);
        model.addRun(run("gram.tiled", 100, false), true);
        for (const int column : {int(RunTableModel::KernelColumn), int(RunTableModel::TotalColumn)}) {
            int told = 0;
            for (int row = 0; row < 2; ++row)
                if (model.index(row, column)
                        .data(Qt::ToolTipRole)
                        .toString()
                        .endsWith("\nThe correlator sparse is expected to take 20 % of the time"))
                    ++told;
            QCOMPARE(told, 1);
        }
    }

    void aSharedRunNamesAllItsDevices() {
        RunTableModel model;
        Run shared = *run("gram", 100, false);
        for (const auto& [label, share] : {std::pair("Left", 0.75), std::pair("Right", 0.25)}) {
            ks::DeviceShare one;
            one.label = label;
            one.share = share;
            shared.devices.push_back(one);
        }
        model.addRun(std::make_shared<const Run>(shared), true);
        QCOMPARE(cell(model, 0, RunTableModel::DeviceColumn), QString("2 devices"));
        for (const int column : {int(RunTableModel::DeviceColumn), int(RunTableModel::DataColumn)}) {
            const QString tip = model.index(0, column).data(Qt::ToolTipRole).toString();
            QVERIFY2(tip.contains("Left (75 %") && tip.contains("Right (25 %"), qPrintable(tip));
        }
    }

    void runsOfATextWithWrongAccessesAreWrongWhateverTheirValues() {
        TextFaults faults;
        RunTableModel model;
        model.setTextFaults(faults);
        const auto runText = [&](const std::string& text) {
            Run made = *run("user.same", 10, false);
            made.variant.user_file = "same.cl";
            made.request.kernel_source = text;
            made.verdict.state = ks::Verdict::State::pass;
            made.verdict.text = "20 values agree";
            return model.addRun(std::make_shared<const Run>(made), true);
        };
        const auto check = [&](int number) {
            return cell(model, model.rowCount() - number, RunTableModel::VerdictColumn);
        };
        const int faulty = runText("kernel 1"), other = runText("kernel 2");
        QCOMPARE(check(faulty), QString("pass"));
        model.setTicked(faulty, true);
        QSignalSpy ticked(&model, &RunTableModel::tickedChanged);
        const std::string mark = cell(model, 1, RunTableModel::VariantColumn).right(6).toStdString();
        faults.put("other", mark, {"data races"});
        faults.put("xpcs", mark, {});
        QVERIFY(ticked.isEmpty() && check(faulty) == "pass");
        faults.put("xpcs", mark, {"data races"});
        QCOMPARE(check(faulty), QString("fail"));
        QCOMPARE(check(other), QString("pass"));
        QCOMPARE(ticked.size(), 1);
        const QString tip = model.index(1, RunTableModel::VerdictColumn).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("the access check of this text found data races; values: 20 values agree"),
                 qPrintable(tip));
        // Runs and checks to come.
        const int later = runText("kernel 1");
        QCOMPARE(check(later), QString("fail"));
        ks::Verdict full;
        full.state = ks::Verdict::State::pass;
        model.setVerdict(later, full);
        QCOMPARE(check(later), QString("fail"));
        model.setVerdict(other, full);
        QCOMPARE(check(other), QString("pass"));
        QCOMPARE(cell(model, 0, RunTableModel::ErrorColumn), QString("accesses"));
        // A later start knows it from a run that comes back.
        TextFaults laterFaults;
        RunTableModel next;
        next.setTextFaults(laterFaults);
        next.bringBack(model.find(faulty)->run, 1, true);
        Run again = *model.find(faulty)->run;
        again.verdict = full;
        next.addRun(std::make_shared<const Run>(again), true);
        QCOMPARE(cell(next, 0, RunTableModel::VerdictColumn), QString("fail"));
    }

    void aPreviewOfAKernelThatIsKnownToBeWrongIsWrong() {
        TextFaults faults;
        RunTableModel model;
        model.setTextFaults(faults);
        const auto made = [](const std::string& text, const std::string& width) {
            auto one = std::make_shared<Run>(*run("user.same", 10, false));
            one->variant.user_file = "same.cl";
            one->request.kernel_source = text;
            one->request.defines["WIDTH"] = width;
            return one;
        };
        const auto isWrongNow = [&](const std::shared_ptr<const Run>& preview) {
            const std::shared_ptr<const Run> judged = model.judgedPreview(preview);
            return isWrong({.number = 0, .run = judged});
        };
        const auto preview = made("kernel 1", "4");
        preview->request.parameters["max_delay"] = std::int64_t{3};  // as a hand moves it
        QVERIFY(!model.judgedPreview(nullptr));
        QVERIFY(!isWrongNow(preview));
        const int number = model.addRun(made("kernel 1", "4"), true);
        QVERIFY(!isWrongNow(preview));
        ks::Verdict wrong;
        wrong.state = ks::Verdict::State::fail;
        wrong.text = "fail: g2 differs";
        model.setVerdict(number, wrong);
        QVERIFY(isWrongNow(preview));
        const RunRow shown{.number = 0, .run = model.judgedPreview(preview)};
        QCOMPARE(runLabel(shown), QString("preview (wrong)"));
        QCOMPARE(QString::fromStdString(shown.run->verdict.text),
                 QString("run 1 of the same kernel is wrong: g2 differs"));
        // Another text and other definitions are other kernels, and so are those of another variant.
        QVERIFY(!isWrongNow(made("kernel 2", "4")));
        QVERIFY(!isWrongNow(made("kernel 1", "8")));
        const auto other = made("kernel 1", "4");
        other->variant.id = "user.other";
        QVERIFY(!isWrongNow(other));
        // An access check knows it of a text, whatever its definitions.
        faults.put("xpcs", ks::text_mark("kernel 2"), {"data races"});
        QVERIFY(isWrongNow(made("kernel 2", "8")));
        model.removeRun(number);
        QVERIFY(!isWrongNow(preview));
    }

    void textsOfOneKernelAreToldApartAndThePresentOneIsRecognised() {
        RunTableModel model;
        std::string now = "kernel 1";
        model.setFormerText([&now](const Run& one) { return one.request.kernel_source != now; });
        const auto runText = [&](const std::string& text) {
            Run made = *run("user.same", 10, false);
            made.variant.user_file = "same.cl";
            made.request.kernel_source = text;
            model.addRun(std::make_shared<const Run>(made), true);
        };
        runText("kernel 1");
        const QString first = cell(model, 0, RunTableModel::VariantColumn);
        const QRegularExpression present("^user\\.same, text ([0-9a-f]{6})$");
        QVERIFY2(present.match(first).hasMatch(), qPrintable(first));
        now = "kernel 2";
        runText("kernel 2");
        const QString second = cell(model, 0, RunTableModel::VariantColumn);
        QVERIFY2(present.match(second).hasMatch() && second != first, qPrintable(second));
        QCOMPARE(cell(model, 1, RunTableModel::VariantColumn),
                 "user.same, former text " + present.match(first).captured(1));
        const QString tip = model.index(1, RunTableModel::VariantColumn).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("The text of this kernel has changed since this run"), qPrintable(tip));
        now = "kernel 1";
        QSignalSpy changed(&model, &RunTableModel::dataChanged);
        model.lookAtTexts();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(cell(model, 1, RunTableModel::VariantColumn), first);
    }

    void keepsTheRulesOfItemModels() {
        RunTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const int first = model.addRun(run("seed.naive", 100, true), true);
        model.addRun(run("gram", 10, false), false);
        model.setVerdict(first, {});
        model.setTicked(first, false);
        model.setChecking(first, true);
        model.setAnalysis("spots");
        model.setAnalysis("xpcs");
        model.setFile("other.h5");
        QVERIFY(model.setData(model.index(0, 0), Qt::Checked, Qt::CheckStateRole));
        model.removeRun(first);
        QCOMPARE(model.rowCount(), 1);
        // One that was kept goes to the place of its number.
        model.addRun(run("later", 10, false), true);
        QCOMPARE(model.bringBack(run("kept", 10, false), first, true), first);
        QCOMPARE(cell(model, 2, RunTableModel::VariantColumn), QString("kept"));
        for (const int number : {3, 2, 1}) model.removeRun(number);
        QCOMPARE(model.rowCount(), 0);
        model.setAnalysis("spots");
        model.setFile({});
    }

    void newestRunIsFirstAndNumbersStay() {
        RunTableModel model;
        model.addRun(run("one", 1, false), true);
        const int second = model.addRun(run("two", 1, false), true);
        QCOMPARE(cell(model, 0, RunTableModel::VariantColumn), QString("two"));
        model.removeRun(second);
        QCOMPARE(model.addRun(run("three", 1, false), true), 3);
    }

    void speedUpCountsFromTheBaselineOnTheSameInputs() {
        RunTableModel model;
        model.addRun(run("gram", 20'000'000, false), true);
        QCOMPARE(cell(model, 0, RunTableModel::SpeedUpColumn), QString::fromUtf8("–"));
        model.addRun(run("seed", 900'000'000, true, "other.h5"), false);
        QCOMPARE(cell(model, 1, RunTableModel::SpeedUpColumn), QString::fromUtf8("–"));
        model.addRun(run("seed", 900'000'000, true), false);
        QCOMPARE(cell(model, 2, RunTableModel::SpeedUpColumn), QString::fromUtf8("45 ×"));
        const auto tip = [&](int row) {
            return model.index(row, RunTableModel::SpeedUpColumn).data(Qt::ToolTipRole).toString();
        };
        QVERIFY2(tip(2).contains("run 3 (seed)"), qPrintable(tip(2)));
        QCOMPARE(cell(model, 0, RunTableModel::SpeedUpColumn), QString::fromUtf8("1 ×"));
    }

    void theBaselineWithAnotherSourceIsNoBaseline() {
        RunTableModel model;
        Run other = *run("seed", 900'000'000, true);
        other.request.kernel_source = "kernel void add() {}";
        model.addRun(std::make_shared<const Run>(other), false);
        QCOMPARE(cell(model, 0, RunTableModel::SpeedUpColumn), QString::fromUtf8("–"));
        model.addRun(run("gram", 20'000'000, false), true);
        QCOMPARE(cell(model, 0, RunTableModel::SpeedUpColumn), QString::fromUtf8("–"));
        model.addRun(run("seed", 100'000'000, true), false);
        QCOMPARE(cell(model, 1, RunTableModel::SpeedUpColumn), QString::fromUtf8("5 ×"));
        const QString tip = model.index(1, RunTableModel::SpeedUpColumn).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("run 3 (seed)"), qPrintable(tip));
    }

    void repeatsOfTheBaselineCountByTheirMedian() {
        RunTableModel model;
        for (const std::uint64_t ms : {30, 900, 20}) model.addRun(run("seed", ms * 1'000'000, true), false);
        model.addRun(run("gram", 10'000'000, false), false);
        QCOMPARE(cell(model, 0, RunTableModel::SpeedUpColumn), QString::fromUtf8("3 ×"));
        const auto tip = [&] {
            return model.index(0, RunTableModel::SpeedUpColumn).data(Qt::ToolTipRole).toString();
        };
        QVERIFY2(tip().contains("Median compute time of runs 1, 2, 3 (seed)"), qPrintable(tip()));
        // On another device, the newest counts alone.
        Run elsewhere = *run("seed", 50'000'000, true);
        elsewhere.device.name = "GPU";
        model.addRun(std::make_shared<const Run>(elsewhere), false);
        QCOMPARE(cell(model, 1, RunTableModel::SpeedUpColumn), QString::fromUtf8("5 ×"));
    }

    void aBaselineWithDefinitionsIsNoBaseline() {
        RunTableModel model;
        model.addRun(run("seed", 80'000'000, true), false);
        model.addRun(run("gram", 10'000'000, false), false);
        Run small = *run("seed", 400'000'000, true);
        small.request.defines["TARGETS"] = "1";
        model.addRun(std::make_shared<const Run>(small), false);
        const auto text = [&](int number) {
            return cell(model, model.rowCount() - number, RunTableModel::SpeedUpColumn);
        };
        QCOMPARE(text(2), QString::fromUtf8("8 ×"));
        QCOMPARE(text(3), QString::fromUtf8("0.2 ×"));
        model.removeRun(1);
        QCOMPARE(cell(model, 1, RunTableModel::SpeedUpColumn), QString::fromUtf8("–"));
    }

    void theFirstRunOfAKernelIsNotCompared() {
        RunTableModel model;
        const auto of = [](const char* id, std::uint64_t ms, bool baseline, const char* cache) {
            Run made = *run(id, ms * 1'000'000, baseline);
            made.builds.push_back({});
            made.builds.back().cache = cache;
            return std::make_shared<const Run>(made);
        };
        model.addRun(of("seed", 80, true, "built"), false);
        model.addRun(of("gram", 40, false, "disk"), false);
        model.addRun(of("gram", 10, false, "memory"), false);
        const auto text = [&](int row) { return cell(model, row, RunTableModel::SpeedUpColumn); };
        const auto tip = [&](int row) {
            return model.index(row, RunTableModel::SpeedUpColumn).data(Qt::ToolTipRole).toString();
        };
        QCOMPARE(text(2), QString::fromUtf8("1 ×"));  // with itself
        // One run each: the 80 ms and the 40 ms may be the time that the driver took to load them.
        QCOMPARE(text(1), QString::fromUtf8("–"));
        QVERIFY2(tip(1).contains("this run and run 1 of the baseline, seed, are the first of their kernels. "
                                 "Run both variants again"),
                 qPrintable(tip(1)));
        QCOMPARE(text(0), QString::fromUtf8("–"));
        QVERIFY2(tip(0).contains("run 1 of the baseline, seed, is the first"), qPrintable(tip(0)));
        model.addRun(of("seed", 20, true, "memory"), false);
        QCOMPARE(text(1), QString::fromUtf8("2 ×"));
        QVERIFY2(tip(1).contains("run 4 (seed)"), qPrintable(tip(1)));
        model.addRun(of("map", 5, false, "built"), false);
        QCOMPARE(text(0), QString::fromUtf8("–"));
        model.removeRun(1);
        QCOMPARE(text(0), QString::fromUtf8("–"));
        QVERIFY2(tip(0).contains("this run is the first"), qPrintable(tip(0)));
    }

    void aRunThatRecordsIsNotComparedWithOneThatDoesNot() {
        RunTableModel model;
        model.setRegistry(std::make_shared<const ks::Registry>());
        const auto of = [](const char* id, std::uint64_t ms, bool baseline, bool records) {
            Run made = *run(id, ms * 1'000'000, baseline);
            made.request.analysis = "clusters";
            if (records) made.request.parameters["record"] = std::int64_t{3};
            return std::make_shared<const Run>(made);
        };
        model.addRun(of("seed", 40, true, true), false);
        model.addRun(of("map", 10, false, false), false);
        const auto text = [&](int row) { return cell(model, row, RunTableModel::SpeedUpColumn); };
        QCOMPARE(text(0), QString::fromUtf8("–"));
        const QString tip = model.index(0, RunTableModel::SpeedUpColumn).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("Record module"), qPrintable(tip));
        QCOMPARE(text(1), QString::fromUtf8("1 ×"));
        model.addRun(of("seed", 30, true, false), false);
        QCOMPARE(text(1), QString::fromUtf8("3 ×"));
        QCOMPARE(text(2), QString::fromUtf8("1 ×"));
    }

    void aWrongOrOtherResultHasNoSpeedUp() {
        RunTableModel model;
        const auto of = [](const char* id, bool baseline, const char* dataset) {
            Run made = *run(id, 10'000'000, baseline);
            made.result.datasets.push_back({});
            made.result.datasets.back().name = dataset;
            return std::make_shared<const Run>(made);
        };
        model.addRun(of("seed", true, "sum"), false);
        const int good = model.addRun(of("gram", false, "sum"), false);
        model.addRun(of("race", false, "counts"), false);
        const auto text = [&](int row) { return cell(model, row, RunTableModel::SpeedUpColumn); };
        const auto tip = [&](int row) {
            return model.index(row, RunTableModel::SpeedUpColumn).data(Qt::ToolTipRole).toString();
        };
        QCOMPARE(text(0), QString::fromUtf8("–"));
        QVERIFY2(tip(0).contains("of the baseline, seed, have no dataset"), qPrintable(tip(0)));
        QCOMPARE(text(1), QString::fromUtf8("1 ×"));
        ks::Verdict wrong;
        wrong.state = ks::Verdict::State::fail;
        model.setVerdict(good, wrong);
        QCOMPARE(text(1), QString::fromUtf8("–"));
        QVERIFY2(tip(1).contains("of this run is wrong"), qPrintable(tip(1)));
    }

    void aVerdictReplacesTheRunAndLeavesTheOldOneAlone() {
        RunTableModel model;
        const auto original = run("gram", 10, false);
        const int number = model.addRun(original, true);
        QCOMPARE(cell(model, 0, RunTableModel::VerdictColumn), QString("unchecked"));
        ks::Verdict verdict;
        verdict.state = ks::Verdict::State::fail;
        verdict.worst_error = 0.25;
        verdict.tolerance = 1e-6;
        verdict.where = "g2, bin 4, delay 37";
        model.setVerdict(number, verdict);
        QCOMPARE(cell(model, 0, RunTableModel::VerdictColumn), QString("fail"));
        QCOMPARE(cell(model, 0, RunTableModel::ErrorColumn), QString("2.5e-01"));
        QVERIFY(model.index(0, RunTableModel::VerdictColumn)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains("bin 4, delay 37"));
        QVERIFY(original->verdict.state == ks::Verdict::State::unchecked);
    }

    void anErrorIsANumberOnlyWhereTheCheckAllowsErrors() {
        ks::Verdict verdict;
        QCOMPARE(errorText(verdict), QString::fromUtf8("\u2013"));
        verdict.state = ks::Verdict::State::fail;
        QCOMPARE(errorText(verdict), QString("differs"));
        verdict.worst_error = 6e-8;
        QCOMPARE(errorText(verdict), QString("differs"));
        verdict.tolerance = 1e-9;
        QCOMPARE(errorText(verdict), QString("6.0e-08"));
        // Within the tolerance, so something else is wrong.
        verdict.tolerance = 1e-6;
        QCOMPARE(errorText(verdict), QString("differs"));
        verdict.state = ks::Verdict::State::sampled;
        QCOMPARE(errorText(verdict), QString("6.0e-08"));
        verdict = {};
        verdict.state = ks::Verdict::State::pass;
        QCOMPARE(errorText(verdict), QString("0"));
    }

    void aRunWhoseCheckFailsIsSaidToBeWrongInWords() {
        RunTableModel model;
        const int right = model.addRun(run("gram", 10, false), true);
        const int wrong = model.addRun(run("mine", 5, false), false);
        QSignalSpy ticked(&model, &RunTableModel::tickedChanged);
        ks::Verdict verdict;
        verdict.state = ks::Verdict::State::pass;
        model.setVerdict(right, verdict);
        QCOMPARE(ticked.count(), 0);
        verdict.state = ks::Verdict::State::fail;
        verdict.text = "3 values differ";
        model.setVerdict(wrong, verdict);
        // Who draws it names it otherwise now; it stays ticked.
        QCOMPARE(ticked.count(), 1);
        QCOMPARE(cell(model, 0, RunTableModel::VariantColumn), QString("wrong: mine"));
        QCOMPARE(cell(model, 1, RunTableModel::VariantColumn), QString("gram"));
        QVERIFY(model.index(0, RunTableModel::VariantColumn)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains("3 values differ"));
        QCOMPARE(model.rows()[0].ticked && model.rows()[1].ticked, true);
        QCOMPARE(ks::ui::runLabel(*model.find(wrong)), QString("run 2 (wrong)"));
        QCOMPARE(ks::ui::runLabel(*model.find(right)), QString("run 1"));
        // Once its check passes it is as any other.
        verdict.state = ks::Verdict::State::sampled;
        model.setVerdict(wrong, verdict);
        QCOMPARE(ticked.count(), 2);
        QCOMPARE(cell(model, 0, RunTableModel::VariantColumn), QString("mine"));
    }

    void binsInEachOfTwoFilesAreNotCalledOtherBins() {
        RunTableModel model;
        model.setRegistry(std::make_shared<const ks::Registry>());
        const auto add = [&](const std::string& data, const std::string& bins) {
            Run made = *asked(8, bins, {});
            made.request.inputs["frames"] = {data, {}};
            made.files = {{.file = data, .bytes = 1, .hash = data}};
            model.addRun(std::make_shared<const Run>(made), true);
        };
        add("a.h5", "a.h5::/entry/qmask");
        add("b.h5", "b.h5::/entry/qmask");
        model.setFile("b.h5");
        QCOMPARE(cell(model, 1, RunTableModel::SetupColumn), QString("8 bins"));
        add("b.h5", "b.h5::/entry/other");
        QCOMPARE(cell(model, 2, RunTableModel::SetupColumn), QString("other bins: 8 bins"));
    }

    void binsAreComparedByTheirLabelsWhereTheFileWasReplaced() {
        RunTableModel model;
        model.setRegistry(std::make_shared<const ks::Registry>());
        const auto add = [&](const std::string& hash, const std::vector<std::int32_t>& labels) {
            Run made = *asked(2, "rings:10,10,0,4,2", {});
            made.request.inputs["frames"] = {"a.h5", {}};
            made.request.inputs["mask"] = {"mask.npy", {}};
            made.files = {{.file = "a.h5", .bytes = 1, .hash = hash}};
            ks::Dataset& inBins = made.result.datasets.emplace_back();
            inBins.name = "labels";
            inBins.values = ks::Array::of({2, 2}, labels);
            model.addRun(std::make_shared<const Run>(made), true);
        };
        add("then", {1, 2, 0, 2});
        add("now", {1, 2, 0, 2});
        QCOMPARE(cell(model, 1, RunTableModel::SetupColumn), QString("2 rings"));
        // With another centre in the file, the same rings are other bins.
        add("later", {2, 1, 0, 2});
        QCOMPARE(cell(model, 1, RunTableModel::SetupColumn), QString("other bins: 2 rings"));
        QCOMPARE(cell(model, 2, RunTableModel::SetupColumn), QString("other bins: 2 rings"));
    }

    void aRunSaysWhatItWasAskedFor() {
        RunTableModel model;
        model.setRegistry(std::make_shared<const ks::Registry>());
        model.addRun(asked(8, "rings:10,10,2,3,8", {{"max_delay", std::int64_t{100}}}), true);
        model.addRun(asked(15, "labels.h5", {}), true);
        QCOMPARE(cell(model, 1, RunTableModel::SetupColumn), QString("other bins: 8 rings"));
        QCOMPARE(cell(model, 1, RunTableModel::ChangedColumn), QString("Maximum delay = 100 frames"));
        QCOMPARE(cell(model, 0, RunTableModel::SetupColumn), QString("15 bins"));
        QCOMPARE(cell(model, 0, RunTableModel::ChangedColumn), QString());
        const QString tip = model.index(1, RunTableModel::SetupColumn).data(Qt::ToolTipRole).toString();
        for (const char* part :
             {"Run 1", "xpcs", "PoCL", "a.h5", "rings:10,10,2,3,8", "Maximum delay = 100 frames"})
            QVERIFY2(tip.contains(part), qPrintable(tip));
    }

    void aListOfFramesIsNoNumberOfThem() {
        RunTableModel model;
        model.setRegistry(std::make_shared<const ks::Registry>());
        const auto changed = [&model](const std::string& frames) {
            model.addRun(asked(8, "rings:10,10,2,3,8", {{"leave_out", frames}}), true);
            const QString said = cell(model, 0, RunTableModel::ChangedColumn),
                          tip = model.index(0, RunTableModel::SetupColumn).data(Qt::ToolTipRole).toString();
            return tip.contains(said) ? said : tip;
        };
        QCOMPARE(changed("2"), QString("Leave out = frame 2"));
        QCOMPARE(changed("10-19,55"), QString("Leave out = frames 10-19,55"));
        QCOMPARE(changed("auto"), QString("Leave out = auto"));
        QCOMPARE(changed("auto,2"), QString("Leave out = auto,2"));
    }

    void aRunSaysWhenItWasMade() {
        RunTableModel model;
        Run today = *run("gram", 1, false), before = today;
        const QDateTime now = QDateTime::currentDateTime();
        today.started = now.toUTC().toString(Qt::ISODate).toStdString();
        before.started = "2020-02-29T12:00:00Z";
        model.addRun(std::make_shared<const Run>(before), true);
        model.addRun(std::make_shared<const Run>(today), true);
        QCOMPARE(cell(model, 0, RunTableModel::TimeColumn), now.toString("HH:mm:ss"));
        QVERIFY(cell(model, 1, RunTableModel::TimeColumn).startsWith("2020-02-"));
    }

    void runsOfOtherBinsAreGreyUntilTheyAreTheOnesThatAreLookedAt() {
        RunTableModel model;
        model.setRegistry(std::make_shared<const ks::Registry>());
        const int rings = model.addRun(asked(8, "rings:10,10,2,3,8", {}), true);
        model.addRun(asked(15, "labels.h5", {}), true);
        const auto grey = [&](int row) {
            return model.index(row, RunTableModel::VariantColumn).data(Qt::ForegroundRole).isValid();
        };
        QVERIFY(grey(1) && !grey(0));
        model.tickOnly({rings});
        QVERIFY(!grey(1) && grey(0));
        model.setFile("/elsewhere/b.h5");
        QVERIFY(grey(1) && grey(0));
        QVERIFY2(cell(model, 1, RunTableModel::DataColumn).startsWith("of a.h5"),
                 qPrintable(cell(model, 1, RunTableModel::DataColumn)));
    }

    void filesOfOneNameInTwoFoldersAreToldApart() {
        RunTableModel model;
        model.addRun(run("one", 1, false, "/data/a/scan.h5"), true);
        QCOMPARE(cell(model, 0, RunTableModel::DataColumn), QString("scan.h5"));
        model.addRun(run("two", 1, false, "/data/b/scan.h5"), true);
        QCOMPARE(cell(model, 1, RunTableModel::DataColumn), QString("a/scan.h5"));
        QCOMPARE(cell(model, 0, RunTableModel::DataColumn), QString("b/scan.h5"));
        model.removeRun(2);
        QCOMPARE(cell(model, 0, RunTableModel::DataColumn), QString("scan.h5"));
        // The open file has no run yet.
        model.setFile("/data/b/scan.h5");
        QCOMPARE(cell(model, 0, RunTableModel::DataColumn), QString("of a/scan.h5"));
    }

    void theShownRunIsTheNewestTickedOneOfTheOpenFile() {
        RunTableModel model;
        const auto shown = [&model] {
            const auto* const row = model.shownRun("xpcs");
            return row ? row->number : 0;
        };
        QCOMPARE(shown(), 0);
        model.addRun(run("first", 1, false, "/data/a.h5"), false);
        model.addRun(run("second", 1, false, "/data/a.h5"), false);
        model.addRun(run("third", 1, false, "/data/b.h5"), false);
        QCOMPARE(shown(), 3);
        model.setFile("/data/a.h5");
        QCOMPARE(shown(), 2);
        model.setTicked(2, false);
        QCOMPARE(shown(), 1);
        model.setTicked(1, false);
        QCOMPARE(shown(), 3);
        model.setFile("/data/c.h5");
        QCOMPARE(shown(), 3);
        model.setTicked(3, false);
        QCOMPARE(shown(), 0);
    }

    void ofTheOpenFileARunOfItsPresentContentsIsShown() {
        RunTableModel model;
        const auto add = [&model](const std::string& hash) {
            Run made = *run("one", 1, false, "/data/a.h5");
            made.files = {{"/data/a.h5", 10, 7, hash}};
            return model.addRun(std::make_shared<const Run>(made), false);
        };
        const int now = add("now"), former = add("former");
        model.setFile("/data/a.h5", {"/data/a.h5", 10, 7, "now"});
        QCOMPARE(model.shownRun("xpcs")->number, now);
        model.setTicked(now, false);
        QCOMPARE(model.shownRun("xpcs")->number, former);
    }

    void aDamagedSavedRunStillHasARow() {
        RunTableModel model;
        model.setRegistry(std::make_shared<const ks::Registry>());
        Run odd = *asked(8, "rings:1", {{"max_delay", std::string("soon")}});
        odd.result.facts["bins"] = "many";
        model.addRun(std::make_shared<const Run>(odd), true);
        QCOMPARE(cell(model, 0, RunTableModel::VariantColumn), QString("gram"));
    }

    void runsWithOtherMasksSaySo() {
        const auto masked = [](const std::vector<std::uint32_t>& drawn, int pixels) {
            Run made = *asked(8, "rings:1", {});
            if (!drawn.empty())
                made.request.inputs["mask"] = {"mask of the window",
                                               ks::Array::of<std::uint32_t>({drawn.size() / 2, 2}, drawn)};
            made.result.facts["masked_pixels"] = pixels;
            return std::make_shared<const Run>(made);
        };
        RunTableModel model;
        model.setRegistry(std::make_shared<const ks::Registry>());
        const auto setups = [&model] {
            QStringList cells;
            for (int row = 0; row < model.rowCount(); ++row)
                cells << cell(model, row, RunTableModel::SetupColumn).section(':', 0, 0);
            return cells;
        };
        const QString same = "8 rings", other = "other mask";
        model.addRun(masked({5, 4}, 4), true);
        model.addRun(masked({}, 2), true);       // fewer pixels
        model.addRun(masked({50, 4}, 4), true);  // as many at another place
        model.addRun(masked({5, 4}, 4), true);
        QCOMPARE(setups(), (QStringList{same, other, other, same}));
        const QString tip = model.index(1, RunTableModel::NumberColumn).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("Not the same mask as in the newest ticked run"), qPrintable(tip));
        // The same pixels by the mask of the file.
        model.addRun(masked({}, 4), true);
        QCOMPARE(setups(), (QStringList{same, same, other, other, same}));
    }

    void aMapThatIsAddedChangesWhatTheRunSaysOfItself() {
        RunTableModel model;
        model.setRegistry(std::make_shared<const ks::Registry>());
        const int number = model.addRun(asked(8, "rings:1", {{"two_time_bin", std::int64_t{1}}}), true);
        QCOMPARE(cell(model, 0, RunTableModel::ChangedColumn), QString("Two-time bin = 1"));
        model.replaceRun(number, asked(8, "rings:1", {{"two_time_bin", std::int64_t{2}}}));
        QCOMPARE(cell(model, 0, RunTableModel::ChangedColumn), QString("Two-time bin = 2"));
    }

    void ticksTellWhichRunsAreCompared() {
        RunTableModel model;
        const int first = model.addRun(run("one", 1, false), true);
        model.addRun(run("two", 1, false), true);
        QCOMPARE(model.ticked().size(), std::size_t{1});
        QSignalSpy changed(&model, &RunTableModel::tickedChanged);
        model.setTicked(first, true);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(model.ticked().size(), std::size_t{2});
        QCOMPARE(model.ticked().back().number, first);
    }
};

QTEST_APPLESS_MAIN(RunTableModelTest)
#include "tst_run_table_model.moc"
