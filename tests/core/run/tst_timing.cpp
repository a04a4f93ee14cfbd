#include "core/run/timing.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

namespace ks {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t now() {
    return static_cast<std::uint64_t>(Clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

TEST(Timing, WhatIsAddedHasJustEnded) {
    const auto begin = Clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    std::vector<Timing> rows;
    add(rows, {"sum", StageKind::host, 1'000'000});
    add(rows, {"sum", StageKind::host, 500'000});
    add(rows, {"load", StageKind::read, 0});
    count_from(rows, begin);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].stage, "load") << "what took no time has no place in it";
    EXPECT_TRUE(rows[0].spans.empty());
    ASSERT_EQ(rows[1].spans.size(), 2U);
    EXPECT_EQ(rows[1].launches, 2U);
    EXPECT_EQ(rows[1].nanoseconds, 1'500'000U);
    EXPECT_GE(rows[1].spans[0].start, 2'000'000U);
    EXPECT_EQ(rows[1].spans[0].nanoseconds, 1'000'000U);
    EXPECT_EQ(rows[1].spans[1].nanoseconds, 500'000U);
}

TEST(Timing, RowsAreInTheOrderOfTheirBegin) {
    const auto begin = Clock::now();
    Timing late{"late", StageKind::kernel, 10}, early{"early", StageKind::kernel, 10};
    const std::uint64_t zero = now();
    late.spans = {{zero + 1000, 10}};
    early.spans = {{zero + 500, 10}};
    std::vector<Timing> rows;
    add(rows, late);
    add(rows, early);
    count_from(rows, begin);
    EXPECT_EQ(rows[0].stage, "early");
    EXPECT_LT(rows[0].spans[0].start, rows[1].spans[0].start);
}

TEST(Timing, TimeThatSeveralStagesShareIsCoveredOnce) {
    std::vector<Timing> rows;
    Timing read{"read", StageKind::read, 30}, sum{"sum", StageKind::host, 25};
    read.spans = {{0, 10}, {5, 10}, {40, 10}};
    sum.spans = {{12, 8}, {45, 17}};
    add(rows, read);
    add(rows, sum);
    EXPECT_EQ(covered(rows), 20U + 22U);
    EXPECT_EQ(covered({}), 0U);
}

TEST(Timing, OfManySpansTheNearestAreUnited) {
    std::mt19937 random(7);
    std::uniform_int_distribution<std::uint64_t> small(1, 9);
    Timing row{"gram", StageKind::kernel};
    std::uint64_t at = 0, gaps = 0;
    for (int i = 0; i < 20'000; ++i) {
        // Every hundredth stands apart.
        const std::uint64_t gap = i % 100 == 0 ? 1'000'000 : small(random);
        at += gap;
        if (gap < 10) gaps += gap;
        Timing one{"gram", StageKind::kernel, 1000};
        one.spans = {{at, 1000}};
        std::vector<Timing> rows{row};
        add(rows, one);
        row = rows[0];
        at += 1000;
    }
    EXPECT_LE(row.spans.size(), max_spans);
    EXPECT_GE(row.spans.size(), 200U) << "what stands apart is not united";
    EXPECT_EQ(row.nanoseconds, 20'000'000U) << "sums are not touched by it";
    EXPECT_EQ(row.launches, 20'000U + 1);
    EXPECT_GE(covered({row}), 20'000'000U);
    EXPECT_LE(covered({row}), 20'000'000U + gaps);
}

TEST(Timing, SpansAreWrittenAndReadBack) {
    Timing row{"gram", StageKind::overhead, 12};
    row.spans = {{3, 5}, {9, 7}};
    const auto json = to_json(row);
    const auto read = from_json<Timing>(json, "a timing");
    EXPECT_EQ(read.kind, StageKind::overhead);
    ASSERT_EQ(read.spans.size(), 2U);
    EXPECT_EQ(read.spans[1].start, 9U);
    EXPECT_EQ(read.spans[1].nanoseconds, 7U);
    auto older = json;
    older.erase("spans");
    EXPECT_TRUE(from_json<Timing>(older, "a timing").spans.empty()) << "earlier versions wrote none";
}

}  // namespace
}  // namespace ks
