// The particle sums under oclgrind: this program calls itself there, once for each variant.

#include <gtest/gtest.h>

#include "core/particles/treecode/treecode_result.h"
#include "tests/gpu/particles/particles_device.h"
#include "tests/gpu/under_oclgrind.h"

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

class OnOclgrind : public ::testing::TestWithParam<const char*> {};

TEST_P(OnOclgrind, the_kernels_are_clean) {
    expect_clean_under_oclgrind(GetParam());
}

// The simulator has no vendor's extensions.
INSTANTIATE_TEST_SUITE_P(Variants, OnOclgrind, ::testing::ValuesIn(particles_ids([](const Variant& variant) {
                             return variant.constraints.extensions.empty();
                         })),
                         name_of_variant);

/// Gradients too, where the variant has any.
SumSettings with_gradient(Kernel kernel) {
    SumSettings settings = settings_of(kernel, Precision::f32, 0.3);
    const char* const variant = std::getenv(under_oclgrind);
    settings.gradient = variant != nullptr && !depends_on(particles_row(variant).info, "gradient");
    return settings;
}

void expect_as_asked(const SumProblem& problem, const ks::Run& run) {
    Progress progress;
    const Verdict verdict = check_sums(problem, run, CheckMode::full, progress);
    EXPECT_EQ(verdict.state, Verdict::State::pass) << verdict.text;
}

// A treecode sums directly here, as points are few: what compilers make of its clusters oclgrind 21.10 cannot
// execute.
TEST(InsideOclgrind, the_variant_sums_as_the_reference_does) {
    const char* variant = std::getenv(under_oclgrind);
    if (variant == nullptr) GTEST_SKIP() << "runs under oclgrind only";
    ASSERT_FALSE(test_devices().empty());
    const PointsPtr sources = random_points(37, 1), complex_sources = random_points(37, 1, true);
    const SumProblem problems[] = {
        {sources, PlaneGrid{5, 0, 1, 0.2, 0.3, 0.4}, settings_of(Kernel::rbf, Precision::f32, 0.3)},
        {sources, sources, settings_of(Kernel::laplace, Precision::f32)},
        {complex_sources, random_points(41, 2), settings_of(Kernel::helmholtz, Precision::f32)},
        {random_points(300, 3), random_points(20, 4), settings_of(Kernel::laplace, Precision::f32)},
        {with_vectors(sources, 5, false), CubeGrid{4, 0, 1}, with_gradient(Kernel::rbf)},
        {with_vectors(complex_sources, 2, true), sources, with_gradient(Kernel::helmholtz)}};
    for (const auto& device : test_devices())
        for (const SumProblem& problem : problems)
            if (takes(variant, problem, *device)) {
                const ks::Run run = sum_on(*device, variant, problem);
                if (is_approximate(run.variant))
                    expect_as_asked(problem, run);
                else
                    EXPECT_LE(errors_of(problem, run).scaled, 2e-6) << variant;
            }
}

}  // namespace
