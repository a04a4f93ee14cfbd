#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/clusters/problem.h"
#include "core/run/result.h"

namespace ks::clusters {

/// The digis of one slot as the published kernel sees them: without invalid and dropped ones, sorted by
/// column (y), within a column by row of the input. "Place" is an index into this order.
struct TracedModule {
    std::vector<std::int64_t> digis;  ///< [place] row in the input
    std::vector<std::uint32_t>
        columns;  ///< [extent_y + 1] places before each column: prefix of the histogram
    std::vector<std::int32_t>
        neighbours;         ///< [place][width]: later places that touch it, ascending, padded with -1
    std::size_t width = 0;  ///< largest number of neighbours of a digi, at least 1
    std::vector<std::int32_t> rank;   ///< [place] number of digis of the slot with a smaller row
    std::vector<std::int32_t> place;  ///< [rank] the inverse

    std::size_t size() const { return digis.size(); }
};

/// Maximum number of digis of a recorded slot, and of bytes of one dataset of a trace.
constexpr std::size_t max_traced_digis = 65536, max_trace_bytes = std::size_t{1} << 28;

/// The slot settings().record. Throws ks::Error(input) if the trace would exceed these limits.
TracedModule traced_module(const ClusterProblem& problem);

/// States of all digis after each step, beginning with the initial one; [place], in ranks: a smaller rank is
/// a smaller row.
using TraceSteps = std::vector<std::vector<std::int32_t>>;

/// One step between states; [rank] instead of [place].
using TraceStep = std::function<std::vector<std::int32_t>(const std::vector<std::int32_t>&)>;
/// Steps of both kinds alternately, starting with every digi naming itself, until an odd step changes
/// nothing. Throws ks::Error(input) over the limit.
TraceSteps steps_in_turn(const TracedModule& module, const TraceStep& odd, const TraceStep& even);

/// A reproducible form of the published loop: each round reads one array and writes another. Odd rounds: a
/// digi takes the smallest label among its own and those of its neighbours. Even rounds: labels are followed
/// to a digi that names itself. The loop ends with the first odd round that changes nothing.
TraceSteps propagation_rounds(const TracedModule& module);

/// Union-find in the same manner; a state holds parents. Odd steps: for each pair of neighbours with
/// different roots, the greater root is attached to the smallest one found. Even steps: every digi is
/// attached to its root.
TraceSteps union_steps(const TracedModule& module);

enum class TraceKind { propagation, union_find };

/// Adds the datasets
/// - `trace_digis` i64 [n], `trace_columns` u32 [columns + 1], `trace_neighbours` i32 [n][K] as above;
/// - `trace_labels` (propagation) or `trace_parents` (union_find) i32 [steps + 1][n]: places instead of
///   ranks, and the fact `trace_rounds` or `trace_steps`: the number of steps after the initial state.
/// Throws ks::Error(input) over the limit.
void add_trace(Result& result, const TracedModule& module, TraceKind kind, const TraceSteps& steps);

/// If settings().record names a slot: calls `add` with its module; adds a warning instead if the trace would
/// exceed the limits.
void record_trace(Result& result, const ClusterProblem& problem,
                  const std::function<void(const TracedModule&)>& add);

/// Both traces, computed on the host.
void add_host_traces(Result& result, const ClusterProblem& problem);

}  // namespace ks::clusters
