// Samplers of devices against those of the standard, in every mode, and those against values by hand.

#include "core/basics/images/sampler.h"
#include "tests/gpu/basics/exercise_runs.h"

namespace ks::tests::samplers {
namespace {

using basics::Addressing;

ParameterSet sampled(const char* addressing, const char* filter, bool normalised, double zoom, double shift) {
    return {{"width", std::int64_t{37}},
            {"height", std::int64_t{19}},
            {"addressing", std::string(addressing)},
            {"filter", std::string(filter)},
            {"normalised", normalised},
            {"zoom", zoom},
            {"shift_x", shift},
            {"shift_y", -2 * shift}};
}

TEST(Images, are_sampled_as_the_standard_says_in_every_mode) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* addressing : {"clamp_to_edge", "clamp", "none", "repeat", "mirrored_repeat"})
            for (const char* filter : {"nearest", "linear"})
                for (const bool normalised : {false, true}) {
                    if (!normalised && std::string(addressing).ends_with("repeat")) continue;
                    for (const double zoom : {1.0, 0.3, 2.7})
                        for (const double shift : {0.0, 5.3}) {
                            const auto set = sampled(addressing, filter, normalised, zoom, shift);
                            const ks::Run run = run_with("images", "sampler", device, set);
                            EXPECT_EQ(run.verdict.state, Verdict::State::pass)
                                << addressing << " " << filter << (normalised ? " normalised" : "")
                                << " zoom " << zoom << " shift " << shift << ": " << run.verdict.text;
                        }
                }
    });
}

TEST(Images, are_copied_where_nothing_is_shifted) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run =
            run_with("images", "sampler", device, sampled("clamp_to_edge", "nearest", false, 1, 0));
        EXPECT_EQ(run.result.at("sampled").values, run.result.at("source").values);
        EXPECT_NE(text_of(run.result.at("formats")).find("RGBA"), std::string::npos);
    });
}

TEST(Images, modes_without_their_coordinates_are_refused) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* addressing : {"repeat", "mirrored_repeat"})
            EXPECT_NE(refusal_of("images", "sampler", device, sampled(addressing, "linear", false, 1, 0))
                          .find("needs normalised coordinates"),
                      std::string::npos);
    });
}

TEST(Images, a_wrong_pixel_fails_the_check) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* filter : {"nearest", "linear"}) {
            const auto set = sampled("clamp", filter, false, 1.5, 0.25);
            ks::Run run = run_with("images", "sampler", device, set);
            run.result.datasets.at(0).values.as<float>()[5 * 37 + 7] += 0.03F;
            Progress progress;
            const Verdict verdict = engine().registry().analysis("images").check(
                *problem_with("images", set), run, CheckMode::full, progress);
            EXPECT_EQ(verdict.state, Verdict::State::fail);
            EXPECT_EQ(verdict.where, "sampled, row 5, column 7");
        }
    });
}

TEST(Samplers, of_the_host_give_values_known_by_hand) {
    const std::vector<float> values = {1, 2, 4, 8};
    const basics::Picture row{values, 4, 1};
    const auto nearest = [&](Addressing mode, double u) { return nearest_value(row, mode, u, 0.5); };
    EXPECT_EQ(nearest(Addressing::clamp_to_edge, -3), 1);
    EXPECT_EQ(nearest(Addressing::clamp, -3), 0);
    EXPECT_EQ(nearest(Addressing::repeat, -0.5), 8);
    EXPECT_EQ(nearest(Addressing::repeat, 5.5), 2);
    EXPECT_EQ(nearest(Addressing::mirrored_repeat, -0.5), 1);
    EXPECT_EQ(nearest(Addressing::mirrored_repeat, 4.5), 8);
    EXPECT_EQ(nearest(Addressing::mirrored_repeat, 8.5), 1);
    const auto linear = [&](Addressing mode, double u) { return linear_value(row, mode, u, 0.5); };
    EXPECT_EQ(linear(Addressing::clamp_to_edge, 1.5), 2);
    EXPECT_EQ(linear(Addressing::clamp_to_edge, 2), 3);
    EXPECT_EQ(linear(Addressing::clamp_to_edge, 0), 1);
    EXPECT_EQ(linear(Addressing::clamp, 0), 0.5) << "half of the border, which is 0";
    EXPECT_EQ(linear(Addressing::repeat, 4), 4.5) << "between the last and the first";
    EXPECT_EQ(linear(Addressing::mirrored_repeat, 4), 8);
}

}  // namespace
}  // namespace ks::tests::samplers
