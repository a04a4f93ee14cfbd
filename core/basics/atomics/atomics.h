#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/run/analysis.h"

namespace ks::basics {

/// The atomic functions of OpenCL 1.x on 32-bit unsigned integers. `cmpxchg` stands for a compare-exchange
/// loop that adds; `or_by_cmpxchg` for one that sets bits, and leaves the counter alone
/// if they are already set.
enum class AtomicFunction { add, sub, xchg, inc, dec, cmpxchg, min, max, and_, or_, xor_, or_by_cmpxchg };

/// The OpenCL name without "atomic_": "and". Also the value of the parameter.
const char* name_of(AtomicFunction function);
/// Initial value of a counter.
std::uint32_t initial_of(AtomicFunction function);

/// Work-items that repeatedly call an atomic function, with a given number of items per counter: item g on
/// counter g / contention.
struct AtomicsProblem : Problem {
    AtomicFunction function = AtomicFunction::add;
    std::size_t items = 1, calls = 1, repeats = 1;
    std::vector<std::size_t> contentions = {1};  ///< items per counter; each a part of the result
    std::vector<std::uint32_t> operands;         ///< [item]

    std::size_t counters(std::size_t contention) const { return (items + contention - 1) / contention; }
    /// For one contention.
    std::uint64_t operations() const { return std::uint64_t{items} * calls; }
    /// Operand of call number k of item g; `xchg` writes a different value in each call.
    std::uint32_t operand(std::size_t item, std::size_t call) const;
};

/// Measurements at one contention.
struct ContentionRow {
    double nanoseconds = 0;            ///< median over the repeats
    std::uint32_t right_counters = 0;  ///< in the last repeat
    std::uint32_t first_counter = 0;   ///< its value
};

/// Number of counters with the required value after all calls.
/// @param returned for `xchg`, the values that calls returned: call k of item g at k * items + g, then
/// further ones, 0 where there was no previous value. Empty for the other functions
std::uint32_t right_counters(const AtomicsProblem& problem, std::size_t contention,
                             std::span<const std::uint32_t> counters,
                             std::span<const std::uint32_t> returned);

/// The result of a variant. @param rows one per contention of the problem
Result atomics_result(const AtomicsProblem& problem, const std::vector<ContentionRow>& rows);

}  // namespace ks::basics
