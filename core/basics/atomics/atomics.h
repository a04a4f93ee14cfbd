#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// The atomic functions of OpenCL 1.x, of 32-bit unsigned integers. `cmpxchg` stands for a loop that adds by
/// it; `or_by_cmpxchg` for one that sets bits by it, and leaves the counter alone where they are set already.
enum class AtomicFunction { add, sub, xchg, inc, dec, cmpxchg, min, max, and_, or_, xor_, or_by_cmpxchg };

/// As OpenCL names it behind "atomic_": "and". Also the choice of the parameter.
const char* name_of(AtomicFunction function);
/// What a counter holds before.
std::uint32_t initial_of(AtomicFunction function);

/// Work-items that call an atomic function again and again, so many of them on each counter: item g on
/// counter g / contention.
struct AtomicsProblem : Problem {
    AtomicFunction function = AtomicFunction::add;
    std::size_t items = 1, calls = 1, repeats = 1;
    std::vector<std::size_t> contentions = {1};  ///< items of a counter; each a part of the result
    std::vector<std::uint32_t> operands;         ///< [item]

    std::size_t counters(std::size_t contention) const { return (items + contention - 1) / contention; }
    /// Of one contention.
    std::uint64_t operations() const { return std::uint64_t{items} * calls; }
    /// What item g does its call number k with; what `xchg` writes is another value for each call.
    std::uint32_t operand(std::size_t item, std::size_t call) const;
};

/// What was measured with one contention.
struct ContentionRow {
    double nanoseconds = 0;            ///< median over the repeats
    std::uint32_t right_counters = 0;  ///< of the last repeat
    std::uint32_t first_counter = 0;   ///< its value
};

std::unique_ptr<Analysis> make_atomics();
/// host.reference: std::atomic on the threads of the host.
std::vector<HostVariant> atomics_on_host();

/// How many counters hold what they must hold after all calls.
/// @param returned of `xchg`, what calls brought back: call k of item g at k * items + g, further ones
/// behind,
///   0 where nothing was there before. Of the others: empty
std::uint32_t right_counters(const AtomicsProblem& problem, std::size_t contention,
                             std::span<const std::uint32_t> counters,
                             std::span<const std::uint32_t> returned);

/// The result of a variant. @param rows one for each contention of the problem
Result atomics_result(const AtomicsProblem& problem, const std::vector<ContentionRow>& rows);

}  // namespace ks::basics
