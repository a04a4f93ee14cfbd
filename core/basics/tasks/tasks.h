#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/run/analysis.h"

namespace ks::basics {

/// Many small independent tasks: each carries a 32-bit number through the given number of steps.
class TasksProblem : public Problem {
  public:
    /// @param in_any_order for launches of a single task
    TasksProblem(std::size_t size, std::size_t steps, std::uint64_t seed, bool in_any_order,
                 const Progress& progress = Progress());

    std::size_t size() const { return x_.size(); }  ///< tasks
    std::size_t steps() const { return steps_; }
    std::uint64_t seed() const { return seed_; }
    bool in_any_order() const { return in_any_order_; }
    const std::vector<std::uint32_t>& x() const { return x_; }  ///< initial values, [task]
    /// Of one number per task.
    std::uint64_t bytes() const { return std::uint64_t{sizeof(std::uint32_t)} * size(); }
    std::uint64_t operations() const { return std::uint64_t{size()} * steps_; }

  private:
    std::size_t steps_;
    std::uint64_t seed_;
    bool in_any_order_;
    std::vector<std::uint32_t> x_;
};

/// The result of a variant.
/// @param c final value of each task, [task] @param launches of kernels, 0 on the host
/// @param nanoseconds from the start of the first task to the end of the last
Result tasks_result(Array c, std::size_t launches, std::uint64_t nanoseconds);

}  // namespace ks::basics
