// dispersion_extended by every OpenCL spot finder, on every device that is found, against the definition.

#include <algorithm>
#include <string>
#include <vector>

#include "tests/gpu/spots/spots_cases.h"

namespace spots_variants_extended_test {

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

class EveryExtendedCase : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EveryExtendedCase, every_variant_finds_the_signal_of_extended_dispersion) {
    const Case c = cases()[GetParam()];
    expect_definition(c.name, *extended(c.problem));
}

INSTANTIATE_TEST_SUITE_P(SpotsVariantsExtended, EveryExtendedCase,
                         ::testing::Range(std::size_t{0}, cases().size()), name_of_case);

TEST(SpotsVariantsExtended, what_erosion_keeps_anywhere_is_found_on_strips_of_any_size) {
    std::size_t signal = 0;
    for (const auto& [kx, ky] : {std::pair{3, 3}, {1, 1}, {2, 5}, {10, 8}})
        for (const auto& strips : {std::map<std::string, std::string>{{"COLUMNS", "128"}, {"ROWS", "32"}},
                                   {{"COLUMNS", "512"}, {"ROWS", "128"}}}) {
            const Patches patches(static_cast<unsigned>(kx * 16 + ky));
            const ProblemPtr problem =
                problem_of(Array::of<std::uint16_t>({1, Patches::height, Patches::width}, patches.values),
                           {Patches::height, Patches::width, patches.ignore}, with(kx, ky, 12, 1));
            signal += expect_definition("patches", *extended(problem), {}, strips, "COLUMNS");
            expect_definition("patches", *extended(problem), {}, {}, "LANES");
        }
    EXPECT_GT(signal, 2000u);
}

TEST(SpotsVariantsExtended, by_the_older_rule_invalid_pixels_erode_signal) {
    for (const auto& [kx, ky] : {std::pair{3, 3}, {1, 1}, {2, 5}, {10, 8}}) {
        const Patches patches(static_cast<unsigned>(kx * 16 + ky));
        const auto problem = [&, kx = kx, ky = ky](const Array& frames, ExtendedRule rule) {
            return extended(
                problem_of(frames, {Patches::height, Patches::width, patches.ignore}, with(kx, ky, 12, 1)),
                rule);
        };
        const Array counts = Array::of<std::uint16_t>({1, Patches::height, Patches::width}, patches.values);
        const std::vector<float> values(patches.values.begin(), patches.values.end());
        const Array floats = Array::of<float>({1, Patches::height, Patches::width}, values);
        const std::size_t newer = expected_signal(*problem(counts, ExtendedRule::newer), 0).size(),
                          older = expect_definition("older", *problem(counts, ExtendedRule::older));
        // Windows of 1 erode nothing, so the rules agree.
        EXPECT_EQ(older == newer, std::min(kx, ky) == 1) << kx << " x " << ky;
        EXPECT_GT(older, 100u);
        expect_definition("older, floats", *problem(floats, ExtendedRule::older));
    }
    // In modules, and with pixels that are invalid by their counts.
    for (const Case& c : cases()) {
        const std::string name = c.name;
        const std::vector<std::string> some{"modules",
                                            "a limit and a gain",
                                            "i16",
                                            "u32, large windows",
                                            "f32 from 2^24 on, modules",
                                            "as small as the window"};
        if (std::ranges::find(some, name) == some.end()) continue;
        expect_definition("older, " + name, *extended(c.problem, ExtendedRule::older));
    }
}

}  // namespace

}  // namespace spots_variants_extended_test
