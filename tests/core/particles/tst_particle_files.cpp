#include <gtest/gtest.h>

#include "core/particles/sum_file.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/particles/particle_fixture.h"

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

class SumFile : public IoTest {
  protected:
    static ks::Run run_of(const SumProblem& problem) {
        ks::Run run = host_sum(problem, "host.vector");
        run.request.parameters = {{"xy_at", 0.0}, {"xz_at", 0.0}, {"yz_at", 0.0}};
        return run;
    }
};

TEST_F(SumFile, a_saved_run_reads_back_in_double) {
    const SumProblem problems[] = {
        {random_points(5, 1), PlaneGrid{4, 0, 1, 0, 0, 0}, settings_of(Kernel::rbf, Precision::f32)},
        {random_points(5, 1, true), random_points(7, 2), settings_of(Kernel::helmholtz, Precision::f64)}};
    for (const SumProblem& problem : problems) {
        const ks::Run run = run_of(problem);
        write_run(run, at("run.h5"), true);
        const ks::Run back = read_run(at("run.h5"));
        EXPECT_EQ(sums_of(back.result, problem), sums_of(run.result, problem));
        EXPECT_EQ(back.result.facts, run.result.facts);
        EXPECT_EQ(back.variant.id, "host.vector");
    }
}

TEST_F(SumFile, other_files_are_refused) {
    write_bytes(at("text.h5"), "no HDF5");
    EXPECT_TRUE(contains(input_error([&] { read_run(at("text.h5")); }), {"text.h5"}));
    ks::Run run = run_of({random_points(5, 1), random_points(7, 2), settings_of(Kernel::rbf)});
    run.request.analysis = "spots";
    write_run(run, at("spots.h5"), true);
    EXPECT_TRUE(contains(input_error([&] { read_run(at("spots.h5")); }), {"particles", "spots"}));
    EXPECT_TRUE(contains(input_error([&] { write_run(run, at("spots.h5"), false); }), {"spots.h5"}));
}

}  // namespace
