#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// Work-items in groups that wait for each other.
struct SynchroniseProblem : Problem {
    std::size_t groups = 1, local_size = 1;
    std::size_t repeats = 1;            ///< of a race
    std::size_t increments = 1;         ///< per group in a race
    std::vector<std::uint32_t> values;  ///< [item]

    std::size_t items() const { return groups * local_size; }
    /// The neighbour of the last item of a group is the first.
    std::size_t neighbour(std::size_t item) const {
        const std::size_t first = item / local_size * local_size;
        return first + (item - first + 1) % local_size;
    }
};

/// What each work-item recorded, [item].
struct BarrierTrace {
    std::vector<std::uint32_t> before,
        after;  ///< tickets of the group's counter, before and after a barrier
    std::vector<std::uint32_t> by_local,
        by_global;  ///< the neighbour's value, through local and global memory
};

/// Times of a command in nanoseconds after the first one was queued; NaN where the driver does not report
/// them, as for barriers.
struct CommandTimes {
    std::string name;
    std::uint32_t queue = 0;
    double queued = 0, submitted = 0, started = 0, ended = 0;
    std::uint32_t awaited = 0;  ///< number of the command that it waits for; its own: none
    bool barrier = false;       ///< commands enqueued after it wait for all before it
};

/// Number of the queue whose commands may run in any order.
inline constexpr std::uint32_t unordered_queue = 3;

Result barrier_result(const SynchroniseProblem& problem, const BarrierTrace& trace,
                      const std::vector<CommandTimes>& commands);
/// @param plain, atomic the counter in each repeat, incremented without and with an atomic function
Result race_result(const SynchroniseProblem& problem, const std::vector<std::uint32_t>& plain,
                   const std::vector<std::uint32_t>& atomic);

}  // namespace ks::basics
