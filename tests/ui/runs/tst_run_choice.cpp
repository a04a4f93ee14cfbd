#include <QTest>
#include <memory>
#include <string>
#include <vector>

#include "ui/runs/run_choice.h"

namespace ks::ui::run_choice_test {

/// Of the file `name`.
std::shared_ptr<const Run> runOf(const std::string& name) {
    auto made = std::make_shared<Run>();
    made->request.inputs["frames"] = {name, {}};
    return made;
}

std::vector<int> numbers(const std::vector<RunRow>& rows) {
    std::vector<int> all;
    for (const RunRow& row : rows) all.push_back(row.number);
    return all;
}

class RunChoiceTest : public QObject {
    Q_OBJECT
    std::string file_ = "a.h5";

    RunChoice choice() {
        return RunChoice([this](const Run& run) { return run.request.inputs.at("frames").name == file_; });
    }

  private slots:
    void runsOfOtherDataAreTickedButNotShown() {
        RunChoice runs = choice();
        runs.setTicked({{7, runOf("b.h5"), true}, {4, runOf("a.h5"), true}, {2, runOf("a.h5"), true}});
        QCOMPARE(numbers(runs.ticked()), (std::vector<int>{7, 4, 2}));
        QCOMPARE(numbers(runs.ofData()), (std::vector<int>{4, 2}));
        QCOMPARE(numbers(runs.shown()), (std::vector<int>{4, 2}));
        file_ = "b.h5";  // another file is opened
        QCOMPARE(numbers(runs.shown()), std::vector<int>{7});
        file_ = "a.h5";
    }

    void aPreviewStandsBeforeTheRuns() {
        RunChoice runs = choice();
        runs.setTicked({{4, runOf("a.h5"), true}});
        QVERIFY(!runs.setPreview(nullptr));  // there was none
        const auto preview = runOf("a.h5");
        QVERIFY(runs.setPreview(preview));
        QCOMPARE(numbers(runs.shown()), (std::vector<int>{0, 4}));
        QCOMPARE(runs.shown().front().run, preview);
        QCOMPARE(numbers(runs.ofData()), std::vector<int>{4});
        QVERIFY(runs.setPreview(runOf("b.h5")));  // it came after another file
        QCOMPARE(numbers(runs.shown()), std::vector<int>{4});
        QVERIFY(runs.setPreview(nullptr));
        QVERIFY(!runs.setPreview(nullptr));
    }

    void aNewerRunIsTold() {
        RunChoice runs = choice();
        QVERIFY(!runs.setTicked({}));
        QVERIFY(runs.setTicked({{4, runOf("a.h5"), true}}));
        QVERIFY(!runs.setTicked({{4, runOf("a.h5"), true}, {2, runOf("a.h5"), true}}));
        QVERIFY(!runs.setTicked({{2, runOf("a.h5"), true}}));  // the newest was unticked
        QVERIFY(runs.setTicked({{5, runOf("a.h5"), true}, {2, runOf("a.h5"), true}}));
    }

    void aCheckedRunTakesThePlaceOfItsNumber() {
        RunChoice runs = choice();
        runs.setTicked({{4, runOf("a.h5"), true}, {2, runOf("a.h5"), true}});
        const auto checked = runOf("a.h5");
        runs.replace({2, checked, true});
        QCOMPARE(numbers(runs.ticked()), (std::vector<int>{4, 2}));
        QCOMPARE(runs.ticked().back().run, checked);
        runs.replace({9, checked, true});  // not ticked
        QCOMPARE(numbers(runs.ticked()), (std::vector<int>{4, 2}));
    }
};

}  // namespace ks::ui::run_choice_test

using ks::ui::run_choice_test::RunChoiceTest;
QTEST_MAIN(RunChoiceTest)
#include "tst_run_choice.moc"
