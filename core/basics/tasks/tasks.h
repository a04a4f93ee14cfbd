#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// Many small pieces of work that need nothing of each other: each carries a number of 32 bits through so
/// many steps.
class TasksProblem : public Problem {
  public:
    /// @param in_any_order of launches that are one task each
    TasksProblem(std::size_t size, std::size_t steps, std::uint64_t seed, bool in_any_order);

    std::size_t size() const { return x_.size(); }  ///< tasks
    std::size_t steps() const { return steps_; }
    std::uint64_t seed() const { return seed_; }
    bool in_any_order() const { return in_any_order_; }
    const std::vector<std::uint32_t>& x() const { return x_; }  ///< where each begins, [task]
    /// Of one number of each task.
    std::uint64_t bytes() const { return std::uint64_t{sizeof(std::uint32_t)} * size(); }
    std::uint64_t operations() const { return std::uint64_t{size()} * steps_; }

  private:
    std::size_t steps_;
    std::uint64_t seed_;
    bool in_any_order_;
    std::vector<std::uint32_t> x_;
};

std::unique_ptr<Analysis> make_tasks();
/// host.reference and host.threads.
std::vector<HostVariant> tasks_on_host();

/// The result of a variant.
/// @param c where each task ended, [task] @param launches of kernels, 0 on the host
/// @param nanoseconds from the start of the first task to the end of the last one
Result tasks_result(Array c, std::size_t launches, std::uint64_t nanoseconds);

}  // namespace ks::basics
