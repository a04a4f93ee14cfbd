#include "core/spots/analysis.h"
#include "core/spots/collector.h"
#include "core/spots/signal/reference_run.h"
#include "core/spots/sliding/host_sliding.h"

namespace ks::spots {
namespace {

using Finder = void (*)(const SpotProblem&, SignalSink&, HostContext&);

}  // namespace

std::vector<HostVariant> host_variants() {
    Variant reference;
    reference.analysis = "spots";
    reference.id = "host.reference";
    reference.title = "Definition";
    reference.description =
        "sums every window of every pixel separately in 64-bit and 128-bit integers, on all cores";
    reference.source_file = "core/spots/signal/reference.cpp";
    reference.streaming = Streaming::frames;
    reference.rank = 1;

    Variant sliding;
    sliding.analysis = "spots";
    sliding.id = "host.sliding";
    sliding.title = "Sliding sums";
    sliding.description =
        "vectorised column sums slide down the rows; floats select candidates, which exact sums decide";
    sliding.source_file = "core/spots/sliding/sliding_basic.h";
    sliding.streaming = Streaming::frames;
    sliding.rank = 10;

    Variant integral;
    integral.analysis = "spots";
    integral.id = "host.integral";
    integral.title = "Integral images";
    integral.description = "sums of any window from four values of summed-area tables in 64-bit integers";
    integral.source_file = "core/spots/signal/integral_images.cpp";
    integral.takes = {{"algorithm", "the algorithm", {"dispersion"}},
                      {"element", "pixels of type", {"u8", "u16", "i16"}}};
    integral.streaming = Streaming::frames;
    integral.rank = 5;

    const auto run = [](Finder find) {
        return [find](const Problem& loaded, HostContext& context) {
            const auto& problem = dynamic_cast<const SpotProblem&>(loaded);
            return collect(problem, context.timings, [&](SignalSink& sink) { find(problem, sink, context); });
        };
    };
    return {
        {reference, run(run_reference)}, {integral, run(run_integral_images)}, {sliding, run(run_sliding)}};
}

}  // namespace ks::spots
