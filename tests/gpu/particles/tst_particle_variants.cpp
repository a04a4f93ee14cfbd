// Every OpenCL variant, on every device that is found, against the double reference of the host.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/io/points/point_file.h"
#include "tests/core/io/io_fixture.h"
#include "tests/gpu/particles/particle_rows.h"

namespace particle_variants_test {

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

class Sums : public Rows {};

/// Each kernel with real and complex weights in one of the precisions at least.
struct SumKind {
    Kernel kernel;
    bool complex_weights;
    Precision precision;
};
constexpr SumKind kinds[] = {
    {Kernel::rbf, false, Precision::f32},       {Kernel::rbf, true, Precision::f64},
    {Kernel::laplace, true, Precision::f32},    {Kernel::laplace, false, Precision::f64},
    {Kernel::helmholtz, false, Precision::f32}, {Kernel::helmholtz, true, Precision::f32},
    {Kernel::helmholtz, true, Precision::f64}};

TEST_P(Sums, of_any_size_are_those_of_the_reference) {
    for (const SumKind& kind : kinds)
        for (const auto& [targets, sources] : {std::pair<std::size_t, std::size_t>{1, 1},
                                               {2, 129},
                                               {15, 1},
                                               {17, 64},
                                               {127, 128},
                                               {129, 65},
                                               {511, 127},
                                               {513, 257},
                                               {1025, 300}})
            expect_right(SumProblem(random_points(sources, 1, kind.complex_weights),
                                    random_points(targets, 2),
                                    settings_of(kind.kernel, kind.precision, 0.3)));
}

TEST_P(Sums, on_planes_of_any_size_are_those_of_the_reference) {
    for (const std::size_t side : {1, 2, 3, 15, 16, 17, 33, 64})
        expect_right(SumProblem(random_points(70, 3), PlaneGrid{side, -0.5, 1.25, 0.25, 0.5, 0.75},
                                settings_of(Kernel::rbf, Precision::f32, 0.4)));
    expect_right(SumProblem(random_points(70, 3), PlaneGrid{19, -0.5, 1.25, 0.25, 0.5, 0.75},
                            settings_of(Kernel::helmholtz, Precision::f64)));
}

TEST_P(Sums, skip_coincident_pairs_of_singular_kernels_and_count_them) {
    auto sources = std::make_shared<PointSet>(*random_points(80, 4, true));
    auto targets = std::make_shared<PointSet>(*random_points(90, 5));
    for (const std::size_t i : {3, 40, 79}) {
        targets->x[i] = sources->x[i];
        targets->y[i] = sources->y[i];
        targets->z[i] = sources->z[i];
    }
    for (const SumKind& kind : kinds)
        if (kind.complex_weights)
            expect_right({sources, targets, settings_of(kind.kernel, kind.precision, 0.3)});
    // On planes: sources on a lattice whose points are targets.
    std::vector<std::array<double, 4>> lattice;
    for (const double a : {0.0, 0.25, 0.5, 1.0})
        for (const double b : {0.0, 0.75, 1.0}) lattice.push_back({a, b, 0.0, 1.0 + a});
    const SumProblem problem(points_of(lattice), PlaneGrid{5, 0, 1, 0, 0, 0}, settings_of(Kernel::laplace));
    EXPECT_EQ(host_sum(problem, "host.reference").result.facts.at("skipped_pairs"), 12 + 4 + 3);
    expect_right(problem);
    expect_right(
        {points_of(lattice), PlaneGrid{5, 0, 1, 0, 0, 0}, settings_of(Kernel::laplace, Precision::f32)});
}

TEST_P(Sums, of_all_points_at_one_place_are_right) {
    const PointsPtr one = points_of({{7, 7, 7, 1}, {7, 7, 7, 2}});
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace})
        expect_right({one, one, settings_of(kernel, Precision::f32)});
}

TEST_P(Sums, helmholtz_without_a_wavenumber_is_laplace) {
    const PointsPtr sources = random_points(130, 5), targets = random_points(70, 6);
    const SumProblem still(sources, targets, settings_of(Kernel::helmholtz, Precision::f32, 1, 0));
    const SumProblem laplace(sources, targets, settings_of(Kernel::laplace, Precision::f32));
    for (gpu::DeviceContext* device : devices_for(still)) {
        const Array a = sums_of(sum_on(*device, variant(), still).result, still);
        const Array b = sums_of(sum_on(*device, variant(), laplace).result, laplace);
        for (std::size_t t = 0; t < 70; ++t) {
            EXPECT_NEAR(a.as<double>()[t], b.as<double>()[t], 1e-5);
            EXPECT_NEAR(a.as<double>()[70 + t], 0, 1e-6);
        }
    }
}

TEST_P(Sums, do_not_change_where_everything_is_moved) {
    const auto moved = [](const PointsPtr& points, double by) {
        auto copy = std::make_shared<PointSet>(*points);
        for (double& x : copy->x) x = std::round(x * 0x1p20) * 0x1p-20 + by;
        return copy;
    };
    const PointsPtr sources = random_points(66, 7), targets = random_points(50, 8);
    const SumSettings settings = settings_of(Kernel::rbf, Precision::f32, 0.3);
    const SumProblem here(moved(sources, 0), moved(targets, 0), settings);
    const SumProblem there(moved(sources, 4096), moved(targets, 4096), settings);
    for (gpu::DeviceContext* device : devices_for(here)) {
        EXPECT_EQ(sums_of(sum_on(*device, variant(), here).result, here),
                  sums_of(sum_on(*device, variant(), there).result, there));
    }
}

TEST_P(Sums, in_parts_that_fit_a_budget_are_the_same_bytes) {
    for (const bool on_planes : {false, true}) {
        const PointsPtr sources = random_points(100, 1);
        const SumSettings settings = settings_of(Kernel::rbf, Precision::f32, 0.3);
        const SumProblem problem = on_planes ? SumProblem(sources, PlaneGrid{70, 0, 1, 0, 0, 0}, settings)
                                             : SumProblem(sources, random_points(14700, 2), settings);
        for (gpu::DeviceContext* device : devices_for(problem)) {
            const ks::Run whole = sum_on(*device, variant(), problem);
            const ks::Run parts = sum_on(*device, variant(), problem, {}, 40000);
            EXPECT_EQ(sums_of(whole.result, problem), sums_of(parts.result, problem));
            EXPECT_LE(parts.device_bytes_peak, 40000u);
            EXPECT_GT(whole.device_bytes_peak, 58000u);
        }
    }
    const SumProblem large(random_points(5000, 1), random_points(10, 2),
                           settings_of(Kernel::rbf, Precision::f32));
    for (gpu::DeviceContext* device : devices_for(large))
        EXPECT_TRUE(contains(input_error([&] { sum_on(*device, variant(), large, {}, 40000); }),
                             {"sources", "5000"}));
}

TEST_P(Sums, of_more_sources_than_a_launch_takes_are_right) {
    if (!is_default(gpu::particles::cl_variants(), variant())) GTEST_SKIP() << "takes long";
    const std::size_t sources = (1 << 18) + 77;
    expect_right(
        {random_points(sources, 1), random_points(33, 2), settings_of(Kernel::rbf, Precision::f32, 0.3)});
}

TEST_P(Sums, of_the_published_problem_are_within_2e_6_of_the_reference_at_every_target) {
    const std::string data = reference_data("particles_50.csv");
    Progress progress;
    const auto sources =
        std::make_shared<const PointSet>(io::read_points(data, io::Weights::wanted, progress).points);
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        const SumProblem problem(sources, PlaneGrid{400, 0, 1, 0, 0, 0}, settings_of(Kernel::rbf, precision));
        for (gpu::DeviceContext* device : devices_for(problem)) {
            const ks::Run run = sum_on(*device, variant(), problem);
            const SumErrors errors = errors_of(problem, run);
            if (precision == Precision::f32) {
                const auto& tolerances = run.variant.tolerances;
                EXPECT_LE(errors.absolute, tolerances.empty() ? 2e-6 : tolerances.front().tolerance);
            } else {
                EXPECT_LE(errors.relative, 1e-12);
                EXPECT_EQ(errors.distinct, problem.n_targets());
            }
            for (const auto& [name, value] : {std::pair{"potential_xy", 10260.66612239914},
                                              {"potential_xz", 40813.4875710929},
                                              {"potential_yz", 17363.491721525763}}) {
                double sum = 0;
                for (const double v : run.result.at(name).values.to_doubles()) sum += v;
                EXPECT_NEAR(sum / value, 1, precision == Precision::f64 ? 1e-12 : 1e-6) << name;
            }
        }
    }
}

KS_FOR_PARTICLE_VARIANTS(Sums);

TEST(ParticleVariants, with_float_products_refuse_f64) {
    const SumProblem problem(random_points(3, 1), PlaneGrid{3, 0, 1, 0, 0, 0}, settings_of(Kernel::rbf));
    for (const char* variant : particles_ids([](const Variant& one) { return depends_on(one, "precision"); }))
        for (gpu::DeviceContext* device : devices_of(variant))
            EXPECT_TRUE(contains(input_error([&] { sum_on(*device, variant, problem); }),
                                 {"precision", variant, "f64"}));
}

TEST(ParticleVariants, hear_a_cancel_between_launches) {
    const SumProblem problem(random_points(4000, 1), PlaneGrid{400, 0, 1, 0, 0, 0},
                             settings_of(Kernel::rbf, Precision::f32));
    const auto& device = test_devices().front();
    for (const gpu::ClVariant& row : gpu::particles::cl_variants()) {
        if (!able(*device, row) || !takes(row.info.id, problem, *device)) continue;
        ks::Run run;
        Progress progress([&](double fraction, const std::string&) {
            if (fraction > 0) progress.cancel();
        });
        run.variant = particles_row(row.info.id).info;
        gpu::LaunchContext context(*device, run, progress, row.tuning);
        try {
            row.launch(problem, context);
            // quick ones end in their first launch
            EXPECT_TRUE(device->info().type == "GPU" || !row.info.baseline) << "was not heard";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::cancelled) << error.what();
        }
    }
}

TEST(ParticleVariants, the_published_block_says_where_its_groups_are_too_large_and_the_tuned_one_runs_there) {
    std::vector<gpu::FoundDevice> found = gpu::find_devices();
    ASSERT_FALSE(found.empty()) << "no OpenCL device";
    found.front().info.largest_work_group = 256;
    gpu::DeviceContext small(found.front());
    const SumProblem problem(random_points(50, 1), random_points(300, 2),
                             settings_of(Kernel::rbf, Precision::f32));
    const gpu::ClVariant seed =
        particles_row(particles_ids([](const Variant& one) { return one.baseline; }).front());
    const std::string refused = input_error([&] { sum_on(small, seed.info.id, problem); });
    EXPECT_TRUE(contains(refused, {seed.info.id, "16 x 50 = 800 work-items", "at most 256", "SOURCES"}))
        << refused;
    EXPECT_LE(errors_of(problem, sum_on(small, seed.info.id, problem, {{"SOURCES", "16"}})).scaled, 1e-6);
    // another row of the same kernel, with smaller groups
    for (const char* tuned : particles_ids(
             [&](const Variant& one) { return !one.baseline && one.source_file == seed.info.source_file; }))
        EXPECT_LE(errors_of(problem, sum_on(small, tuned, problem)).scaled, 1e-6) << tuned;
}

}  // namespace

}  // namespace particle_variants_test
