// Every OpenCL spot finder, on every device that is found, against the definition: bit for bit.

#include <random>

#include "tests/gpu/spots/spots_cases.h"

namespace spots_variants_test {

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

class EveryCase : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EveryCase, every_variant_finds_the_signal_of_the_definition) {
    const Case c = cases()[GetParam()];
    EXPECT_GT(expect_definition(c.name, *c.problem), 0u) << c.name;
}

INSTANTIATE_TEST_SUITE_P(SpotsVariants, EveryCase, ::testing::Range(std::size_t{0}, cases().size()),
                         name_of_case);

/// Ties: the excess of a window is set to what the thresholds ask for, by thresholds made from the window.
TEST(SpotsVariants, ties_come_out_as_the_definition_rounds_them) {
    std::mt19937 random(5);
    std::size_t signal = 0;
    for (int round = 0; round < 12; ++round) {
        const std::size_t side = 21;
        std::vector<std::uint16_t> values(side * side);
        std::poisson_distribution<int> noise(round % 3 == 0 ? 300 : 4);
        for (auto& value : values) value = static_cast<std::uint16_t>(noise(random));
        values[10 * side + 10] = static_cast<std::uint16_t>(values[10 * side + 10] + 200 + 30 * round);
        double x = 0, y = 0;
        for (std::size_t i = 7; i < 14; ++i)
            for (std::size_t j = 7; j < 14; ++j) {
                x += values[i * side + j];
                y += static_cast<double>(values[i * side + j]) * values[i * side + j];
            }
        const double p = values[10 * side + 10];
        Thresholds thresholds =
            with(3, 3, (49 * y - x * x - 48 * x) / x / std::sqrt(96.0), (49 * p - x) / std::sqrt(49 * x));
        if (round % 2 == 1) thresholds.gain = 1 + 1e-15 * round;
        // the thresholds themselves, and their neighbours on both sides
        for (const int step : {-1, 0, 1}) {
            Thresholds near = thresholds;
            const double to = step < 0 ? 0 : 1e9;
            if (step != 0) near.sigma_b = std::nextafter(near.sigma_b, to);
            if (step != 0) near.sigma_s = std::nextafter(near.sigma_s, to);
            signal += expect_definition(
                "tie", *problem_of(Array::of<std::uint16_t>({1, side, side}, values), {}, near));
        }
    }
    EXPECT_GT(signal, 0u);
}

TEST(SpotsVariants, any_number_of_signal_pixels_comes_through) {
    // Half of the pixels are signal: more than a list holds, and more than a queue of candidates.
    const ProblemPtr problem = problem_of(checkerboard<std::uint16_t>(2, 240, 65535), {}, with(3, 3, 6, 0.1));
    EXPECT_GT(expect_definition("checkerboard", *problem), 50000u);
    expect_definition("a group's queue", *problem, {}, {{"DECIDE_WG", "64"}, {"DECIDE_WORDS", "4"}},
                      "DECIDE_WG");
}

template <class T>
void expect_definition_at_the_largest_count() {
    RandomScene hot;
    hot.hot = 20;
    hot.hot_value = static_cast<double>(std::numeric_limits<T>::max());
    for (const double below : {1.0, 0.5, 0.0, -1.0, -1000.0}) {
        Thresholds thresholds;
        thresholds.global_threshold = hot.hot_value - below;
        const std::size_t signal = expect_definition("threshold", *scene<T>(hot, thresholds));
        EXPECT_EQ(signal > 0, below > 0) << below;
    }
}

TEST(SpotsVariants, a_threshold_at_the_largest_count_or_above_it_leaves_no_signal) {
    expect_definition_at_the_largest_count<std::uint8_t>();
    expect_definition_at_the_largest_count<std::uint16_t>();
    expect_definition_at_the_largest_count<std::int16_t>();
}

TEST(SpotsVariants, floats_are_refused_by_those_for_counts_with_a_sentence) {
    for (const ProblemPtr& problem :
         {problem_of(awkward_floats({}), {}, {}), extended(problem_of(awkward_floats({}), {}, {}))})
        for (const char* variant : spots_ids([](const Variant& one) { return depends_on(one, "element"); })) {
            if (why_not(spots_row(variant).info, {{"algorithm", traits_of(*problem).at("algorithm")}}, true)
                    .size() > 0)
                continue;
            for (const auto& device : test_devices()) try {
                    find_on(*device, variant, *problem);
                    FAIL() << variant << " accepted";
                } catch (const Error& error) {
                    EXPECT_EQ(error.kind(), ErrorKind::input);
                    EXPECT_NE(std::string(error.what()).find("f32"), std::string::npos);
                }
        }
}

}  // namespace

}  // namespace spots_variants_test
