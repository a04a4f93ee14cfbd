// How long the host takes for the trees and lists of a treecode, and how many pairs they name:
//
// bench_treecode_plan [POINTS [THREADS [REPEATS [LEAF [SHAPE]]]]], SHAPE cube or clusters

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/particles/treecode/plan.h"
#include "core/particles/treecode/treecode_points.h"

namespace {

using namespace ks::particles;

std::shared_ptr<const ks::PointSet> points(const std::string& shape, std::size_t n, std::uint64_t seed) {
    ks::Random random(seed, 0);
    auto set = std::make_shared<ks::PointSet>();
    for (std::size_t i = 0; i < n; ++i) {
        const double u = random.uniform(), v = random.uniform(), w = random.uniform();
        const double s = shape == "clusters" ? u * u * u : 1;
        set->x.push_back(s * u);
        set->y.push_back(s * v);
        set->z.push_back(s * w);
        set->weight.push_back(2 * random.uniform() - 1);
    }
    return set;
}

double milliseconds(std::uint64_t nanoseconds) {
    return static_cast<double>(nanoseconds) * 1e-6;
}

}  // namespace

int main(int argc, char** argv) {
    const auto number = [&](int i, std::size_t otherwise) {
        return argc > i ? static_cast<std::size_t>(std::strtoull(argv[i], nullptr, 10)) : otherwise;
    };
    const std::size_t n = number(1, 1'000'000), repeats = number(3, 5), leaf = number(4, 128);
    const auto threads = static_cast<unsigned>(number(2, ks::compute_threads()));
    const std::string shape = argc > 5 ? argv[5] : "cube";
    ks::limit_threads(threads);
    SumSettings settings;
    settings.kernel = Kernel::laplace;
    const SumProblem problem(points(shape, n, 1), points(shape, n, 2), settings);
    const Scaling scaling = scaling_of(problem);
    const Resolution resolution(settings, scaling, accuracy_of(settings));
    std::vector<double> times;
    for (std::size_t i = 0; i < repeats; ++i) {
        ks::Stopwatch watch;
        auto sources = source_places<float>(problem, scaling, threads),
             targets = target_places<float>(problem, scaling, threads);
        const std::uint64_t places = watch.lap();
        const TreecodePlan plan = plan_treecode(sources, targets, resolution, leaf, threads);
        const std::uint64_t planned = watch.lap();
        times.push_back(milliseconds(places + planned));
        fmt::print(
            "places {:.1f} ms, plan {:.1f} ms; {} and {} clusters, {} far and {} near pairs, {} and {} "
            "spans\n",
            milliseconds(places), milliseconds(planned), plan.sources.clusters.size(),
            plan.targets.clusters.size(), plan.far.pairs, plan.near.pairs, plan.far.spans.size(),
            plan.near.spans.size());
    }
    std::ranges::sort(times);
    fmt::print("{} points, {} threads: {:.1f} ms [{:.1f} .. {:.1f}]\n", n, threads, times[times.size() / 2],
               times.front(), times.back());
    return 0;
}
