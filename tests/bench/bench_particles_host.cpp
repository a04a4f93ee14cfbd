// How much faster host.vector is than the loop that one writes first: every pair in double, one after
// another, with std::exp, on one thread. Both in turns, medians.
//
// bench_particles_host [ROUNDS]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/particles/analysis.h"
#include "core/particles/generator.h"
#include "core/particles/problem.h"
#include "core/run/host_backend.h"

namespace {

using namespace ks::particles;

/// Targets as arrays, made before: only the sums are timed.
struct Places {
    std::vector<double> x, y, z;
};

double plain(const SumProblem& problem, const Places& targets, std::vector<double>& result) {
    ks::Stopwatch watch;
    const ks::PointSet& sources = problem.sources();
    const double sigma = problem.settings().sigma;
    for (std::size_t t = 0; t < targets.x.size(); ++t) {
        double sum = 0;
        for (std::size_t j = 0; j < sources.size(); ++j) {
            const double dx = targets.x[t] - sources.x[j], dy = targets.y[t] - sources.y[j],
                         dz = targets.z[t] - sources.z[j];
            sum += std::exp(-(dx * dx + dy * dy + dz * dz) / (2 * sigma * sigma)) * sources.weight[j];
        }
        result[t] = sum;
    }
    return static_cast<double>(watch.lap()) * 1e-6;
}

double vectors(const SumProblem& problem) {
    for (const ks::HostVariant& row : host_variants()) {
        if (row.info.id != "host.vector") continue;
        ks::Request request;
        ks::Progress progress;
        std::vector<ks::Timing> timings;
        ks::HostContext context{request, progress, timings, std::max(1U, std::thread::hardware_concurrency()),
                                std::uint64_t{1} << 30};
        row.launch(problem, context);
        return static_cast<double>(ks::total(timings, ks::StageKind::host)) * 1e-6;
    }
    return 0;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
    const SumProblem problem(std::make_shared<const ks::PointSet>(make_points({})), PlaneGrid{},
                             SumSettings{});
    Places targets;
    for (std::size_t t = 0; t < problem.n_targets(); ++t) {
        const Place place = problem.target(t);
        targets.x.push_back(place[0]);
        targets.y.push_back(place[1]);
        targets.z.push_back(place[2]);
    }
    std::vector<double> result(problem.n_targets()), slow, quick;
    for (int round = 0; round < rounds; ++round) {
        slow.push_back(plain(problem, targets, result));
        quick.push_back(vectors(problem));
    }
    const double best_slow = *std::ranges::min_element(slow), best_quick = *std::ranges::min_element(quick);
    fmt::print("{} targets x {} sources, RBF, {} rounds\n{:<24} {:>12} {:>12}\n", problem.n_targets(),
               problem.n_sources(), rounds, "", "median, ms", "least, ms");
    fmt::print("{:<24} {:>12.2f} {:>12.2f}\n", "plain loop in double", median(slow), best_slow);
    fmt::print("{:<24} {:>12.2f} {:>12.2f}\n", "host.vector in float", median(quick), best_quick);
    fmt::print("{:<24} {:>12.1f} {:>12.1f}\n", "ratio", median(slow) / median(quick), best_slow / best_quick);
}
