// Atomic functions on the host against loops of this file, and what their check finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/basics/atomics/atomics.h"
#include "core/run/registry.h"
#include "tests/core/basics/run_exercise.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests::counting {
namespace {

using basics::AtomicsProblem;

constexpr const char* functions[] = {"add", "sub", "xchg", "inc", "dec", "cmpxchg",
                                     "min", "max", "and",  "or",  "xor", "or_by_cmpxchg"};

std::shared_ptr<const Problem> calls_of(const char* function, std::int64_t items, std::int64_t calls,
                                        ParameterSet more = {}) {
    Request request;
    request.analysis = "atomics";
    request.parameters = {{"function", std::string(function)},
                          {"items", items},
                          {"calls", calls},
                          {"repeats", std::int64_t{1}}};
    request.parameters.merge(more);
    Progress progress;
    return Registry().analysis("atomics").load(request, progress, nullptr);
}

Verdict checked(const Problem& problem, const ks::Run& run) {
    Progress progress;
    return Registry().analysis("atomics").check(problem, run, CheckMode::full, progress);
}

/// The counter after the calls of items 0 to n - 1, one after the other.
std::uint32_t sequential(const std::string& function, const AtomicsProblem& problem, std::size_t items) {
    std::uint32_t counter = function == "min" || function == "and" ? 0xFFFFFFFF : 0;
    for (std::size_t item = 0; item < items; ++item)
        for (std::size_t call = 0; call < problem.calls; ++call) {
            const std::uint32_t x = problem.operands[item] + static_cast<std::uint32_t>(call);
            const std::uint32_t bit = 1U << (x % 32);
            if (function == "add" || function == "cmpxchg") counter += x;
            if (function == "sub") counter -= x;
            if (function == "xchg") counter = static_cast<std::uint32_t>(item * problem.calls + call + 1);
            if (function == "inc") ++counter;
            if (function == "dec") --counter;
            if (function == "min") counter = std::min(counter, x);
            if (function == "max") counter = std::max(counter, x);
            if (function == "and") counter &= ~bit;
            if (function == "or" || function == "or_by_cmpxchg") counter |= bit;
            if (function == "xor") counter ^= x;
        }
    return counter;
}

TEST(Atomics, EveryFunctionOfTheHostComesToWhatCallsInTurnCome) {
    for (const char* function : functions)
        for (const std::int64_t items : {1, 2, 3, 63, 64, 65, 1000, 5000}) {
            const auto any = calls_of(function, items, 3);
            const auto& problem = dynamic_cast<const AtomicsProblem&>(*any);
            const ks::Run run = run_exercise("atomics", problem, "host.reference");
            const Verdict verdict = checked(problem, run);
            EXPECT_EQ(verdict.state, Verdict::State::pass) << function << items << verdict.text;
            if (std::string(function) == "xchg") continue;
            const auto first = run.result.at("first_counter").values.as<std::uint32_t>();
            for (std::size_t i = 0; i < first.size(); ++i)
                EXPECT_EQ(first[i], sequential(function, problem, problem.contentions[i])) << function;
        }
}

TEST(Atomics, ContentionGoesFromOneItemToAll) {
    const auto contentions = [](std::int64_t items) {
        return dynamic_cast<const AtomicsProblem&>(*calls_of("add", items, 1)).contentions;
    };
    EXPECT_EQ(contentions(1), (std::vector<std::size_t>{1}));
    EXPECT_EQ(contentions(2), (std::vector<std::size_t>{1, 2}));
    EXPECT_EQ(contentions(5), (std::vector<std::size_t>{1, 2, 4, 5}));
    EXPECT_EQ(contentions(8), (std::vector<std::size_t>{1, 2, 4, 8}));
    const auto one = calls_of("add", 10, 1, {{"items_per_counter", std::int64_t{3}}});
    EXPECT_EQ(dynamic_cast<const AtomicsProblem&>(*one).contentions, (std::vector<std::size_t>{3}));
    EXPECT_EQ(dynamic_cast<const AtomicsProblem&>(*one).counters(3), 4U);
}

TEST(Atomics, ACounterThatIsWrongIsFound) {
    for (const char* function : functions) {
        const auto any = calls_of(function, 10, 2);
        const auto& problem = dynamic_cast<const AtomicsProblem&>(*any);
        ks::Run run = run_exercise("atomics", problem, "host.reference");
        const auto column = [&](const char* name) {
            for (Dataset& dataset : run.result.datasets)
                if (dataset.name == name) return dataset.values.as<std::uint32_t>();
            return std::span<std::uint32_t>();
        };
        column("right")[1] -= 1;
        EXPECT_EQ(checked(problem, run).text, "fail: only 4 of 5 counters with 2 items each are correct")
            << function;
        column("right")[1] += 1;
        column("first_counter")[2] += 1000;
        EXPECT_EQ(checked(problem, run).text, "fail: only 2 of 3 counters with 4 items each are correct")
            << function;
    }
}

TEST(Atomics, ACallThatIsLostIsFoundWhereItChangesTheCounter) {
    for (const char* function : functions) {
        const auto any = calls_of(function, 6, 1);
        const auto& problem = dynamic_cast<const AtomicsProblem&>(*any);
        if (std::string(function) == "xchg") continue;
        std::vector<std::uint32_t> counters = {sequential(function, problem, 6)};
        EXPECT_EQ(basics::right_counters(problem, 6, counters, {}), 1U) << function;
        counters = {sequential(function, problem, 5) ^ 0x10000};
        EXPECT_EQ(basics::right_counters(problem, 6, counters, {}), 0U) << function;
    }
}

TEST(Atomics, OfAnExchangeEachValueComesBackOnceOrIsInItsCounter) {
    const auto any = calls_of("xchg", 4, 2);  // writes 1, 2 by item 0, then 3, 4 and so on
    const auto& problem = dynamic_cast<const AtomicsProblem&>(*any);
    // [call][item], two items on a counter: 3, 1, 2, 4 and 5, 7, 8, 6 is an order in which they may come
    const std::vector<std::uint32_t> counters = {4, 6}, returned = {3, 0, 0, 5, 1, 2, 8, 7};
    EXPECT_EQ(basics::right_counters(problem, 2, counters, returned), 2U);
    const auto after = [&](std::size_t i, std::uint32_t value) {
        auto other = returned;
        other[i] = value;
        return basics::right_counters(problem, 2, counters, other);
    };
    EXPECT_EQ(after(4, 2), 1U) << "2 came back twice, 1 never";
    EXPECT_EQ(after(4, 0), 1U) << "1 is lost";
    EXPECT_EQ(after(4, 8), 1U) << "8 was written to the other counter";
    EXPECT_EQ(after(4, 99), 1U) << "nobody wrote 99";
    const std::vector<std::uint32_t> wrong = {6, 4};
    EXPECT_EQ(basics::right_counters(problem, 2, wrong, returned), 0U);
    // what a group's counter brought back from the shared one stands behind the calls of the items
    auto by_groups = returned;
    by_groups[1] = 0;
    by_groups[0] = 0;
    by_groups.insert(by_groups.end(), {0, 3});
    EXPECT_EQ(basics::right_counters(problem, 2, counters, by_groups), 2U);
    by_groups.back() = 9;
    EXPECT_EQ(basics::right_counters(problem, 2, counters, by_groups), 1U);
}

TEST(Atomics, CountsThatCannotBeAreRefused) {
    EXPECT_TRUE(contains(input_error([] { calls_of("add", 0, 1); }), {"items", "from 1", "found 0"}));
    EXPECT_TRUE(contains(input_error([] { calls_of("nand", 1, 1); }), {"function", "nand"}));
    EXPECT_TRUE(contains(input_error([] { calls_of("add", 1 << 20, 17); }),
                         {"17 calls each", "at most 16777216", "choose at most 16 calls per work-item"}));
    EXPECT_TRUE(contains(input_error([] { calls_of("cmpxchg", 1 << 21, 1); }),
                         {"cmpxchg allows at most 1048576", "choose at most 1048576 work-items"}));
    EXPECT_TRUE(contains(
        input_error([] {
            calls_of("add", 10, 1, {{"items_per_counter", std::int64_t{11}}});
        }),
        {"11 work-items per counter are more than the 10 work-items in total", "choose at most 10"}));
}

}  // namespace
}  // namespace ks::tests::counting
