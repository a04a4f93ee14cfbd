#include "core/spots/analysis.h"
#include "core/spots/collector.h"

namespace ks::spots {
namespace {

using Finder = void (*)(const SpotProblem&, SignalSink&, HostContext&);

}  // namespace

std::vector<HostVariant> host_variants() {
    const auto run = [](Finder find) {
        return [find](const SpotProblem& problem, HostContext& context) {
            return collect(problem, context.timings, [&](SignalSink& sink) { find(problem, sink, context); });
        };
    };
    return {
        {{
             .analysis = "spots",
             .id = "host.reference",
             .title = "Definition",
             .description =
                 "Sums every window of every pixel separately in 64-bit and 128-bit integers, on all cores.",
             .source_file = "core/spots/signal/reference.cpp",
             .streaming = Streaming::frames,
             .rank = 1,
         },
         run(run_reference)},
        {{
             .analysis = "spots",
             .id = "host.integral",
             .title = "Integral images",
             .description = "Computes the sums of each window from four values of summed-area tables in "
                            "64-bit integers.",
             .source_file = "core/spots/signal/integral_images.cpp",
             .takes = {{"algorithm", "the algorithm", {"dispersion"}},
                       {"element", "pixels of type", {"u8", "u16", "i16"}}},
             .streaming = Streaming::frames,
             .rank = 5,
         },
         run(run_integral_images)},
        {{
             .analysis = "spots",
             .id = "host.sliding",
             .title = "Sliding sums",
             .description = "Vectorised column sums slide down the rows; floats select candidates, and exact "
                            "sums decide them.",
             .source_file = "core/spots/sliding/sliding_basic.h",
             .streaming = Streaming::frames,
             .rank = 10,
         },
         run(run_sliding)}};
}

}  // namespace ks::spots
