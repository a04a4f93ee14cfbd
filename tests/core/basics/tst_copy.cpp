// The copy on the host, what its check finds, and which smaller shape it names.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/basics/copy/copy.h"
#include "core/run/registry.h"
#include "tests/core/basics/run_exercise.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests::copying {
namespace {

using basics::CopyProblem;

std::shared_ptr<const Problem> array_of(std::int64_t depth, std::int64_t height, std::int64_t width,
                                        std::int64_t dimensions) {
    Request request;
    request.analysis = "copy";
    request.parameters = {{"depth", depth}, {"height", height}, {"width", width}, {"dimensions", dimensions}};
    Progress progress;
    return Registry().analysis("copy").load(request, progress, nullptr);
}

TEST(Copy, OfTheHostIsTheArray) {
    for (const std::int64_t dimensions : {1, 2, 3})
        for (const std::int64_t width : {1, 2, 3, 63, 64, 65, 1000}) {
            const auto any = array_of(3, 5, width, dimensions);
            const auto& problem = dynamic_cast<const CopyProblem&>(*any);
            ASSERT_EQ(problem.values.size(), static_cast<std::size_t>(15 * width));
            for (const char* variant : {"host.reference", "host.memcpy"}) {
                const ks::Run run = run_exercise("copy", problem, variant);
                const Array& copy = run.result.at("c").values;
                EXPECT_EQ(copy.shape(), (std::vector<std::size_t>{3, 5, static_cast<std::size_t>(width)}));
                EXPECT_TRUE(std::ranges::equal(copy.as<std::uint16_t>(), problem.values));
                Progress progress;
                EXPECT_EQ(Registry().analysis("copy").check(problem, run, CheckMode::full, progress).state,
                          Verdict::State::pass);
            }
        }
}

TEST(Copy, OfSeveralPiecesIsTheArray) {
    const auto any = array_of(2, 1000, 600, 3);
    const auto& problem = dynamic_cast<const CopyProblem&>(*any);
    const ks::Run run = run_exercise("copy", problem, "host.memcpy");
    EXPECT_TRUE(std::ranges::equal(run.result.at("c").values.as<std::uint16_t>(), problem.values));
}

TEST(Copy, AWrongValueAndWhatLiesBehindTheEndAreFound) {
    const auto any = array_of(2, 3, 5, 3);
    const auto& problem = dynamic_cast<const CopyProblem&>(*any);
    ks::Run run = run_exercise("copy", problem, "host.reference");
    const auto verdict = [&] {
        Progress progress;
        return Registry().analysis("copy").check(problem, run, CheckMode::full, progress);
    };
    run.result.facts["read_behind_the_end"] = 2;
    EXPECT_EQ(verdict().text, "fail: 2 values past the end of the array were read");
    run.result.facts["written_behind_the_end"] = 7;
    EXPECT_EQ(verdict().text, "fail: 7 values past the end of the array were written");
    run.result.datasets.at(0).values.as<std::uint16_t>()[7] ^= 0x8000;
    EXPECT_EQ(verdict().where, "c, element 7");
}

TEST(Copy, TheShapeThatFitsIsNamed) {
    EXPECT_EQ(basics::smaller_shape({32, 512, 1028}, 10 * 512 * 1028 + 1), "choose a depth of at most 10");
    EXPECT_EQ(basics::smaller_shape({32, 512, 1028}, 512 * 1028 - 1),
              "choose a depth of 1 and a height of at most 511");
    EXPECT_EQ(basics::smaller_shape({32, 512, 1028}, 1000),
              "choose a depth and a height of 1 and a width of at most 1000");
    EXPECT_EQ(basics::seen_in(1, {2, 3, 5}), (basics::CopyShape{1, 1, 30}));
    EXPECT_EQ(basics::seen_in(2, {2, 3, 5}), (basics::CopyShape{1, 6, 5}));
    EXPECT_EQ(basics::seen_in(3, {2, 3, 5}), (basics::CopyShape{2, 3, 5}));
}

TEST(Copy, LengthsOf0AndArraysOverTheMemoryAreRefused) {
    EXPECT_TRUE(contains(input_error([] { array_of(1, 0, 5, 3); }), {"height", "from 1", "found 0"}));
    // more values than 64 bits can count
    EXPECT_TRUE(contains(input_error([] { array_of(1'000'000'000, 1'000'000'000, 1'000'000'000, 3); }),
                         {"1000000000 x 1000000000 x 1000000000 values and its copy", "choose a depth"}));
    const auto any = array_of(2, 3, 5, 3);
    for (const HostVariant& row : host_variants_of("copy")) {
        std::vector<Timing> timings;
        Request request;
        Progress progress;
        HostContext context{request, progress, timings, 1, 100};
        EXPECT_TRUE(contains(input_error([&] { row.launch(*any, context); }),
                             {"needs 120 bytes", "two arrays of 30 values"}));
    }
}

}  // namespace
}  // namespace ks::tests::copying
