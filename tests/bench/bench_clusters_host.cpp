// How long the host takes for an event of 43,000 shuffled digis on 1856 modules, one thread: labels by
// union-find, and the result (table of clusters) from labels. The fastest of many passes, and the median.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/clusters/cluster_sums.h"
#include "core/clusters/labelling/union_find.h"
#include "core/clusters/result.h"
#include "core/clusters/synthetic/generator.h"

namespace {

using namespace ks;
using namespace ks::clusters;

constexpr std::size_t events = 100, passes = 15;

struct Times {
    std::vector<double> us;  ///< an event
    void add(std::uint64_t nanoseconds) { us.push_back(static_cast<double>(nanoseconds) / 1e3 / events); }
    void print(const char* what) {
        std::ranges::sort(us);
        fmt::print("{:<24} best {:8.1f} us, median {:8.1f} us an event\n", what, us.front(),
                   us[us.size() / 2]);
    }
};

void measure(const char* name, Duplicates duplicates, bool cut) {
    EventSpec spec;
    spec.layout = layout_named("phase1");
    spec.events = events;
    spec.modules = spec.layout.modules;
    spec.digis = 43000;
    spec.clusters = 17000;
    Progress progress;
    ClusterSettings settings;
    settings.duplicates = duplicates;
    if (cut) settings.charge_cuts.assign(spec.layout.modules, 4000);
    const ClusterProblem problem(
        std::make_shared<const ModuleDigis>(make_events(spec, progress), spec.layout, "bench"), settings);
    fmt::print("{}\n", name);
    Times label, sums, whole;
    Array labels = make_labels(problem);
    BlockLabeller labeller(problem);
    BlockSums block_sums;
    for (std::size_t pass = 0; pass < passes; ++pass) {
        Stopwatch watch;
        for (const auto& block : problem.shared()->blocks()) labeller.label(block, labels.as<std::int32_t>());
        label.add(watch.lap());
        for (const auto& block : problem.shared()->blocks())
            block_sums.add(problem, labels.as<std::int32_t>(), block);
        sums.add(watch.lap());
        std::vector<Timing> timings;
        to_result(problem, labels, timings);
        whole.add(watch.lap());
    }
    label.print("labels");
    sums.print("sums of clusters");
    whole.print("whole result");
}

}  // namespace

int main() {
    measure("duplicates dropped", Duplicates::drop, false);
    measure("duplicates kept, charge cut", Duplicates::keep, true);
    return EXIT_SUCCESS;
}
