// The time that the program expects of each family of correlators (core/xpcs/correlators/cost.h), for
// bench/crossover: bench_correlator_cost SIDE RING_WIDTH MEAN THREADS prints lines of frames and the seconds
// of gram by VNNI, fft, multitau and sparse, for square frames of u8 speckle as `bench xpcs` makes them.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/run/registry.h"
#include "core/xpcs/correlators/cost.h"

int main(int count, char** given) {
    using namespace ks;
    if (count != 5) {
        fmt::print(stderr, "expected SIDE RING_WIDTH MEAN THREADS\n");
        return 2;
    }
    const Registry registry;
    const Analysis& analysis = registry.analysis("xpcs");
    const std::int64_t side = std::atoll(given[1]);
    const ParameterSet sizes = analysis.benchmark_sizes({{"frames", std::int64_t{500}},
                                                         {"height", side},
                                                         {"width", side},
                                                         {"ring_width", std::atof(given[2])},
                                                         {"mean", std::atof(given[3])},
                                                         {"kind", std::string("speckle")}});
    const auto problem = analysis.benchmark_problem(sizes);
    const auto& frames = dynamic_cast<const xpcs::CorrelationProblem&>(*problem);
    xpcs::CorrelatorWork work = xpcs::work_of(frames);
    xpcs::add_shares(frames, work);
    const double threads = std::atof(given[4]);
    for (double n = 64; n < 20000; n *= std::pow(2.0, 0.125)) {
        work.frames = work.delays = std::floor(n);
        fmt::print("{}", work.frames);
        for (const xpcs::Family family :
             {xpcs::Family::gram, xpcs::Family::fft, xpcs::Family::multitau, xpcs::Family::sparse})
            fmt::print(" {:.6g}", xpcs::expected_seconds(family, work) / threads);
        fmt::print("\n");
    }
    return 0;
}
