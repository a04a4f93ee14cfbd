#include "core/run/stopwatch.h"
#include "core/spots/analysis.h"
#include "core/spots/collector.h"
#include "core/spots/host_sliding.h"
#include "core/spots/reference_run.h"

namespace ks::spots {
namespace {

using Finder = void (*)(const SpotProblem&, SignalSink&, HostContext&);

/// Collects what the finder finds, and adds what all host variants tell.
Result collected(const Problem& loaded, HostContext& context, Finder find) {
    const auto& problem = dynamic_cast<const SpotProblem&>(loaded);
    SpotCollector collector(problem);
    Stopwatch watch;
    find(problem, collector, context);
    Result result = collector.result();
    const double seconds = static_cast<double>(watch.lap()) / 1e9;
    add(context.timings, {.stage = "group", .kind = StageKind::host, .nanoseconds = collector.nanoseconds()});
    const auto frames = static_cast<double>(problem.frames() - problem.shared()->missing());
    if (seconds > 0) result.facts["frames_per_second"] = frames / seconds;
    return result;
}

}  // namespace

std::vector<HostVariant> host_variants() {
    Variant reference;
    reference.analysis = "spots";
    reference.id = "host.reference";
    reference.title = "Definition";
    reference.story = "every window of every pixel summed anew in integers of 64 and 128 bits, on all cores";
    reference.source_file = "core/spots/reference.cpp";
    reference.streaming = Streaming::frames;
    reference.rank = 1;

    Variant sliding;
    sliding.analysis = "spots";
    sliding.id = "host.sliding";
    sliding.title = "Sliding sums";
    sliding.story =
        "column sums follow the rows in vectors, floats select candidates, and exact sums decide these";
    sliding.source_file = "core/spots/sliding_basic.h";
    sliding.streaming = Streaming::frames;
    sliding.rank = 10;

    const auto run = [](Finder find) {
        return [find](const Problem& problem, HostContext& context) {
            return collected(problem, context, find);
        };
    };
    return {{reference, run(run_reference)}, {sliding, run(run_sliding)}};
}

}  // namespace ks::spots
