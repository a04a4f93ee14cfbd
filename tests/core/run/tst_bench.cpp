// Benchmarks over one size and over lists, on the analysis of fake_analysis.h.

#include "core/run/bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>

#include "core/base/json_text.h"
#include "tests/core/run/fake_analysis.h"
#include "tests/core/run/own_cache.h"

namespace {

using namespace ks;

ParameterValue whole(std::int64_t value) {
    return value;
}

/// An engine whose analysis has a variant of the highest rank that runs by name only.
Engine engine_with_published() {
    const auto counts = std::make_shared<fake::Counts>();
    std::vector<Analysis> analyses;
    analyses.emplace_back(fake::sums(counts));
    std::vector<HostVariant> rows = fake::host_variants(counts);
    rows.resize(1, rows.front());
    rows.push_back(rows.front());
    rows.back().info.id = "host.published";
    rows.back().info.rank = 99;
    rows.back().info.by_name_only = true;
    auto registry = std::make_shared<const Registry>(std::move(analyses), std::move(rows));
    std::vector<std::unique_ptr<Backend>> backends;
    backends.push_back(std::make_unique<HostBackend>(registry->host_variants()));
    return Engine(std::move(registry), std::move(backends));
}

BenchPlan plan_of(SizeLists sizes, std::vector<std::string> variants = {"host.sum", "plain"}) {
    BenchPlan plan;
    plan.analysis = "sums";
    plan.sizes = std::move(sizes);
    plan.variants = std::move(variants);
    plan.device = "0";
    plan.repeats = 3;
    return plan;
}

std::string points_text(const std::vector<ParameterSet>& points) {
    std::string text;
    for (const ParameterSet& point : points)
        text += to_text(point.at("count")) + "/" + to_text(point.at("copies")) + " ";
    return text;
}

class Bench : public ::testing::Test {
  protected:
    ks::tests::OwnCache cache;
    Engine engine = fake::engine(std::make_shared<fake::Counts>());
    Progress quiet;
};

TEST_F(Bench, TakesEveryCombinationOrOneSizeAfterTheOther) {
    const Analysis& sums = engine.registry().analysis("sums");
    BenchPlan plan = plan_of({{"count", {whole(1), whole(2), whole(3)}}, {"copies", {whole(5), whole(6)}}});
    EXPECT_EQ(points_text(bench_points(sums, plan)), "1/5 2/5 3/5 1/6 2/6 3/6 ");
    plan.sweep = Sweep::one_by_one;
    EXPECT_EQ(points_text(bench_points(sums, plan)), "1/5 1/6 2/5 3/5 ");
    plan.sizes = {{"count", {whole(2), whole(2)}}};
    EXPECT_EQ(points_text(bench_points(sums, plan)), "2/1 ");
    plan.sizes = {};
    EXPECT_EQ(points_text(bench_points(sums, plan)), "4/1 ");
    plan.sizes = {{"count", {whole(0)}}};
    EXPECT_THROW(bench_points(sums, plan), Error);
    plan.sizes = {{"count", {}}};
    EXPECT_THROW(bench_points(sums, plan), Error);
    plan.sizes = {{"count", std::vector(40, whole(1))}, {"copies", std::vector(40, whole(1))}};
    plan.sweep = Sweep::product;
    EXPECT_THROW(bench_points(sums, plan), Error);
    EXPECT_THROW(sweep_from("both"), Error);
}

TEST_F(Bench, TimesEachVariantAtEachPointAndTellsRowsAsTheyCome) {
    std::string told;
    const BenchReport report =
        run_bench(engine, plan_of({{"count", {whole(1), whole(10), whole(100)}}}), quiet,
                  [&](std::size_t point, const ParameterSet& sizes, const BenchRow& row) {
                      told += std::to_string(point) + ":" + to_text(sizes.at("count")) + ":" +
                              row.variant.id + ":" + std::to_string(row.samples.size()) + " ";
                  });
    EXPECT_EQ(told,
              "0:1:host.sum:0 0:1:plain:0 0:1:host.sum:3 0:1:plain:3 "
              "1:10:host.sum:0 1:10:plain:0 1:10:host.sum:3 1:10:plain:3 "
              "2:100:host.sum:0 2:100:plain:0 2:100:host.sum:3 2:100:plain:3 ")
        << told;
    ASSERT_EQ(report.points.size(), 3U);
    for (const BenchPoint& point : report.points)
        for (const BenchRow& row : point.rows) {
            EXPECT_EQ(row.verdict.state, Verdict::State::pass) << row.verdict.text;
            EXPECT_TRUE(row.variant.source.empty());
        }
    EXPECT_EQ(varied_sizes(report.points), std::vector<std::string>{"count"});
    ASSERT_EQ(report.slopes.size(), 2U);
    EXPECT_EQ(report.slopes[1].variant, "plain");
    EXPECT_EQ(report.slopes[1].points, 3U);
    EXPECT_NEAR(report.slopes[1].kernel, 0, 1e-12) << "the fake kernel takes 5 ns at every size";
}

TEST_F(Bench, AFirstUploadThatStaysOnTheDeviceMakesNoVariantSlow) {
    BenchPlan plan = plan_of({{"count", {whole(4)}}});
    plan.repeats = 10;
    plan.warmups = 2;
    plan.check = CheckMode::none;
    const auto runs_where_the_first_uploads = [&](BenchFrom from) {
        plan.from = from;
        std::map<std::string, int> ran;
        run_bench(engine, plan, quiet, {},
                  [&](const Request& request, const std::shared_ptr<const Problem>& problem,
                      const ParameterSet&, Progress& progress) {
                      ks::Run run = engine.run(request, problem, progress);
                      const bool uploads = from != BenchFrom::device || ran[request.variant] == 0;
                      if (++ran[request.variant]; !uploads) return run;
                      Timing upload;
                      upload.stage = "upload";
                      upload.kind = StageKind::upload;
                      upload.nanoseconds = std::uint64_t{8} * 1'000'000'000;
                      run.timings.push_back(upload);
                      run.wall_nanoseconds += upload.nanoseconds;
                      return run;
                  });
        return ran.at("plain");
    };
    EXPECT_EQ(runs_where_the_first_uploads(BenchFrom::device), 1 + 2 + 10);
    // Where each run uploads, each takes that long.
    EXPECT_EQ(runs_where_the_first_uploads(BenchFrom::memory), 1 + 3);
}

TEST_F(Bench, EachRoundRunsTheVariantsInAnotherOrderAndEachAsOftenBeforeTheOthers) {
    BenchPlan plan = plan_of({{"count", {whole(4)}}}, {"host.sum", "plain", "wrong"});
    plan.repeats = 20;
    plan.warmups = 0;
    plan.check = CheckMode::none;
    std::vector<std::string> ran;
    run_bench(engine, plan, quiet, {},
              [&](const Request& request, const std::shared_ptr<const Problem>& problem, const ParameterSet&,
                  Progress& progress) {
                  ran.push_back(request.variant);
                  return engine.run(request, problem, progress);
              });
    ASSERT_EQ(ran.size(), 3U + 60U);
    std::set<std::vector<std::string>> orders;
    std::size_t first_before_second = 0;
    for (std::size_t round = 0; round < 20; ++round) {
        const auto begin = ran.begin() + 3 + static_cast<std::ptrdiff_t>(3 * round);
        const std::vector<std::string> order(begin, begin + 3);
        EXPECT_EQ(std::set<std::string>(order.begin(), order.end()).size(), 3U) << "a round has each once";
        orders.insert(order);
        first_before_second += std::ranges::find(order, "plain") < std::ranges::find(order, "wrong") ? 1 : 0;
    }
    EXPECT_GE(orders.size(), 4U);
    EXPECT_EQ(first_before_second, 10U);
}

TEST_F(Bench, TheTimeOfARunIsWithoutWhatTheProgramDoesBeforeItsVariant) {
    const BenchReport report =
        run_bench(engine, plan_of({{"count", {whole(4)}}}), quiet, {},
                  [&](const Request& request, const std::shared_ptr<const Problem>& problem,
                      const ParameterSet&, Progress& progress) {
                      ks::Run run = engine.run(request, problem, progress);
                      run.timings = {{"check request", StageKind::overhead, 1000},
                                     {"choose variant", StageKind::overhead, 200},
                                     {"set up", StageKind::overhead, 30},
                                     {"sum", StageKind::kernel, 4}};
                      run.timings[3].spans = {{1250, 4}};
                      run.wall_nanoseconds = 5000;
                      return run;
                  });
    EXPECT_EQ(report.points[0].rows[0].median(&BenchSample::total), 3800);
    // Its stages are those of that time, from its start.
    const std::vector<Timing>& stages = report.points[0].rows[0].samples.front().timings;
    ASSERT_EQ(stages.size(), 2U);
    EXPECT_EQ(stages[0].stage, "set up");
    EXPECT_EQ(stages[1].spans.front().start, 50U);
}

/// A plan of 12 repeats whose first runs take `first` seconds, of which they build for `build`, and the later
/// ones `later`.
BenchReport timed(Engine& engine, double first, double build, double later) {
    BenchPlan plan = plan_of({{"count", {whole(4)}}});
    plan.repeats = 12;
    std::set<std::string> met;
    Progress quiet;
    return run_bench(engine, plan, quiet, {},
                     [&](const Request& request, const std::shared_ptr<const Problem>& problem,
                         const ParameterSet&, Progress& progress) {
                         ks::Run run = engine.run(request, problem, progress);
                         const bool is_first = met.insert(run.variant.id).second;
                         const auto ns = [](double seconds) {
                             return static_cast<std::uint64_t>(1e9 * seconds);
                         };
                         run.timings = {{"sum", StageKind::kernel, 4}};
                         if (is_first) run.timings.push_back({"build kernels", StageKind::host, ns(build)});
                         run.wall_nanoseconds = ns(is_first ? first : later);
                         return run;
                     });
}

TEST_F(Bench, WhatTakesLongToBuildIsNotSlow) {
    for (const auto& [first, build] : {std::pair{9.0, 8.5}, {9.0, 0.0}}) {
        const BenchReport report = timed(engine, first, build, 0.001);
        for (const BenchRow& row : report.points[0].rows) {
            EXPECT_EQ(row.samples.size(), 12U) << row.variant.id << ", built for " << build;
            EXPECT_FALSE(has_fewer_runs(row, report.plan));
        }
    }
}

TEST_F(Bench, WhatTakesLongToRunIsRunThreeTimesAndKnownToBe) {
    const BenchReport report = timed(engine, 9, 1, 8);
    for (const BenchRow& row : report.points[0].rows) {
        EXPECT_EQ(row.samples.size(), 3U) << row.variant.id;
        EXPECT_TRUE(has_fewer_runs(row, report.plan));
    }
}

TEST_F(Bench, TimesTheProblemOfARequestInPlaceOfAGeneratedOne) {
    for (const BenchFrom from : {BenchFrom::device, BenchFrom::memory, BenchFrom::file}) {
        BenchPlan plan = plan_of({}, {"host.sum", "plain", "wrong"});
        plan.from = from;
        plan.request = fake::request();
        plan.request->parameters["factor"] = 10.0;
        const BenchReport report = run_bench(engine, plan, quiet);
        ASSERT_EQ(report.points.size(), 1U);
        // By what it is told from another problem.
        EXPECT_EQ(real(report.points[0].sizes, "factor"), 10);
        EXPECT_TRUE(text(report.points[0].sizes, "numbers").starts_with("typed "))
            << "name and hash of the values";
        ASSERT_EQ(report.points[0].rows.size(), 3U);
        for (const BenchRow& row : report.points[0].rows) {
            EXPECT_EQ(row.samples.size(), 3U);
            EXPECT_EQ(row.verdict.state,
                      row.variant.id == "wrong" ? Verdict::State::fail : Verdict::State::pass);
        }
        EXPECT_FALSE(report.plan.request->inputs.at("numbers").values) << "a report holds no data";
    }
}

TEST_F(Bench, ARequestThatAVariantDoesNotTakeIsNotRunAndNoFailure) {
    BenchPlan plan = plan_of({}, {"fancy", "host.sum"});
    plan.device = "1";
    plan.request = fake::request();
    plan.request->parameters["factor"] = 11.0;  // it takes factors up to 10
    const BenchReport report = run_bench(engine, plan, quiet);
    for (const BenchRow& row : report.points[0].rows) {
        EXPECT_EQ(row.not_run.empty(), row.variant.id == "host.sum") << row.not_run;
        EXPECT_FALSE(row.failed);
    }
}

TEST_F(Bench, ARequestComesThroughAMessageWithItsValues) {
    BenchPlan plan = plan_of({});
    plan.request = fake::request();
    Blobs blobs;
    const nlohmann::json json = ks::to_json(plan, &blobs);
    const BenchPlan back = ks::from_json<BenchPlan>(json, "a plan", &blobs);
    ASSERT_TRUE(back.request && back.request->inputs.at("numbers").values);
    EXPECT_EQ(back.request->inputs.at("numbers").values->to_doubles(), (std::vector<double>{1, 2, 4}));
}

TEST_F(Bench, ComesBackFromItsMessageTheSame) {
    const BenchReport report = run_bench(engine, plan_of({{"count", {whole(1), whole(2), whole(4)}}}), quiet);
    const nlohmann::json json = ks::to_json(report);
    EXPECT_EQ(ks::to_json(ks::from_json<BenchReport>(parse_json(dump_json(json, 0)), "a report")), json);
    BenchPlan plan = report.plan;
    plan.sweep = Sweep::one_by_one;
    plan.memory_limit = 1000;
    plan.kernel_sources["plain"] = {"mine.cl", "kernel void f() {}"};
    const BenchPlan back = ks::from_json<BenchPlan>(ks::to_json(plan), "a plan");
    EXPECT_EQ(ks::to_json(back), ks::to_json(plan));
    EXPECT_EQ(back.sizes, plan.sizes);
    EXPECT_EQ(back.sweep, Sweep::one_by_one);
}

TEST_F(Bench, ReportsOfVersionsThatKnewNoKindOfAFailureAreRead) {
    BenchReport report = run_bench(engine, plan_of({{"count", {whole(1)}}}), quiet);
    BenchRow& failed = report.points.front().rows.front();
    failed.failed = true;
    failed.not_run = "it failed";
    nlohmann::json json = ks::to_json(report);
    for (nlohmann::json& row : json.at("points").at(0).at("rows"))
        for (const char* added : {"given", "failure", "details"}) row.erase(added);
    const auto back = ks::from_json<BenchReport>(json, "a report");
    ASSERT_EQ(back.points.front().rows.size(), 2U);
    EXPECT_TRUE(back.points.front().rows.front().failed);
    EXPECT_EQ(back.points.front().rows.front().not_run, "it failed");
    EXPECT_TRUE(back.points.front().rows.front().given.empty());
}

TEST_F(Bench, APointThatCannotBeMadeLeavesTheOthers) {
    const BenchReport report = run_bench(engine, plan_of({{"count", {whole(1), whole(13)}}}), quiet);
    ASSERT_EQ(report.points.size(), 2U);
    EXPECT_EQ(report.points[0].rows[0].samples.size(), 3U);
    EXPECT_NE(report.points[1].rows[0].not_run.find("13 numbers"), std::string::npos);
    EXPECT_TRUE(report.points[1].rows[0].samples.empty());
    EXPECT_THROW(run_bench(engine, plan_of({{"count", {whole(13)}}}), quiet), Error);
}

TEST_F(Bench, StopsWhenItIsAskedTo) {
    Progress progress([&progress](double, const std::string& stage) {
        if (stage == "waiting") progress.cancel();
    });
    try {
        run_bench(engine, plan_of({}, {"host.wait"}), progress);
        ADD_FAILURE() << "it went on";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
}

TEST_F(Bench, SlopesAreThoseOfPowerLaws) {
    std::vector<BenchPoint> points;
    for (const std::int64_t copies : {1, 2})
        for (const std::int64_t count : {10, 20, 80, 160}) {
            BenchPoint point{{{"count", count}, {"copies", copies}}, {BenchRow(), BenchRow()}};
            point.rows[0].variant.id = "cubic";
            point.rows[1].variant.id = "none";
            const double time = std::pow(static_cast<double>(count), 3) * static_cast<double>(copies);
            for (const double factor : {0.5, 1.0, 8.0}) {
                BenchSample sample;
                sample.kernel = time * factor;
                sample.total = std::sqrt(time) * factor;
                point.rows[0].samples.push_back(sample);
            }
            points.push_back(point);
        }
    const std::vector<BenchSlope> slopes = slopes_of(points);
    ASSERT_EQ(slopes.size(), 2U) << "one for each number of copies, of which there are too few for a slope";
    for (const BenchSlope& slope : slopes) {
        EXPECT_EQ(slope.variant, "cubic");
        EXPECT_EQ(slope.size, "count");
        EXPECT_EQ(slope.points, 4U);
        EXPECT_NEAR(slope.kernel, 3, 1e-12);
        EXPECT_NEAR(slope.total, 1.5, 1e-12);
        EXPECT_EQ(slope.others.size(), 1U);
    }
    points.resize(2);
    EXPECT_TRUE(slopes_of(points).empty());
}

namespace {

/// A point with rows of one variant, whose time is 10 ns per unit of `time`.
BenchPoint timed_point(ParameterSet sizes, std::int64_t time) {
    BenchPoint point{std::move(sizes), {BenchRow()}};
    BenchSample sample;
    sample.kernel = sample.total = 10.0 * static_cast<double>(time);
    point.rows[0].variant.id = "one";
    point.rows[0].samples = {sample};
    return point;
}

}  // namespace

TEST(Slopes, ASizeThatOnlySomePointsHaveMakesNoFurtherCurves) {
    const ParameterValue one = std::int64_t{1}, two = std::int64_t{2}, three = std::int64_t{3},
                         wide = std::int64_t{512}, flat = std::int64_t{256};
    // In a range of one dimension there is no y, and only one of three has a z.
    const std::vector<BenchPoint> points{
        timed_point({{"dimensions", one}, {"x", wide}}, 1),
        timed_point({{"dimensions", two}, {"x", wide}, {"a_y", wide}}, 4),
        timed_point({{"dimensions", three}, {"x", wide}, {"a_y", wide}, {"z", one}}, 9)};
    EXPECT_EQ(swept_size(points), "dimensions");
    EXPECT_TRUE(varied_beside(points, "dimensions").empty());
    const std::vector<BenchSlope> slopes = slopes_of(points);
    ASSERT_EQ(slopes.size(), 1U);
    EXPECT_EQ(slopes[0].size, "dimensions");
    EXPECT_TRUE(slopes[0].others.empty());
    EXPECT_NEAR(slopes[0].kernel, 2, 1e-12);

    std::vector<BenchPoint> both = points;
    both.push_back(timed_point({{"dimensions", two}, {"x", wide}, {"a_y", flat}}, 4));
    EXPECT_EQ(varied_beside(both, "dimensions"), std::vector<std::string>{"a_y"})
        << "two values are two curves";
    // With and without a mask at the same size, two problems are measured.
    const std::vector<BenchPoint> masked{timed_point({{"count", one}}, 1),
                                         timed_point({{"count", one}, {"mask", wide}}, 1)};
    EXPECT_EQ(varied_beside(masked, "count"), std::vector<std::string>{"mask"});
    EXPECT_EQ(swept_size({points[0]}), std::nullopt);
}

TEST(ByNameOnly, AVariantRunsWhereItIsNamedAndNeverElse) {
    const ks::tests::OwnCache cache;
    Engine engine = engine_with_published();
    Progress quiet;
    EXPECT_EQ(engine.run(fake::request(), quiet).variant.id, "host.sum");
    EXPECT_EQ(engine.run(fake::request("host.published"), quiet).variant.id, "host.published");
    const std::vector<Offer> offers = engine.offers("sums", choose_device(engine.devices(), "host"));
    EXPECT_EQ(offers.back().variant.id, "host.published");
    const auto timed = [&](std::vector<std::string> variants) {
        BenchPlan plan = plan_of({}, std::move(variants));
        plan.device = "host";
        plan.repeats = 1;
        std::string ids;
        const BenchReport report = run_bench(engine, plan, quiet);
        for (const BenchRow& row : report.points.at(0).rows) ids += row.variant.id + " ";
        return ids;
    };
    EXPECT_EQ(timed({}), "host.sum ") << "all do not hold it";
    EXPECT_EQ(timed({"host.published"}), "host.published ");
    EXPECT_EQ(timed({"host.sum", "host.published"}), "host.sum host.published ");
}

}  // namespace
