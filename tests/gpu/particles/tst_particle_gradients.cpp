// Gradients in every OpenCL variant that has them and on every device that is found, against the double
// reference of the host and against differences of sums in long double.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/core/io/io_fixture.h"
#include "tests/gpu/particles/particle_rows.h"

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

class Gradients : public Rows {};

const Kind kinds[] = {
    {Kernel::rbf, false, Precision::f32, {1, 5}}, {Kernel::helmholtz, true, Precision::f32, {3}},
    {Kernel::laplace, true, Precision::f32, {2}}, {Kernel::rbf, true, Precision::f64, {2}},
    {Kernel::laplace, true, Precision::f64, {1}}, {Kernel::helmholtz, true, Precision::f64, {2}}};

TEST_P(Gradients, of_gradients_are_those_of_the_reference) {
    if (!has_gradients()) GTEST_SKIP() << "has none";
    for (const Kind& kind : kinds)
        for (const std::size_t vectors : kind.vectors)
            for (const auto& [targets, sources] :
                 {std::pair<std::size_t, std::size_t>{1, 1}, {17, 127}, {128, 128}, {515, 129}})
                expect_right(SumProblem(with_vectors(random_points(sources, 1, kind.complex_weights), vectors,
                                                     kind.complex_weights),
                                        random_points(targets, 2),
                                        with_gradient(settings_of(kind.kernel, kind.precision, 0.3))));
}

TEST_P(Gradients, of_gradients_are_the_differences_of_the_sums) {
    if (!has_gradients() || floats_only()) GTEST_SKIP() << "has none in double";
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace, Kernel::helmholtz}) {
        const SumProblem problem(with_vectors(random_points(130, 1, true), 2, true),
                                 random_points(20, 2, false, 1.3, 2),
                                 with_gradient(settings_of(kernel, Precision::f64, 0.6)));
        for (gpu::DeviceContext* device : devices_for(problem)) {
            const Array found = sums_of(sum_on(*device, variant(), problem).result, problem);
            for (std::size_t row = 0; row < problem.n_rows(); row += 2) {
                if (row / 2 % 4 == 0) continue;
                for (std::size_t t = 0; t < 20; ++t) {
                    const auto expected = defined_slope(problem, problem.target(t), row / 2 % 4 - 1, row / 8);
                    EXPECT_NEAR(found.as<double>()[row * 20 + t], static_cast<double>(expected.real()), 1e-9);
                    EXPECT_NEAR(found.as<double>()[(row + 1) * 20 + t], static_cast<double>(expected.imag()),
                                1e-9);
                }
            }
        }
    }
}

TEST_P(Gradients, skip_coincident_pairs_and_count_each_once) {
    auto targets = std::make_shared<PointSet>(*random_points(90, 5));
    const PointsPtr sources = with_vectors(random_points(80, 4, true), 5, true);
    for (const std::size_t i : {3, 40, 79}) {
        targets->x[i] = sources->x[i];
        targets->y[i] = sources->y[i];
        targets->z[i] = sources->z[i];
    }
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace, Kernel::helmholtz}) {
        const SumProblem problem(sources, targets,
                                 with_gradient(settings_of(kernel, Precision::f32, 0.3), has_gradients()));
        EXPECT_EQ(host_sum(problem, "host.reference").result.facts.at("skipped_pairs"),
                  kernel == Kernel::rbf ? 0 : 3);
        expect_right(problem);
    }
}

TEST_P(Gradients, of_nearly_coincident_points_stay_finite_in_float) {
    if (!has_gradients()) GTEST_SKIP() << "has none";
    // 1 / r^3 of this distance is no float.
    for (const Kernel kernel : {Kernel::laplace, Kernel::helmholtz})
        expect_right(SumProblem(points_of({{0, 0, 0, 1}, {-1, -1, -1, 0}}),
                                points_of({{1e-15, 0, 0, 0}, {1, 1, 1, 0}}),
                                with_gradient(settings_of(kernel, Precision::f32))));
}

TEST_P(Gradients, far_from_all_sources_are_as_small_as_the_precision_allows) {
    if (!has_gradients()) GTEST_SKIP() << "has none";
    // 2^-126 is met at 13 sigma from the source, and 2^-1022 at 38.
    for (const Precision precision : {Precision::f32, Precision::f64})
        expect_right(SumProblem(random_points(20, 1), random_points(300, 2, false, -4, 5),
                                with_gradient(settings_of(Kernel::rbf, precision, 0.1))));
}

KS_FOR_PARTICLE_VARIANTS(Gradients);

TEST(ParticleGradients, are_refused_by_variants_without) {
    const SumProblem problem(random_points(3, 1), PlaneGrid{3, 0, 1, 0, 0, 0},
                             with_gradient(settings_of(Kernel::rbf, Precision::f32)));
    for (const char* variant : particles_ids([](const Variant& one) { return depends_on(one, "gradient"); }))
        for (gpu::DeviceContext* device : devices_of(variant))
            EXPECT_TRUE(contains(input_error([&] { sum_on(*device, variant, problem); }),
                                 {"gradient", variant, "off"}));
}

}  // namespace
