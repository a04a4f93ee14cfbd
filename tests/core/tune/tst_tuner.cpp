// The tuner on a device whose kernel takes as long as a made table says.

#include "core/tune/tuner.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/base/error.h"
#include "core/run/errors/wrong_result.h"
#include "core/tune/tune_file.h"
#include "tests/core/run/fake_analysis.h"
#include "tests/core/run/own_cache.h"

namespace {

using namespace ks;

/// 100 us by default; 80 us with TILE=32, and less with more rows, but 4 (does not run), 8 (wrong) and 16 (no
/// result can be made of its values).
class TimedDevices : public fake::Devices {
  public:
    explicit TimedDevices(std::shared_ptr<fake::Counts> counts) : Devices(counts), counts_(counts) {}

    void execute(const Problem& problem, Run& run, Progress&) override {
        ++counts_->executions;
        Defines defines{{"TILE", "16"}, {"ROWS", "1"}};
        for (const auto& [name, value] : run.tuned) defines[name] = value;
        for (const auto& [name, value] : run.request.defines) defines[name] = value;
        const int rows = std::stoi(defines.at("ROWS"));
        if (rows == 4) throw Error(ErrorKind::build, "the kernel does not build", "made");
        if (rows == 16) throw WrongResult("the sum is beyond all sums", "sum");
        run.result = fake::sum_result(problem, run.request, rows == 8 ? 1 : 0);
        // what a machine adds, the same for all in a round
        const std::uint64_t drift = 1000 * (counts_->executions % 7);
        const std::uint64_t kernel =
            (defines.at("TILE") == "32" ? 80'000 : 100'000) - 5'000 * (rows - 1) + drift;
        add(run.timings, {.stage = "sum", .kind = StageKind::kernel, .nanoseconds = kernel});
        BuildLog build;
        build.source_file = run.variant.source_file;
        build.text_hash = "0123";
        for (const auto& [name, value] : defines) build.options += " -D" + name + "=" + value;
        BuildLog other{"shared.cl", " -DTILE=99", {}, true, "built", "4567"};  // a size of the same name
        run.builds = {other, build};
    }

  private:
    std::shared_ptr<fake::Counts> counts_;
};

Engine timed_engine(const std::shared_ptr<fake::Counts>& counts) {
    std::vector<Analysis> analyses;
    analyses.emplace_back(fake::sums(counts));
    auto registry = std::make_shared<const Registry>(std::move(analyses), fake::host_variants(counts));
    std::vector<std::unique_ptr<Backend>> backends;
    backends.push_back(std::make_unique<HostBackend>(registry->host_variants()));
    backends.push_back(std::make_unique<TimedDevices>(counts));
    return Engine(std::move(registry), std::move(backends));
}

TunePlan plan_of(std::vector<std::string> rows) {
    TunePlan plan;
    plan.analysis = "sums";
    plan.variant = "plain";
    plan.device = "0";
    plan.sizes = {{"count", std::int64_t{4}}, {"copies", std::int64_t{1}}};
    plan.space = {{"ROWS", std::move(rows)}};
    plan.repeats = 12;
    return plan;
}

class TunerTest : public ::testing::Test {
  protected:
    ks::tests::OwnCache cache, data{"KERNELSCOPE_DATA"};
    std::shared_ptr<fake::Counts> counts = std::make_shared<fake::Counts>();
    Engine engine = timed_engine(counts);
    Progress quiet;
};

TEST_F(TunerTest, values_of_which_no_result_can_be_made_are_wrong) {
    const TuneReport report = run_tune(engine, plan_of({"1", "4", "16"}), {}, quiet);
    for (const TuneRow& row : report.rows)
        EXPECT_EQ(row.wrong, row.defines.at("ROWS") == "16") << row.not_timed;
}

TEST_F(TunerTest, finds_the_fastest_that_is_right_and_says_why_others_are_none) {
    const TuneReport report = run_tune(engine, plan_of({"1", "2", "3", "4", "8"}), {}, quiet);
    EXPECT_EQ(report.usual.defines, (Defines{{"ROWS", "1"}, {"TILE", "16"}}));
    EXPECT_EQ(report.valid, 10U);
    EXPECT_EQ(report.rows.size(), 9U);  // the default is a row of its own
    ASSERT_TRUE(report.best);
    EXPECT_EQ(report.rows[*report.best].defines, (Defines{{"ROWS", "3"}, {"TILE", "32"}}));
    EXPECT_TRUE(report.surely_better());
    EXPECT_NEAR(report.ratio.value, 0.7, 0.05);
    EXPECT_EQ(report.usual.samples.size(), 12U);
    EXPECT_EQ(report.rows[*report.best].samples.size(), 12U);
    for (const TuneRow& row : report.rows) {
        const std::string rows = row.defines.at("ROWS");
        EXPECT_EQ(row.not_timed.find("does not build") != std::string::npos, rows == "4") << row.not_timed;
        EXPECT_EQ(row.not_timed.find("wrong") != std::string::npos, rows == "8") << row.not_timed;
        EXPECT_EQ(row.wrong, rows == "8") << row.not_timed;
        EXPECT_EQ(row.cost().has_value(), rows != "4" && rows != "8");
    }
}

TEST_F(TunerTest, too_few_repeats_make_nothing_surely_better) {
    TunePlan plan = plan_of({"3"});
    for (const std::size_t repeats : {1, 2, 3, 5, 7, 8}) {
        plan.repeats = repeats;
        const TuneReport report = run_tune(engine, plan, {}, quiet);
        ASSERT_TRUE(report.best);
        EXPECT_EQ(report.surely_better(), repeats == 8) << repeats;
        EXPECT_EQ(report.runs_needed(), repeats == 8 ? 0U : 8U) << repeats;
    }
}

TEST_F(TunerTest, a_default_that_is_the_best_stays) {
    TunePlan plan = plan_of({"1"});
    plan.space["TILE"] = {"16"};
    const TuneReport alone = run_tune(engine, plan, {}, quiet);
    EXPECT_TRUE(alone.rows.empty());
    EXPECT_FALSE(alone.surely_better());
    plan.space = {{"ROWS", {"-1"}}, {"TILE", {"16"}}};  // 110 us
    const TuneReport slower = run_tune(engine, plan, {}, quiet);
    ASSERT_TRUE(slower.best);
    EXPECT_FALSE(slower.surely_better());
    EXPECT_GT(slower.ratio.value, 1.05);
}

TEST_F(TunerTest, what_was_tried_before_is_not_tried_again) {
    std::vector<TuneReport> told;
    const TunePlan plan = plan_of({"1", "2", "3", "4"});
    const TuneReport all =
        run_tune(engine, plan, {}, quiet, [&](const TuneReport& now) { told.push_back(now); });
    ASSERT_EQ(told.size(), all.rows.size() + 1);
    // As a file would hold it after three configurations.
    const auto before = from_json<TuneReport>(nlohmann::json::parse(to_json(told[2]).dump()), "a tuning");
    ASSERT_EQ(before.rows.size(), 3U);
    std::size_t fresh = 0;
    const TuneReport again = run_tune(engine, plan, before, quiet, [&](const TuneReport&) { ++fresh; });
    EXPECT_EQ(fresh, all.rows.size() - 3 + 1);
    ASSERT_EQ(again.rows.size(), all.rows.size());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(again.rows[i].tried, all.rows[i].tried) << i;
    EXPECT_EQ(again.rows[*again.best].defines, all.rows[*all.best].defines);

    TunePlan other = plan;
    other.sizes["count"] = std::int64_t{5};
    try {
        run_tune(engine, other, before, quiet);
        ADD_FAILURE();
    } catch (const OtherTuning& error) {
        // Also shown by the window, which has no options.
        EXPECT_EQ(std::string(error.what()).find("--"), std::string::npos) << error.what();
    }
    other = plan;
    other.variant = "wrong";
    EXPECT_THROW(run_tune(engine, other, before, quiet), Error);
}

TEST_F(TunerTest, a_file_holds_the_report_with_the_ratio_of_its_samples) {
    const TuneReport report = run_tune(engine, plan_of({"1", "2", "4", "8"}), {}, quiet);
    const std::filesystem::path file = data.path() / "tune.json";
    EXPECT_FALSE(read_tuning(file));
    std::ofstream(file) << tune_json(report);
    const std::optional<TuneReport> read = read_tuning(file);
    ASSERT_TRUE(read);
    EXPECT_EQ(tune_json(*read), tune_json(report));
    EXPECT_EQ(read->ratio.value, report.ratio.value);
    EXPECT_EQ(read->surely_better(), report.surely_better());
    EXPECT_LT(read->ratio.high, 1);
    // One of a version before marks no row as wrong.
    nlohmann::json old = to_json(report);
    for (nlohmann::json& row : old["rows"]) row.erase("wrong");
    for (const TuneRow& row : tune_report_from(old).rows) EXPECT_FALSE(row.wrong);
    old["best"] = 99;
    EXPECT_THROW(tune_report_from(old), Error);
    std::ofstream(file) << "{}";
    EXPECT_THROW(read_tuning(file), Error);
    const auto refused = [&file](const std::string& text) {
        std::ofstream(file) << text;
        try {
            read_tuning(file);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    nlohmann::json negative = nlohmann::json::parse(tune_json(report));
    negative["default"]["samples_ns"][1] = -5.0;
    EXPECT_NE(refused(negative.dump()).find("default.samples_ns[1]: expected a time, at least 0, found -5"),
              std::string::npos);
    EXPECT_NE(refused(tune_json(report).substr(0, 300)).find("damaged: it is cut off after 300 bytes"),
              std::string::npos);
}

TEST_F(TunerTest, one_row_of_the_table_is_forgotten_and_the_others_stay) {
    TunedRow row;
    row.of = {"sums", "plain", "element=u16", 3};
    row.device = "Slow Processor";
    row.defines = {{"TILE", "32"}};
    TunedRow other = row, further = row;
    other.of.size_class = 4;
    further.driver = "2";
    UserTuning table(data.path());
    for (const TunedRow& one : {row, other, further}) table.keep(one);
    EXPECT_TRUE(table.forget(row));
    EXPECT_FALSE(table.forget(row));
    UserTuning again(data.path());
    ASSERT_EQ(again.rows().size(), 2U);
    EXPECT_EQ(again.rows()[0].of.size_class, 4U);
    EXPECT_EQ(again.rows()[1].driver, "2");
}

TEST_F(TunerTest, the_budget_limits_what_is_tried) {
    TunePlan plan = plan_of({"1", "2", "3", "5", "6", "7"});
    plan.method = TuneMethod::random;
    plan.budget = 4;
    const TuneReport report = run_tune(engine, plan, {}, quiet);
    EXPECT_LE(report.rows.size(), 4U);
    EXPECT_GE(report.rows.size(), 3U);  // the default may be one of the four
}

TEST_F(TunerTest, what_is_kept_is_used_and_the_request_comes_before_it) {
    const TuneReport report = run_tune(engine, plan_of({"1", "2", "3"}), {}, quiet);
    ASSERT_TRUE(report.surely_better());
    UserTuning table(data.path());
    table.keep(tuned_row(report, "2026-01-01T00:00:00Z"));

    Request request = fake::request("plain", "0");
    const ks::Run tuned = engine.run(request, quiet);
    EXPECT_EQ(tuned.tuned, (Defines{{"ROWS", "3"}, {"TILE", "32"}}));
    EXPECT_NE(tuned.builds.back().options.find("-DROWS=3 -DTILE=32"), std::string::npos);
    request.defines = {{"TILE", "16"}};
    const ks::Run explicit_one = engine.run(request, quiet);
    EXPECT_EQ(explicit_one.tuned, (Defines{{"ROWS", "3"}}));
    EXPECT_NE(explicit_one.builds.back().options.find("-DROWS=3 -DTILE=16"), std::string::npos);
    request = fake::request("plain", "0");
    request.user_tuned = false;
    EXPECT_TRUE(engine.run(request, quiet).tuned.empty());
    EXPECT_TRUE(engine.run(fake::request("fancy", "1"), quiet).tuned.empty());  // another device
    EXPECT_TRUE(engine.run(fake::request("wrong", "0"), quiet).tuned.empty());  // another variant
    // A later tuning starts from what the program brings, not from what was kept.
    EXPECT_EQ(run_tune(engine, plan_of({"1", "2"}), {}, quiet).usual.defines,
              (Defines{{"ROWS", "1"}, {"TILE", "16"}}));
    EXPECT_EQ(table.forget("sums", "plain"), 1U);
    EXPECT_TRUE(engine.run(fake::request("plain", "0"), quiet).tuned.empty());
}

TEST_F(TunerTest, a_damaged_table_warns_and_stops_no_run) {
    std::ofstream(data.path() / "tuning.json") << R"({"rows": [{"for": 3}]})";
    const ks::Run run = engine.run(fake::request("plain", "0"), quiet);
    ASSERT_EQ(run.result.warnings.size(), 1U);
    EXPECT_NE(run.result.warnings[0].find("damaged"), std::string::npos) << run.result.warnings[0];
    UserTuning table(data.path());
    EXPECT_THROW(table.keep({}), Error);
    EXPECT_THROW(table.forget("sums", ""), Error);
    table.forget("", "");
    EXPECT_TRUE(engine.run(fake::request("plain", "0"), quiet).result.warnings.empty());
}

TEST_F(TunerTest, refuses_what_has_no_kernels) {
    TunePlan plan = plan_of({"1", "2"});
    plan.variant = "host.sum";
    EXPECT_THROW(run_tune(engine, plan, {}, quiet), Error);
    plan.variant = "fancy";  // not on this device
    EXPECT_THROW(run_tune(engine, plan, {}, quiet), Error);
    plan.variant = "none";
    EXPECT_THROW(run_tune(engine, plan, {}, quiet), Error);
}

TEST(UserTuning, sizes_are_of_one_class_up_to_four_times_the_power) {
    EXPECT_EQ(size_class_of(1), 0U);
    EXPECT_EQ(size_class_of(3.9), 0U);
    EXPECT_EQ(size_class_of(4), 1U);
    EXPECT_EQ(size_class_of(1 << 20), 10U);
    EXPECT_EQ(size_class_of((1 << 22) - 1), 10U);
    EXPECT_FALSE(size_class_of(0));
}

TEST(UserTuning, keeps_rows_by_what_they_are_of_and_refuses_newer_files) {
    const ks::tests::OwnCache data("KERNELSCOPE_DATA");
    DeviceInfo device;
    device.name = "Fast";
    device.driver = "1";
    TunedRow row;
    row.of = {"sums", "plain", "element=u8", 3};
    row.device = "Fast";
    row.driver = "1";
    row.defines = {{"TILE", "32"}};
    UserTuning table(data.path());
    table.keep(row);
    row.of.size_class = 4;
    row.defines["TILE"] = "16";
    table.keep(row);
    row.defines["TILE"] = "8";
    table.keep(row);  // in place of the one before
    UserTuning again(data.path());
    EXPECT_EQ(again.rows().size(), 2U);
    EXPECT_EQ(again.find({"sums", "plain", "element=u8", 4}, device)->defines.at("TILE"), "8");
    EXPECT_EQ(again.find({"sums", "plain", "element=u8", 3}, device)->defines.at("TILE"), "32");
    EXPECT_EQ(again.find({"sums", "plain", "element=u16", 3}, device), nullptr);
    device.driver = "2";
    EXPECT_EQ(again.find({"sums", "plain", "element=u8", 3}, device), nullptr);

    std::ofstream(data.path() / "tuning.json") << R"({"format_version": 99, "rows": []})";
    UserTuning newer(data.path());
    EXPECT_NE(newer.why_not_read().find("99"), std::string::npos) << newer.why_not_read();
    EXPECT_EQ(newer.find({"sums", "plain", "element=u8", 4}, device), nullptr);
}

}  // namespace
