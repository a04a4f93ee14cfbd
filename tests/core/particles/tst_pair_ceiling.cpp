#include "core/particles/pair_ceiling.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace {

using namespace ks;
using namespace ks::particles;

Ceilings made(double fma_f32, double exp2, double rsqrt, double sin) {
    Ceilings ceilings;
    const auto put = [&](const char* id, double value) {
        if (value > 0) ceilings.values.push_back({id, id, "1/s", "", 1, {value}});
    };
    put(ceiling_ids::fma_f32, fma_f32);
    put(ceiling_ids::exp2, exp2);
    put(ceiling_ids::rsqrt, rsqrt);
    put(ceiling_ids::sin, sin);
    return ceilings;
}

SumSettings of(Kernel kernel, Precision precision = Precision::f32) {
    SumSettings settings;
    settings.kernel = kernel;
    settings.precision = precision;
    return settings;
}

TEST(PairCeiling, is_a_function_a_pair_and_their_times_add_up) {
    const Ceilings ceilings = made(60e12, 4e12, 5e12, 2e12);
    const auto rbf = pair_ceiling(of(Kernel::rbf), ceilings);
    ASSERT_TRUE(rbf.has_value());
    EXPECT_DOUBLE_EQ(rbf->pairs_per_second, 4e12);
    EXPECT_EQ(rbf->unit, "exponentials");
    EXPECT_DOUBLE_EQ(pair_ceiling(of(Kernel::laplace), ceilings)->pairs_per_second, 5e12);
    // 0.2 ps for the root, 0.5 ps each for sine and cosine
    EXPECT_NEAR(pair_ceiling(of(Kernel::helmholtz), ceilings)->pairs_per_second, 1 / 1.2e-12, 1);
}

TEST(PairCeiling, is_never_above_what_multiply_adds_allow) {
    // two of them are four operations
    const auto rbf = pair_ceiling(of(Kernel::rbf), made(4e12, 9e12, 9e12, 9e12));
    ASSERT_TRUE(rbf.has_value());
    EXPECT_DOUBLE_EQ(rbf->pairs_per_second, 1e12);
    EXPECT_EQ(rbf->unit, "multiply-adds");
    EXPECT_EQ(rbf->each, "2 multiply-adds");
    EXPECT_DOUBLE_EQ(pair_ceiling(of(Kernel::helmholtz), made(4e12, 9e12, 9e12, 9e12))->pairs_per_second,
                     5e11);
}

TEST(PairCeiling, nothing_is_said_in_double_or_of_what_was_not_measured) {
    const Ceilings all = made(60e12, 4e12, 5e12, 2e12);
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace, Kernel::helmholtz})
        EXPECT_FALSE(pair_ceiling(of(kernel, Precision::f64), all).has_value());
    EXPECT_FALSE(pair_ceiling(of(Kernel::rbf), made(60e12, 0, 5e12, 2e12)).has_value());
    EXPECT_TRUE(pair_ceiling(of(Kernel::rbf), made(60e12, 4e12, 0, 0)).has_value());
    EXPECT_FALSE(pair_ceiling(of(Kernel::helmholtz), made(60e12, 4e12, 5e12, 0)).has_value());
    EXPECT_FALSE(pair_ceiling(of(Kernel::laplace), made(0, 4e12, 5e12, 2e12)).has_value());
}

TEST(PairCeiling, the_text_is_a_share_of_the_ceiling_or_how_far_above_it) {
    const PairCeiling ceiling{4e12, "exponentials", "one exponential"};
    EXPECT_EQ(share_text(2.84e12, ceiling), "71 % of the ceiling of exponentials");
    EXPECT_EQ(share_text(4e12, ceiling), "100 % of the ceiling of exponentials");
    EXPECT_EQ(share_text(4.01e12, ceiling), "100 % of the ceiling of exponentials");
    EXPECT_EQ(share_text(2e11, ceiling), "5 % of the ceiling of exponentials");
    EXPECT_EQ(share_text(1.68e10, ceiling), "0.42 % of the ceiling of exponentials");
    EXPECT_EQ(share_text(6.8e12, ceiling), "1.7 x the ceiling of one exponential per pair");
}

TEST(PairCeiling, of_a_problem_it_counts_all_pairs_in_the_time_of_the_kernels) {
    auto sources = std::make_shared<PointSet>();
    sources->x = sources->y = sources->z = std::vector<double>(5, 0.5);
    sources->weight.assign(5, 1);
    PlaneGrid planes;
    planes.side = 20;
    const SumProblem problem(sources, planes, of(Kernel::rbf));
    // 3 x 400 targets x 5 sources in 3 us are 2e9 pairs/s.
    const auto share = share_of_pairs(problem, {}, 3000, made(60e12, 4e9, 0, 0));
    ASSERT_TRUE(share.has_value());
    EXPECT_DOUBLE_EQ(share->share, 0.5);
    EXPECT_EQ(share->text, "50 % of the ceiling of exponentials");
    EXPECT_FALSE(share_of_pairs(problem, {}, 0, made(60e12, 4e9, 0, 0)).has_value());
    EXPECT_FALSE(share_of_pairs(problem, {}, 3000, made(60e12, 0, 0, 0)).has_value());
    EXPECT_FALSE(share_of_pairs(SumProblem(sources, planes, of(Kernel::rbf, Precision::f64)), {}, 3000,
                                made(60e12, 4e9, 0, 0))
                     .has_value());
}

}  // namespace
