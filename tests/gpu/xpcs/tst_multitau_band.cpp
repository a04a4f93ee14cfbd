// Multi-tau on devices: for whole counts, the bytes of host.multitau, however the frames are cut.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "tests/gpu/xpcs/correlator_series.h"

namespace ks::tests::multitau_band {
namespace {

ParameterSet channels(std::int64_t n) {
    return {{"channels", n}};
}

template <class T>
void expect_bytes_of_host(const RandomSeries<T>& series, std::int64_t m,
                          const std::map<std::string, std::string>& defines = {}) {
    const auto problem = series.problem();
    const ks::Run host = CorrelatorRun{"host.multitau", channels(m)}.on("host", problem);
    for (const DeviceInfo& device : opencl_devices()) {
        SCOPED_TRACE(device.name + ", " + std::to_string(series.frames) + " frames");
        const ks::Run run = CorrelatorRun{"multitau.band", channels(m), defines}.on(
            std::to_string(device.index), problem, CheckMode::full);
        EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
        for (const char* name : {"g2", "g2_err", "delay"})
            EXPECT_TRUE(run.result.at(name).values == host.result.at(name).values) << name;
        EXPECT_EQ(run.result.facts.at("averaging"), host.result.facts.at("averaging"));
    }
}

TEST(MultitauBand, whole_counts_have_the_bytes_of_the_host) {
    for (const std::size_t frames : {1UL, 2UL, 9UL, 16UL, 17UL, 131UL, 600UL})
        expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = frames, .pixels = 77}, 8);
    expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = 40, .pixels = 1, .bins = 1}, 4);
    // The last level has one pair of sums, and then one frame less.
    for (const std::size_t frames : {24UL, 23UL})
        expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = frames, .pixels = 40}, 8);
    expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = 70, .pixels = 5000, .bins = 1, .counts = 256},
                         16);
    expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = 90, .pixels = 33, .bins = 7}, 6);
}

TEST(MultitauBand, large_counts_have_the_bytes_of_the_host) {
    // Beyond floats at some level, and from the first one on.
    expect_bytes_of_host(RandomSeries<std::uint16_t>{.frames = 150, .pixels = 41, .counts = 400}, 8);
    expect_bytes_of_host(RandomSeries<std::uint16_t>{.frames = 150, .pixels = 41, .counts = 65536}, 8);
    expect_bytes_of_host(RandomSeries<std::uint32_t>{.frames = 50, .pixels = 20, .counts = 3e6}, 4);
}

TEST(MultitauBand, sums_with_a_frame_that_is_left_out_have_the_bytes_of_the_host) {
    for (const auto& frames : {std::vector<std::size_t>{0}, {5, 6, 40, 41, 42, 129}, {63, 64}})
        expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = 130, .pixels = 25, .left_out = frames}, 8);
}

TEST(MultitauBand, fewer_delays_have_the_bytes_of_the_host) {
    for (const std::size_t delays : {1UL, 3UL, 8UL, 21UL})
        expect_bytes_of_host(RandomSeries<std::uint8_t>{.frames = 100, .pixels = 25, .delays = delays}, 8);
}

TEST(MultitauBand, shared_groups_have_the_bytes_of_the_host) {
    const RandomSeries<std::uint8_t> series{.frames = 53, .pixels = 700, .bins = 2};
    for (const auto& [group, block] : {std::pair("32", "8"), std::pair("256", "1"), std::pair("128", "4")})
        expect_bytes_of_host(series, 10,
                             {{"WG", group}, {"VW", "1"}, {"RT", "8"}, {"RK", block}, {"PIECE", "256"}});
}

TEST(MultitauBand, floats_agree_with_the_definition) {
    const RandomSeries<float> series{
        .frames = 140, .pixels = 43, .counts = 9, .scale = 0.37, .offset = -0.5, .left_out = {3, 77}};
    const auto problem = series.problem();
    for (const DeviceInfo& device : opencl_devices()) {
        if (!device.fp64) continue;
        const ks::Run run = CorrelatorRun{"multitau.band", channels(8)}.on(std::to_string(device.index),
                                                                           problem, CheckMode::full);
        EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
    }
}

TEST(MultitauBand, the_bytes_do_not_depend_on_the_memory_limit) {
    RandomSeries<std::uint8_t> whole{.frames = 700, .pixels = 3000, .bins = 3};
    RandomSeries<std::uint8_t> cut = whole;
    cut.keep = 0;
    for (const DeviceInfo& device : opencl_devices()) {
        const std::string index = std::to_string(device.index);
        const ks::Run all = CorrelatorRun{"multitau.band"}.on(index, whole.problem());
        for (const std::uint64_t limit : {std::uint64_t{2600000}, std::uint64_t{4000000}}) {
            const ks::Run run =
                CorrelatorRun{"multitau.band", {}, {}, limit}.on(index, cut.problem(), CheckMode::full);
            EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
            EXPECT_LE(run.device_bytes_peak, limit);
            const auto row = std::ranges::find(run.timings, "take frames", &Timing::stage);
            ASSERT_NE(row, run.timings.end());
            EXPECT_GT(row->launches, 3U);
            for (const char* name : {"g2", "g2_err"})
                EXPECT_TRUE(run.result.at(name).values == all.result.at(name).values) << name;
        }
        try {
            CorrelatorRun{"multitau.band", {}, {}, 100000}.on(index, cut.problem());
            ADD_FAILURE() << "ran within 100 kB";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            EXPECT_NE(std::string(error.what()).find("need at least"), std::string::npos) << error.what();
        }
    }
}

TEST(MultitauBand, memory_does_not_grow_with_the_frames) {
    const auto peak = [](const DeviceInfo& device, std::size_t frames) {
        RandomSeries<std::uint8_t> series{.frames = frames, .pixels = 2000, .bins = 1};
        series.keep = 0;
        return CorrelatorRun{"multitau.band", {{"levels", std::int64_t{3}}}, {}, 4000000}
            .on(std::to_string(device.index), series.problem())
            .device_bytes_peak;
    };
    // Whether two chunks of frames are there together depends on when the first one has been used.
    constexpr std::size_t chunk = 256 * 2000;
    for (const DeviceInfo& device : opencl_devices())
        EXPECT_LE(peak(device, 6000), peak(device, 3000) + chunk);
}

TEST(MultitauBand, other_families_refuse_and_a_map_is_refused) {
    const auto problem = RandomSeries<std::uint8_t>{.frames = 20, .pixels = 12}.problem();
    for (const DeviceInfo& device : opencl_devices()) {
        const std::string index = std::to_string(device.index);
        EXPECT_EQ(
            (CorrelatorRun{"", {{"correlator", std::string("multitau")}}}.on(index, problem).variant.id),
            "multitau.band");
        EXPECT_NE(CorrelatorRun{""}.on(index, problem).variant.id, "multitau.band");
        for (const ParameterSet& parameters :
             {ParameterSet{{"correlator", std::string("fft")}},
              ParameterSet{{"two_time_bin", std::int64_t{1}}}, ParameterSet{{"rebin", std::int64_t{4}}}})
            EXPECT_THROW((CorrelatorRun{"multitau.band", parameters}.on(index, problem)), Error);
    }
    // Where no device is named, processors leave the family to the host.
    if (std::ranges::all_of(opencl_devices(), [](const DeviceInfo& one) { return one.type == "CPU"; })) {
        EXPECT_EQ((CorrelatorRun{"", {{"correlator", std::string("multitau")}}}.on("", problem).variant.id),
                  "host.multitau");
    }
}

}  // namespace
}  // namespace ks::tests::multitau_band
