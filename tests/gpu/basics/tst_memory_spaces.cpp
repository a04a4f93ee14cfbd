// What is read from each space of memory is right at any size, and each speed is a number.

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/basics/memory_spaces/memory_spaces.h"
#include "core/data/missing_value.h"
#include "tests/gpu/basics/exercise_runs.h"

namespace ks::tests::spaces {
namespace {

using basics::Quad;

ParameterSet small(std::int64_t largest, std::int64_t items, std::int64_t passes) {
    return {{"largest", largest}, {"items", items}, {"passes", passes}, {"repeats", std::int64_t{2}}};
}

TEST(MemorySpaces, are_read_right_at_any_size) {
    on_each_device([](const DeviceInfo& device) {
        for (const auto& set : {small(64, 1, 1), small(1 << 16, 65, 7), small(1 << 20, 1000, 64)}) {
            const ks::Run run = run_with("memory_spaces", "every.space", device, set);
            EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
            for (const char* name : {"private", "local", "constant", "global", "to_device", "to_host"})
                EXPECT_GT(run.result.at(name).values.as<double>()[0], 0) << name;
        }
        const ks::Run run = run_with("memory_spaces", "every.space", device, small(1 << 20, 64, 4));
        EXPECT_TRUE(std::isnan(run.result.at("private").values.as<double>().back()))
            << "1 MiB is no private array";
        EXPECT_TRUE(is_missing(run.result.at("private").values.as<double>().back()));
        EXPECT_TRUE(is_missing(run.result.at("sum_private").values.as<double>().back())) << "no sum either";
        EXPECT_FALSE(std::isnan(run.result.at("global").values.as<double>().back()));
        EXPECT_FALSE(std::isnan(run.result.at("sum_global").values.as<double>().back()));
    });
}

TEST(MemorySpaces, whole_sums_of_earlier_versions_pass_the_check) {
    on_each_device([](const DeviceInfo& device) {
        const auto set = small(1024, 64, 4);
        ks::Run run = run_with("memory_spaces", "every.space", device, set);
        for (Dataset& dataset : run.result.datasets) {
            if (!dataset.name.starts_with("sum_")) continue;
            std::vector<std::uint32_t> sums;
            for (const double one : dataset.values.to_doubles())
                sums.push_back(std::isnan(one) ? 0 : static_cast<std::uint32_t>(one));
            dataset.values = Array::of<std::uint32_t>({sums.size()}, sums);
        }
        Progress progress;
        const Verdict verdict =
            engine()
                .registry()
                .analysis("memory_spaces")
                .check(*problem_with("memory_spaces", set), run, CheckMode::full, progress);
        EXPECT_EQ(verdict.state, Verdict::State::pass) << verdict.text;
    });
}

TEST(MemorySpaces, a_wrong_sum_fails_the_check) {
    on_each_device([](const DeviceInfo& device) {
        const auto set = small(1024, 64, 4);
        ks::Run run = run_with("memory_spaces", "every.space", device, set);
        for (Dataset& dataset : run.result.datasets)
            if (dataset.name == "sum_local") dataset.values.as<double>()[1] += 1;
        Progress progress;
        EXPECT_EQ(engine()
                      .registry()
                      .analysis("memory_spaces")
                      .check(*problem_with("memory_spaces", set), run, CheckMode::full, progress)
                      .text,
                  "fail: 1 sum from the device differs from that from the host, the first in sum_local, "
                  "256 bytes");
    });
}

TEST(MemorySpaces, sums_of_reads_are_those_of_a_plain_loop) {
    std::vector<Quad> quads;
    for (std::uint32_t i = 0; i < 8; ++i) quads.push_back({i, 10 * i, 100 * i, 1000 * i});
    std::uint32_t sum = 0;
    for (std::uint32_t item = 0; item < 5; ++item)
        for (std::uint32_t pass = 0; pass < 3; ++pass)
            for (const std::uint32_t factor : {1U, 10U, 100U, 1000U})
                sum += ((item + 5 * pass) % 8 * factor) ^ pass;
    EXPECT_EQ(basics::sum_of_reads(quads, 5, 3, 2), sum);
    EXPECT_EQ(basics::step_of(8, 16), 1U) << "else each pass would read the same";
    EXPECT_EQ(basics::step_of(8, 19), 3U);
}

}  // namespace
}  // namespace ks::tests::spaces
