#include "core/run/bench_baseline.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "core/base/random.h"

namespace {

using namespace ks;

/// Times about `middle` with a spread of 5 %, and a run in ten that is disturbed.
std::vector<double> times(double middle, std::size_t n, std::uint64_t seed) {
    Random random(seed, 0);
    std::vector<double> list;
    list.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double disturbed = random.uniform() < 0.1 ? 1 + random.uniform() : 1;
        list.push_back(middle * disturbed * (0.975 + 0.05 * random.uniform()));
    }
    return list;
}

TEST(BenchStatistics, TheRatioOfMediansLiesInItsInterval) {
    const RatioInterval ratio = ratio_of_medians(times(100, 31, 1), times(150, 31, 2));
    EXPECT_NEAR(ratio.value, 1.5, 0.05);
    EXPECT_LE(ratio.low, ratio.value);
    EXPECT_GE(ratio.high, ratio.value);
    EXPECT_TRUE(ratio.above(1.2));
    EXPECT_FALSE(ratio.above(1.6));
    EXPECT_FALSE(ratio.below(1));
    EXPECT_TRUE(ratio_of_medians(times(150, 31, 2), times(100, 31, 1)).below(1));
    EXPECT_NE(ratio_of_medians({}, times(1, 3, 1)).value, ratio_of_medians({}, times(1, 3, 1)).value);
}

TEST(BenchStatistics, FewRunsHaveTheWholeRange) {
    const std::vector<double> before{100, 110, 105}, after{120, 130, 125};
    const RatioInterval ratio = ratio_of_medians(before, after);
    EXPECT_DOUBLE_EQ(ratio.value, 125.0 / 105);
    EXPECT_DOUBLE_EQ(ratio.low, 120.0 / 110);
    EXPECT_DOUBLE_EQ(ratio.high, 130.0 / 100);
}

TEST(BenchStatistics, WhatIsTheSameIsSeldomCalledAnother) {
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const RatioInterval ratio = ratio_of_medians(times(100, 15, seed), times(100, 15, 1000 + seed));
        wrong += ratio.above(1) || ratio.below(1) ? 1 : 0;
    }
    EXPECT_LE(wrong, 15) << "of 300";
}

TEST(BenchStatistics, RanksOfEqualsAreTies) {
    const auto ranks =
        ranks_of({times(200, 21, 1), times(100, 21, 2), {}, times(100.2, 21, 3), times(300, 21, 4)});
    const auto is = [&](std::size_t i, std::size_t first, std::size_t last) {
        EXPECT_EQ(ranks[i].first, first) << i;
        EXPECT_EQ(ranks[i].last, last) << i;
    };
    is(0, 3, 3);
    is(1, 1, 2);
    is(2, 0, 0);
    is(3, 1, 2);
    is(4, 4, 4);
}

TEST(BenchStatistics, AnOrderIsSureWhereRunsSeldomContradictIt) {
    const std::vector<double> short_ones(20, 100);
    std::vector<double> longer(20, 110);
    EXPECT_EQ(order_of(short_ones, longer), Order::longer);
    EXPECT_EQ(order_of(longer, short_ones), Order::shorter);
    // Of 400 pairs 40 have the other order, and then 60.
    longer[3] = longer[11] = 90;
    EXPECT_EQ(order_of(short_ones, longer), Order::longer);
    longer[17] = 90;
    EXPECT_EQ(order_of(short_ones, longer), Order::undecided);
    EXPECT_EQ(order_of(longer, short_ones), Order::undecided);
    EXPECT_EQ(order_of({}, longer), Order::undecided);
    // Where the medians differ by more, 60 pairs may have the other order, and 80 may not.
    std::vector<double> far(20, 150);
    for (const std::size_t run : {2, 7, 13}) far[run] = 90;
    EXPECT_EQ(order_of(short_ones, far), Order::longer);
    far[18] = 90;
    EXPECT_EQ(order_of(short_ones, far), Order::undecided);
}

TEST(BenchStatistics, WhatDiffersByLessThanProcessesDoHasNoOrder) {
    const std::vector<double> some(20, 100);
    EXPECT_EQ(order_of(some, std::vector<double>(20, 102.5)), Order::undecided);
    EXPECT_EQ(order_of(some, std::vector<double>(20, 103.5)), Order::longer);
    EXPECT_EQ(order_of(some, std::vector<double>(3, 102.5)), Order::undecided);
    EXPECT_EQ(order_of(some, std::vector<double>(3, 103.5)), Order::longer);
}

/// Of a machine that is disturbed for longer than a benchmark lasts: in each one the medians lie apart, this
/// way or that, and both sets of runs overlap.
TEST(BenchStatistics, DisturbancesThatOutlastABenchmarkMakeNoOrder) {
    const std::vector<std::vector<double>> shares{{1, 1, 1, 1.3}, {1, 1.3, 1.3, 1.3}};
    int sure = 0;
    for (std::uint64_t repeat = 0; repeat < 50; ++repeat) {
        std::vector<std::vector<double>> made(2);
        for (std::size_t i = 0; i < 2; ++i) {
            Random random(repeat, i);
            const std::vector<double>& of = shares[(repeat + i) % 2];
            for (std::size_t run = 0; run < 20; ++run)
                made[i].push_back(100 * of[static_cast<std::size_t>(4 * random.uniform())] *
                                  (0.99 + 0.02 * random.uniform()));
        }
        sure += order_of(made[0], made[1]) == Order::undecided ? 0 : 1;
    }
    EXPECT_LE(sure, 2) << "of 50";
}

TEST(BenchStatistics, ASecondRunRanksWithinTheTiesOfTheFirst) {
    const std::vector<double> middles{100, 101, 104, 130, 131};
    int outside = 0;
    for (std::uint64_t repeat = 0; repeat < 20; ++repeat) {
        std::vector<std::vector<double>> first, second;
        for (std::size_t i = 0; i < middles.size(); ++i) {
            first.push_back(times(middles[i], 21, 100 * repeat + i));
            second.push_back(times(middles[i], 21, 5000 + 100 * repeat + i));
        }
        const auto one = ranks_of(first), other = ranks_of(second);
        for (std::size_t i = 0; i < middles.size(); ++i)
            outside += one[i].last < other[i].first || other[i].last < one[i].first ? 1 : 0;
    }
    EXPECT_EQ(outside, 0);
}

TEST(BenchJson, RowsHaveTheirPlacesByBothTimes) {
    const auto row = [](const char* id, double kernel, double total, std::size_t runs) {
        BenchRow made;
        made.variant.id = id;
        for (std::size_t i = 0; i < runs; ++i) {
            BenchSample sample;
            sample.kernel = kernel + static_cast<double>(i % 3);
            sample.total = total + static_cast<double>(i % 3);
            made.samples.push_back(sample);
        }
        return made;
    };
    BenchReport report;
    report.points.push_back(
        {{}, {row("a", 200, 900, 9), row("none", 0, 0, 0), row("b", 100, 903, 9), row("c", 300, 500, 9)}});
    const nlohmann::json rows = bench_json(report).at("variants");
    EXPECT_EQ(rows[0].at("rank_kernel"), nlohmann::json::parse("[2, 2]"));
    EXPECT_EQ(rows[2].at("rank_kernel"), nlohmann::json::parse("[1, 1]"));
    EXPECT_EQ(rows[3].at("rank_kernel"), nlohmann::json::parse("[3, 3]"));
    EXPECT_EQ(rows[0].at("rank_total"), nlohmann::json::parse("[2, 3]"));
    EXPECT_EQ(rows[2].at("rank_total"), nlohmann::json::parse("[2, 3]"));
    EXPECT_EQ(rows[3].at("rank_total"), nlohmann::json::parse("[1, 1]"));
    EXPECT_FALSE(rows[1].contains("rank_kernel") || rows[1].contains("rank_total"));
    // Series of launches alone have no times end to end of their own.
    report.plan.kernels_only = true;
    EXPECT_FALSE(bench_json(report).at("variants")[0].contains("rank_total"));
}

class BenchBaselineTest : public testing::Test {
  protected:
    void SetUp() override {
        folder_ =
            std::filesystem::temp_directory_path() /
            (std::string("ks_baseline_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path written(const nlohmann::json& json) const {
        std::ofstream(folder_ / "kept.json") << json.dump();
        return folder_ / "kept.json";
    }
    static nlohmann::json sample(double time) {
        BenchSample made;
        made.kernel = time;
        made.total = 2 * time;
        return to_json(made);
    }
    static nlohmann::json kept() {
        nlohmann::json samples = nlohmann::json::array();
        for (const double time : {100.0, 101.0, 99.0}) samples.push_back(sample(time));
        return {{"analysis", "sums"},
                {"format_version", 1},
                {"version", "0.1"},
                {"started", "then"},
                {"repeats", 3},
                {"from", "device"},
                {"device", to_json(DeviceInfo{})},
                {"defines", nlohmann::json::object()},
                {"sizes", {{"count", 4}}},
                {"variants",
                 {{{"id", "plain"}, {"samples", samples}},
                  {{"id", "fancy"}, {"samples", nlohmann::json::array()}}}}};
    }
    static BenchReport report() {
        BenchReport now;
        now.plan.analysis = "sums";
        BenchPoint point;
        point.sizes["count"] = std::int64_t{4};
        for (const char* id : {"plain", "fancy", "third"}) {
            BenchRow row;
            row.variant.id = id;
            for (const double time : {120.0, 121.0, 119.0}) {
                BenchSample made;
                made.kernel = time;
                made.total = 2 * time;
                row.samples.push_back(made);
            }
            point.rows.push_back(row);
        }
        now.points.push_back(point);
        return now;
    }
    static std::string refusal(const auto& work) {
        try {
            work();
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            return error.what();
        }
        return "accepted";
    }

  private:
    std::filesystem::path folder_;
};

TEST_F(BenchBaselineTest, AnotherMachineOrABusierOneIsSaid) {
    nlohmann::json json = kept();
    DeviceInfo device, host;
    device.name = "card A";
    device.driver = "535";
    host.name = "processor A";
    json["device"] = to_json(device);
    json["host"] = to_json(host);
    json["load"] = 0.1;
    const BenchBaseline baseline = BenchBaseline::read(written(json));
    BenchReport now = report();
    now.device = device;
    now.host = host;
    now.load = 0.3;
    EXPECT_TRUE(differences_of_machine(baseline, now).empty());
    now.device.driver = "550";
    now.host.name = "processor B";
    now.load = 3.2;
    const std::vector<std::string> said = differences_of_machine(baseline, now);
    ASSERT_EQ(said.size(), 3U);
    EXPECT_EQ(said[0], "The drivers differ: 535 then, 550 now.");
    EXPECT_EQ(said[1], "The machines differ: processor A then, processor B now.");
    EXPECT_EQ(said[2],
              "The machine was busier now: 0.1 processes ran then before the benchmark, and 3.2 now.");
    // Files of earlier versions tell neither host nor load.
    json.erase("host");
    json.erase("load");
    now.load.reset();
    now.device.driver = "535";
    EXPECT_TRUE(differences_of_machine(BenchBaseline::read(written(json)), now).empty());
}

TEST_F(BenchBaselineTest, TellsWhatChangedAndWhatCannotBeCompared) {
    const BenchBaseline baseline = BenchBaseline::read(written(kept()));
    const std::vector<BenchChange> changes = changes_since(baseline, report(), &BenchSample::kernel);
    ASSERT_EQ(changes.size(), 3U);
    EXPECT_EQ(changes[0].variant, "plain");
    EXPECT_EQ(changes[0].before, 100);
    EXPECT_EQ(changes[0].now, 120);
    EXPECT_DOUBLE_EQ(changes[0].ratio.value, 1.2);
    EXPECT_TRUE(changes[0].ratio.above(1.1));
    EXPECT_EQ(changes[1].not_compared, "it was not run for the baseline");
    EXPECT_EQ(changes[2].not_compared, "it is not in the baseline");
    EXPECT_EQ(changes_since(baseline, report(), &BenchSample::total)[0].before, 200);
}

TEST_F(BenchBaselineTest, KeepsTunedValuesAndThePlaceOfTheLargestError) {
    BenchReport now = report();
    now.points.front().rows[0].tuned = {{"ITEMS", "32"}, {"WG", "16"}};
    now.points.front().rows[1].verdict.place = {{"frame", 3}, {"x", 17}, {"y", 5}};
    now.started = "then";
    now.version = "0.1";
    const BenchBaseline back = BenchBaseline::read(written(nlohmann::json::parse(bench_text(now))));
    const std::vector<BenchRow>& rows = back.points.at(0).rows;
    EXPECT_EQ(rows.at(0).tuned, (std::map<std::string, std::string>{{"ITEMS", "32"}, {"WG", "16"}}));
    EXPECT_TRUE(rows.at(1).tuned.empty());
    EXPECT_EQ(rows.at(1).verdict.place, (VerdictPlace{{"frame", 3}, {"x", 17}, {"y", 5}}));
    // Files of earlier versions have neither.
    const BenchBaseline older = BenchBaseline::read(written(kept()));
    EXPECT_TRUE(older.points.at(0).rows.at(0).tuned.empty());
    EXPECT_TRUE(older.points.at(0).rows.at(0).verdict.place.empty());
}

TEST_F(BenchBaselineTest, WhatIsNotComparableIsRefusedWithBoth) {
    const BenchBaseline baseline = BenchBaseline::read(written(kept()));
    const std::vector<ParameterSet> sizes{report().points.front().sizes};
    BenchPlan plan = report().plan;
    EXPECT_NO_THROW(baseline.require_comparable(plan, sizes));
    plan.analysis = "xpcs";
    EXPECT_NE(refusal([&] { baseline.require_comparable(plan, sizes); }).find("of the analysis sums"),
              std::string::npos);
    plan = report().plan;
    plan.from = BenchFrom::file;
    EXPECT_NE(refusal([&] { baseline.require_comparable(plan, sizes); }).find("--from file"),
              std::string::npos);
    plan = report().plan;
    plan.defines["TILE"] = "32";
    EXPECT_NE(refusal([&] { baseline.require_comparable(plan, sizes); }).find("TILE=32"), std::string::npos);
    plan = report().plan;
    EXPECT_NE(refusal([&] {
                  baseline.require_comparable(plan, {{{"count", std::int64_t{5}}}});
              }).find("sizes"),
              std::string::npos);
}

TEST_F(BenchBaselineTest, FilesThatAreNoneAreRefusedInASentence) {
    const auto refused = [&](const nlohmann::json& json, const std::string& part) {
        const std::string text = refusal([&] { BenchBaseline::read(written(json)); });
        EXPECT_NE(text.find(part), std::string::npos) << text;
        EXPECT_NE(text.find("kept.json"), std::string::npos) << text;
    };
    nlohmann::json json = kept();
    json["format_version"] = 2;
    refused(json, "of format 2");
    json = kept();
    json["variants"][0]["samples"][1].erase("kernel_ns");
    refused(json, "damaged");
    json = kept();
    json.erase("device");
    refused(json, "damaged");
    json = kept();
    json["variants"] = 3;
    refused(json, "damaged");
    refused(nlohmann::json::array(), "found something else");
    EXPECT_NE(refusal([&] { BenchBaseline::read("/no/such/kept.json"); }).find("no such file"),
              std::string::npos);
}

}  // namespace
