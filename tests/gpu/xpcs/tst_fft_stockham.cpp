// Fourier transforms on devices: where sums are rounded to integers, g2 has the bytes of host.fft.

#include <gtest/gtest.h>

#include <algorithm>

#include <map>
#include <string>

#include "core/base/error.h"
#include "tests/gpu/xpcs/correlator_series.h"

namespace ks::tests::fft_stockham {
namespace {

// By default, GPUs hold a transform in registers, and processors pass it through memory.
const std::map<std::string, std::string> by_default{}, in_registers{{"WG", "64"}, {"VW", "1"}},
    in_large_groups{{"WG", "256"}, {"VW", "1"}}, in_memory{{"WG", "32"}, {"VW", "1"}};

template <class T>
void expect_bytes_of_host(const RandomSeries<T>& series,
                          const std::map<std::string, std::string>& defines = by_default) {
    const auto problem = series.problem();
    const ks::Run host = CorrelatorRun{"host.fft"}.on("host", problem);
    ASSERT_EQ(host.result.facts.at("exact_sums"), true);
    for (const DeviceInfo& device : opencl_devices()) {
        if (!device.fp64) continue;
        SCOPED_TRACE(device.name + ", " + std::to_string(series.frames) + " frames");
        const ks::Run run = CorrelatorRun{"fft.stockham", {}, defines}.on(std::to_string(device.index),
                                                                          problem, CheckMode::full);
        EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
        EXPECT_EQ(run.result.facts.at("exact_sums"), true);
        EXPECT_TRUE(run.result.at("g2").values == host.result.at("g2").values);
    }
}

TEST(FftStockham, whole_counts_have_the_bytes_of_the_host) {
    // Passes of radix 4 alone, and with one of radix 2.
    for (const std::size_t frames : {1UL, 8UL, 9UL, 17UL, 131UL, 600UL})
        expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = frames, .pixels = 77});
    for (const std::size_t pixels : {1UL, 3UL, 17UL, 700UL})
        for (const auto& defines : {by_default, in_registers, in_memory})
            expect_bytes_of_host(
                RandomSeries<std::uint8_t>{.frames = 45, .pixels = pixels, .bins = 1, .counts = 256},
                defines);
    expect_bytes_of_host(RandomSeries<std::uint16_t>{.frames = 90, .pixels = 33, .bins = 7, .counts = 4000});
}

TEST(FftStockham, each_last_pass_in_registers_has_the_bytes_of_the_host) {
    // Values of a part of the transform: 16 and 512; one series per work-item, and several per group.
    for (const std::size_t frames : {7UL, 300UL})
        expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = frames, .pixels = 77}, in_registers);
    // 64 and 128, with frames in both halves of a transform.
    expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = 100, .pixels = 25, .delays = 20}, in_registers);
    expect_bytes_of_host(
        RandomSeries<std::uint16_t>{.frames = 201, .pixels = 9, .counts = 4000, .delays = 50}, in_registers);
    // Four parts of 1024, and two of 4096, which all items of a group share.
    expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = 1100, .pixels = 11, .bins = 2}, in_registers);
    expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = 2050, .pixels = 7, .bins = 2}, in_large_groups);
    // Sums of four terms each.
    expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = 4000, .pixels = 3, .bins = 1}, in_registers);
}

TEST(FftStockham, frames_that_are_left_out_and_fewer_delays_have_the_bytes_of_the_host) {
    expect_bytes_of_host(
        RandomSeries<std::uint8_t>{.frames = 130, .pixels = 25, .left_out = {0, 63, 64, 129}});
    for (const std::size_t delays : {1UL, 3UL, 70UL})
        expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = 100, .pixels = 25, .delays = delays});
}

TEST(FftStockham, floats_and_large_counts_agree_with_the_definition_and_do_not_change) {
    const RandomSeries<float> reals{.frames = 140, .pixels = 43, .counts = 9, .scale = 0.37, .offset = -0.5};
    const RandomSeries<std::uint32_t> large{.frames = 50, .pixels = 20, .counts = 3e6};
    for (const DeviceInfo& device : opencl_devices()) {
        if (!device.fp64) continue;
        const std::string index = std::to_string(device.index);
        for (const auto& problem : {reals.problem(), large.problem()}) {
            const CorrelatorRun run{"fft.stockham"};
            const ks::Run first = run.on(index, problem, CheckMode::full), second = run.on(index, problem);
            EXPECT_EQ(first.verdict.state, Verdict::State::pass) << first.verdict.text;
            EXPECT_TRUE(first.result.at("g2").values == second.result.at("g2").values);
        }
        EXPECT_EQ(CorrelatorRun{"fft.stockham"}.on(index, reals.problem()).result.facts.at("exact_sums"),
                  false);
    }
}

TEST(FftStockham, the_bytes_do_not_depend_on_the_memory_limit) {
    const auto problem =
        RandomSeries<float>{.frames = 500, .pixels = 1500, .bins = 3, .counts = 9, .scale = 0.37}.problem();
    for (const DeviceInfo& device : opencl_devices()) {
        if (!device.fp64) continue;
        const std::string index = std::to_string(device.index);
        const ks::Run all = CorrelatorRun{"fft.stockham"}.on(index, problem);
        const std::uint64_t least = 3000000 + all.device_bytes_peak / 2;
        const ks::Run few = CorrelatorRun{"fft.stockham", {}, {}, least}.on(index, problem);
        EXPECT_TRUE(all.result.at("g2").values == few.result.at("g2").values);
        try {
            CorrelatorRun{"fft.stockham", {}, {}, 1000000}.on(index, problem);
            ADD_FAILURE() << "ran within 1 MB";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("all frames on the device at once"), std::string::npos)
                << error.what();
        }
    }
}

TEST(FftStockham, is_chosen_for_its_family_only) {
    const auto problem = RandomSeries<std::uint8_t>{.frames = 20, .pixels = 12}.problem();
    for (const DeviceInfo& device : opencl_devices()) {
        const std::string index = std::to_string(device.index);
        if (!device.fp64) {
            EXPECT_THROW((CorrelatorRun{"fft.stockham"}.on(index, problem)), Error);
            continue;
        }
        EXPECT_EQ((CorrelatorRun{"", {{"correlator", std::string("fft")}}}.on(index, problem).variant.id),
                  "fft.stockham");
        EXPECT_NE(CorrelatorRun{""}.on(index, problem).variant.id, "fft.stockham");
    }
    // Where no device is named, processors leave the family to the host.
    if (std::ranges::all_of(opencl_devices(), [](const DeviceInfo& one) { return one.type == "CPU"; })) {
        EXPECT_EQ((CorrelatorRun{"", {{"correlator", std::string("fft")}}}.on("", problem).variant.id),
                  "host.fft");
    }
}

}  // namespace
}  // namespace ks::tests::fft_stockham
