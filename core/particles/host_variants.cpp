#include <fmt/format.h>

#include "core/base/host_memory.h"
#include "core/particles/analysis.h"
#include "core/particles/reference.h"
#include "core/particles/vector/vector_sum.h"

namespace ks::particles {
namespace {

/// Memory held by a host variant: sources and targets, both also in the form the loops read, and the sums
/// twice, as computed and in the result.
std::uint64_t host_bytes(const SumProblem& problem) {
    const PointSet& sources = problem.sources();
    const std::uint64_t weights = problem.n_vectors() * (sources.is_complex() ? 2 : 1);
    const std::uint64_t points = problem.n_sources() * (3 + weights) + problem.n_targets() * 3;
    const std::uint64_t sums = std::uint64_t{problem.n_rows()} * problem.n_targets();
    return sizeof(double) * 2 * (points + sums);
}

}  // namespace

std::vector<HostVariant> host_variants() {
    const auto run = [](Result (*sum)(const SumProblem&, HostContext&)) {
        return [sum](const SumProblem& sums, HostContext& context) {
            require_within(
                context.memory_limit, host_bytes(sums),
                fmt::format("{} sources and {} targets on the host", sums.n_sources(), sums.n_targets()),
                "particles");
            return sum(sums, context);
        };
    };
    return {{{
                 .analysis = "particles",
                 .id = "host.reference",
                 .title = "Double precision, compensated",
                 .description = "Computes every term in double from its formula, and adds with compensation.",
                 .source_file = "core/particles/reference.cpp",
                 .streaming = Streaming::targets,
                 .rank = 1,
             },
             run(run_reference)},
            {{
                 .analysis = "particles",
                 .id = "host.vector",
                 .title = "Vectors of targets",
                 .description =
                     "Vectorised loops over blocks of targets, with built-in polynomials for the functions.",
                 .source_file = "core/particles/vector/vector_sum.cpp",
                 .streaming = Streaming::targets,
                 .rank = 10,
             },
             run(run_vector)},
            {{
                 .analysis = "particles",
                 .id = "host.treecode",
                 .title = "Treecode, to a tolerance",
                 .description = "Approximates to the requested tolerance: distant clusters interact through "
                                "Chebyshev points; it runs only if you name it.",
                 .source_file = "core/particles/treecode/host_treecode.cpp",
                 .rank = 5,
                 .tolerances = {{asked_tolerance, 1}},
                 .by_name_only = true,
             },
             run(run_treecode)}};
}

}  // namespace ks::particles
