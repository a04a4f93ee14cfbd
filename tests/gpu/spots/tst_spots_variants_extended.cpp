// dispersion_extended by every OpenCL spot finder, on every device that is found, against the definition.

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

}  // namespace

}  // namespace spots_variants_extended_test
