#include "core/run/result.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/run/request.h"
#include "core/run/timing.h"
#include "core/run/verdict.h"

namespace {

using namespace ks;

TEST(Result, facts_have_their_digits_and_rates_their_units) {
    Result result;
    result.facts = {{"elements", 12345678},
                    {"reduced", 21253400.0},
                    {"rate_of_it", 12.3456789},
                    {"share", -0.5},
                    {"huge", 1.5e300},
                    {"gflop_per_second", 55.25},
                    {"local_gigabytes_per_second", 7.5}};
    EXPECT_EQ(summary_of_result(result),
              "elements                 12345678\n"
              "rate                     55.25 GFLOP/s\n"
              "huge                     1.5e+300\n"
              "local                    7.5 GB/s\n"
              "rate of it               12.3457\n"
              "reduced                  21253400\n"
              "share                    -0.5\n");
}

TEST(Verdict, an_error_is_judged_only_where_errors_are_allowed_and_decide) {
    Verdict verdict;
    verdict.worst_error = 1e-7;
    verdict.tolerance = 1e-6;
    EXPECT_EQ(judged_error(verdict), std::nullopt) << "unchecked";
    verdict.state = Verdict::State::pass;
    EXPECT_EQ(judged_error(verdict), 1e-7);
    verdict.state = Verdict::State::fail;
    EXPECT_EQ(judged_error(verdict), std::nullopt) << "something else is wrong";
    verdict.worst_error = 1e-5;
    EXPECT_EQ(judged_error(verdict), 1e-5);
    verdict.tolerance = 0;
    EXPECT_EQ(judged_error(verdict), std::nullopt) << "values must be equal";
    EXPECT_EQ(to_json(verdict).at("worst_error"), 1e-5);
    verdict.worst_error.reset();
    EXPECT_FALSE(to_json(verdict).contains("worst_error"));
    EXPECT_EQ(from_json<Verdict>(to_json(verdict), "a verdict").worst_error, std::nullopt);
}

TEST(Timing, RowsOfOneStageAndKindAreAddedUpInOrderOfAppearance) {
    std::vector<Timing> rows;
    add(rows, {.stage = "b",
               .kind = StageKind::kernel,
               .nanoseconds = 5,
               .bytes = 1,
               .operations = 2,
               .launches = 1});
    add(rows, {.stage = "a", .kind = StageKind::kernel, .nanoseconds = 3});
    add(rows, {.stage = "b", .kind = StageKind::upload, .nanoseconds = 100});
    add(rows, {.stage = "b",
               .kind = StageKind::kernel,
               .nanoseconds = 7,
               .bytes = 10,
               .operations = 20,
               .launches = 4});
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].stage, "b");
    EXPECT_EQ(rows[0].nanoseconds, 12U);
    EXPECT_EQ(rows[0].bytes, 11U);
    EXPECT_EQ(rows[0].operations, 22U);
    EXPECT_EQ(rows[0].launches, 5U);
    EXPECT_EQ(total(rows, StageKind::kernel), 15U);
    EXPECT_EQ(total(rows, StageKind::upload), 100U);
    EXPECT_EQ(total(rows, StageKind::read), 0U);
}

TEST(Names, EveryNameLeadsBackToItsValue) {
    for (const auto kind :
         {StageKind::host, StageKind::read, StageKind::upload, StageKind::kernel, StageKind::download})
        EXPECT_EQ(stage_kind_from(name_of(kind)), kind);
    for (const auto kind : {DataKind::axis, DataKind::curves, DataKind::image, DataKind::table,
                            DataKind::overlay, DataKind::text})
        EXPECT_EQ(data_kind_from(name_of(kind)), kind);
    for (const auto mode : {CheckMode::none, CheckMode::sample, CheckMode::full})
        EXPECT_EQ(check_mode_from(name_of(mode)), mode);
    using enum Verdict::State;
    for (const auto state : {unchecked, pass, fail, sampled})
        EXPECT_EQ(verdict_state_from(name_of(state)), state);
    EXPECT_THROW(stage_kind_from("x"), Error);
    EXPECT_THROW(data_kind_from(""), Error);
    EXPECT_THROW(check_mode_from("Full"), Error);
    EXPECT_THROW(verdict_state_from("ok"), Error);
}

TEST(Result, AMissingDatasetIsNamedWithThoseThatAreThere) {
    Result result;
    result.datasets.push_back(
        {.name = "g2", .title = "g2", .unit = "", .values = Array(ElementType::f64, {2})});
    EXPECT_EQ(&result.at("g2"), result.find("g2"));
    EXPECT_EQ(result.find("g3"), nullptr);
    try {
        result.at("g3");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "the result has no dataset \"g3\"; its datasets are g2");
    }
}

}  // namespace
