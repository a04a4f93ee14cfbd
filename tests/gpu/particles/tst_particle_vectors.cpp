// Several vectors of weights in one pass, in every OpenCL variant and on every device that is found, against
// the double reference of the host.

#include <gtest/gtest.h>

#include "tests/core/io/io_fixture.h"
#include "tests/gpu/particles/particle_rows.h"

namespace particle_vectors_test {

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

class Vectors : public Rows {};

const Kind kinds[] = {{Kernel::rbf, false, Precision::f32, {2, 5}},
                      {Kernel::helmholtz, true, Precision::f32, {5}},
                      {Kernel::rbf, true, Precision::f32, {3}},
                      {Kernel::laplace, true, Precision::f64, {3}},
                      {Kernel::helmholtz, false, Precision::f32, {3}}};

TEST_P(Vectors, of_several_vectors_are_those_of_the_reference) {
    for (const Kind& kind : kinds)
        for (const std::size_t vectors : kind.vectors)
            for (const auto& [targets, sources] :
                 {std::pair<std::size_t, std::size_t>{1, 1}, {129, 65}, {513, 257}})
                expect_right(SumProblem(with_vectors(random_points(sources, 1, kind.complex_weights), vectors,
                                                     kind.complex_weights),
                                        random_points(targets, 2),
                                        settings_of(kind.kernel, kind.precision, 0.3)));
}

TEST_P(Vectors, in_parts_that_fit_a_budget_are_the_same_bytes) {
    const PointsPtr sources = with_vectors(random_points(100, 1), 5, false);
    for (const bool cube : {false, true}) {
        const SumSettings settings =
            with_gradient(settings_of(Kernel::rbf, Precision::f32, 0.3), has_gradients() && !cube);
        const SumProblem problem = cube ? SumProblem(sources, CubeGrid{24, 0, 1}, settings)
                                        : SumProblem(sources, random_points(14000, 2), settings);
        for (gpu::DeviceContext* device : devices_for(problem)) {
            const ks::Run whole = sum_on(*device, variant(), problem);
            const ks::Run parts = sum_on(*device, variant(), problem, {}, 150000);
            EXPECT_EQ(sums_of(whole.result, problem), sums_of(parts.result, problem));
            EXPECT_LE(parts.device_bytes_peak, 150000u);
        }
    }
}

TEST_P(Vectors, of_sources_that_stayed_on_the_device_are_the_same_bytes) {
    const PointsPtr sources = with_vectors(random_points(1000, 1), 5, false), targets = random_points(50, 2);
    const auto problem_of = [&](SumSettings settings, const std::string& key) {
        SumProblem problem(sources, targets, settings);
        problem.sources_key = key;
        return problem;
    };
    const auto uploads = [](const ks::Run& run) {
        return std::ranges::count(run.timings, "upload sources", &Timing::stage);
    };
    const std::string key = "first " + variant();
    const SumProblem wave = problem_of(settings_of(Kernel::helmholtz, Precision::f32, 1, 5), key);
    for (gpu::DeviceContext* device : devices_for(wave)) {
        const SumProblem shorter = problem_of(settings_of(Kernel::helmholtz, Precision::f32, 1, 9), key);
        const SumProblem narrow = problem_of(settings_of(Kernel::rbf, Precision::f32, 0.2), key);
        const SumProblem other = problem_of(settings_of(Kernel::helmholtz, Precision::f32, 1, 9), key + "2");
        EXPECT_EQ(uploads(sum_on(*device, variant(), wave)), 1);
        const ks::Run again = sum_on(*device, variant(), shorter);
        EXPECT_EQ(uploads(again), 0);
        EXPECT_LE(errors_of(shorter, again).scaled, 1e-6);
        const ks::Run scaled = sum_on(*device, variant(), narrow);
        EXPECT_EQ(uploads(scaled), 1) << "coordinates are in units of sigma";
        EXPECT_LE(errors_of(narrow, scaled).scaled, 1e-6);
        const SumProblem wide = problem_of(settings_of(Kernel::rbf, Precision::f32, 0.5), key);
        const ks::Run wider = sum_on(*device, variant(), wide);
        EXPECT_EQ(uploads(wider), 1);
        EXPECT_LE(errors_of(wide, wider).scaled, 1e-6);
        const ks::Run fresh = sum_on(*device, variant(), other);
        EXPECT_EQ(uploads(fresh), 1);
        EXPECT_EQ(sums_of(fresh.result, other), sums_of(again.result, shorter));
        // A small budget drops what stayed.
        const ks::Run tight = sum_on(*device, variant(), shorter, {}, 100000);
        EXPECT_EQ(sums_of(tight.result, shorter), sums_of(again.result, shorter));
        EXPECT_LE(tight.device_bytes_peak, 100000u);
    }
}

KS_FOR_PARTICLE_VARIANTS(Vectors);

}  // namespace

}  // namespace particle_vectors_test
