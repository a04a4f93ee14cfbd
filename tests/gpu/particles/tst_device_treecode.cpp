// The treecode on every device that is found, against direct sums in double on the host.

#include <gtest/gtest.h>

#include <string>

#include "core/particles/treecode/treecode_result.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/particles/treecode_points.h"
#include "tests/gpu/particles/particles_device.h"

namespace device_treecode_test {

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

/// Small leaves, so that small problems have clusters that are apart.
const std::map<std::string, std::string> small_leaves{{"LEAF", "32"}};

SumSettings asked(Kernel kernel, double tolerance, Precision precision = Precision::f32,
                  bool gradient = false) {
    SumSettings settings = settings_of(kernel, precision, 0.2, 8);
    settings.tolerance = tolerance;
    settings.gradient = gradient;
    return settings;
}

/// Whether some pairs of clusters are far from each other, on all devices. Each run holds the tolerance at
/// every target by the sums that compare_sums() and check_sums() take as exact.
bool holds(const SumProblem& problem, const std::map<std::string, std::string>& defines = small_leaves) {
    bool far = true;
    for (gpu::DeviceContext* device : devices_of("treecode")) {
        const ks::Run run = sum_on(*device, "treecode", problem, defines);
        Progress progress;
        const Verdict verdict = check_sums(problem, run, CheckMode::full, progress);
        EXPECT_EQ(verdict.state, Verdict::State::pass) << verdict.text;
        EXPECT_EQ(verdict.tolerance, problem.settings().tolerance);
        far = far && run.result.facts.at("far_pairs") > 0;
        EXPECT_EQ(run.result.facts.at("skipped_pairs"),
                  host_sum(problem, "host.vector").result.facts.at("skipped_pairs"));
    }
    return far;
}

TEST(DeviceTreecode, holds_the_error_of_kernels_and_distributions) {
    for (const char* shape : {"cube", "sphere", "clusters", "plane"})
        for (const Kernel kernel : {Kernel::rbf, Kernel::laplace, Kernel::helmholtz})
            EXPECT_TRUE(
                holds(SumProblem(points_in(shape, 5000, 1), points_in(shape, 4000, 2), asked(kernel, 1e-2))))
                << shape;
}

TEST(DeviceTreecode, holds_small_errors_too) {
    const PointsPtr sources = points_in("cube", 6000, 1), targets = points_in("clusters", 3000, 2);
    const std::map<std::string, std::string> defines{{"LEAF", "384"}};
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace, Kernel::helmholtz}) {
        holds(SumProblem(sources, targets, asked(kernel, 1e-4)), {{"LEAF", "128"}});
        holds(SumProblem(sources, targets, asked(kernel, 1e-6, Precision::f64)), defines);
    }
}

TEST(DeviceTreecode, holds_the_error_of_gradients) {
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace, Kernel::helmholtz})
        for (const Precision precision : {Precision::f32, Precision::f64})
            EXPECT_TRUE(holds(SumProblem(points_in("cube", 5000, 1), points_in("cube", 3000, 2),
                                         asked(kernel, 0.03, precision, true))));
}

TEST(DeviceTreecode, sums_several_and_complex_weights) {
    for (const bool complex_weights : {false, true})
        for (const bool gradient : {false, true}) {
            const PointsPtr points = random_points(4000, 1, complex_weights);
            EXPECT_TRUE(holds(SumProblem(with_vectors(points, 3, complex_weights), points_in("cube", 3000, 2),
                                         asked(Kernel::laplace, 0.1, Precision::f32, gradient))));
        }
}

TEST(DeviceTreecode, sums_at_planes_and_cubes) {
    for (const Targets& targets :
         {Targets(PlaneGrid{45, -0.2, 1.3, 0.3, 0.5, 0.75}), Targets(CubeGrid{19, -0.5, 1})})
        for (const bool gradient : {false, true})
            EXPECT_TRUE(holds(SumProblem(points_in("cube", 5000, 1), targets,
                                         asked(Kernel::laplace, 0.03, Precision::f32, gradient))));
}

TEST(DeviceTreecode, skips_coincident_pairs) {
    const PointsPtr points = points_in("clusters", 3000, 1);
    for (const bool gradient : {false, true})
        holds(SumProblem(points, points, asked(Kernel::laplace, 0.03, Precision::f32, gradient)));
    const PointsPtr one = points_of({{7, 7, 7, 1}, {7, 7, 7, 2}});
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace})
        for (const bool gradient : {false, true})
            holds(SumProblem(one, one, asked(kernel, 0.03, Precision::f32, gradient)));
}

TEST(DeviceTreecode, sums_few_points) {
    for (const std::size_t n : {1, 2, 31, 33})
        for (const Kernel kernel : {Kernel::rbf, Kernel::laplace, Kernel::helmholtz})
            holds(SumProblem(random_points(n, 1), random_points(2 * n, 2), asked(kernel, 1e-3)));
}

TEST(DeviceTreecode, is_right_with_each_define_at_its_ends) {
    const SumProblem problem(points_in("cube", 4000, 1), points_in("sphere", 3000, 2),
                             asked(Kernel::laplace, 1e-2));
    for (const DefineSpec& define : particles_row("treecode").info.defines)
        for (const std::string& value : {define.allowed.front(), define.allowed.back()}) {
            SCOPED_TRACE(define.name + "=" + value);
            std::map<std::string, std::string> defines = small_leaves;
            defines[define.name] = value;
            holds(problem, defines);
        }
}

TEST(DeviceTreecode, is_the_same_whatever_the_cuts_and_runs) {
    const SumProblem problem(points_in("clusters", 5000, 1), points_in("cube", 4000, 2),
                             asked(Kernel::laplace, 1e-2));
    for (gpu::DeviceContext* device : devices_of("treecode")) {
        const Array first = sums_of(sum_on(*device, "treecode", problem, small_leaves).result, problem);
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(first, sums_of(sum_on(*device, "treecode", problem, small_leaves).result, problem));
    }
}

TEST(DeviceTreecode, refuses_a_tolerance_beyond_floats) {
    const SumProblem problem(random_points(30, 1), random_points(30, 2), asked(Kernel::laplace, 1e-9));
    for (gpu::DeviceContext* device : devices_of("treecode"))
        EXPECT_TRUE(contains(input_error([&] { sum_on(*device, "treecode", problem); }), {"f64", "1e-09"}));
}

TEST(DeviceTreecode, has_to_be_asked_for_by_name) {
    EXPECT_TRUE(particles_row("treecode").info.by_name_only);
    EXPECT_TRUE(is_treecode(particles_row("treecode").info.id));
}

}  // namespace
}  // namespace device_treecode_test
