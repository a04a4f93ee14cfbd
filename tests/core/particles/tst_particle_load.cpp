#include <gtest/gtest.h>

#include "core/particles/analysis.h"
#include "core/particles/parameters.h"
#include "tests/core/io/io_fixture.h"

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

class ParticleLoad : public IoTest {
  protected:
    ParticleLoad() {
        write_bytes(at("s.csv"), "x,y,z\n0,0,0.5\n1,2,3\n");
        write_bytes(at("t.csv"), "x,y,z\n0,0,0\n");
    }
    std::shared_ptr<const SumProblem> load(const ParameterSet& given, bool targets = false,
                                           std::shared_ptr<const Problem> previous = nullptr) {
        Request request;
        request.parameters = checked(analysis_info().parameters, given);
        request.inputs["sources"].name = at("s.csv");
        if (targets) request.inputs["targets"].name = at("t.csv");
        Progress progress;
        return load_problem(request, progress, std::move(previous));
    }
};

TEST_F(ParticleLoad, without_planes_or_targets_there_are_planes_of_400) {
    const auto problem = load({});
    EXPECT_EQ(problem->n_targets(), 3u * 400 * 400);
    EXPECT_EQ(problem->pairs(), 960000u);
    ASSERT_EQ(problem->warnings.size(), 1u);
    EXPECT_TRUE(contains(problem->warnings[0], {"s.csv", "1 is assumed"}));
}

TEST_F(ParticleLoad, parameters_arrive) {
    const auto problem = load({{"kernel", "helmholtz"},
                               {"wavenumber", 3.5},
                               {"precision", "f64"},
                               {"planes", std::int64_t{3}},
                               {"plane_low", -1.0},
                               {"plane_high", 2.0},
                               {"xy_at", 0.25},
                               {"xz_at", 0.5},
                               {"yz_at", 0.75}});
    EXPECT_EQ(problem->settings().kernel, Kernel::helmholtz);
    EXPECT_EQ(problem->settings().wavenumber, 3.5);
    EXPECT_EQ(problem->settings().precision, Precision::f64);
    EXPECT_EQ(problem->target(5), (Place{0.5, 2, 0.25}));
    EXPECT_EQ(problem->target(9 + 5), (Place{0.5, 0.5, 2}));
    EXPECT_EQ(problem->target(18 + 5), (Place{0.75, 0.5, 2}));
}

TEST_F(ParticleLoad, planes_and_targets_exclude_each_other) {
    EXPECT_TRUE(contains(input_error([&] {
                             load({{"planes", std::int64_t{3}}}, true);
                         }),
                         {"planes and targets"}));
    EXPECT_EQ(load({}, true)->n_targets(), 1u);
}

TEST_F(ParticleLoad, files_that_did_not_change_are_not_read_again) {
    const auto first = load({}, true);
    const auto second = load({{"sigma", 0.2}}, true, first);
    EXPECT_EQ(second->shared_sources(), first->shared_sources());
    EXPECT_EQ(second->shared_points(), first->shared_points());
    EXPECT_EQ(second->warnings, first->warnings);
    write_bytes(at("s.csv"), "x,y,z,weight\n0,0,0.5,2\n");
    const auto third = load({}, true, second);
    EXPECT_EQ(third->n_sources(), 1u);
    EXPECT_TRUE(third->warnings.empty());
    EXPECT_EQ(third->shared_points(), first->shared_points());
}

}  // namespace
