#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// c = a + b, element by element.
class VectorAddProblem : public Problem {
  public:
    /// @param local_size work-items per group; empty: left to the driver
    VectorAddProblem(std::size_t size, std::uint64_t seed, std::optional<std::size_t> local_size,
                     const Progress& progress = Progress());

    std::size_t size() const { return a_.size(); }
    std::uint64_t seed() const { return seed_; }
    std::optional<std::size_t> local_size() const { return local_size_; }
    const std::vector<float>& a() const { return a_; }  ///< [element]
    const std::vector<float>& b() const { return b_; }
    /// Bytes read and written by one addition of the vectors.
    std::uint64_t bytes() const { return std::uint64_t{3} * sizeof(float) * size(); }

  private:
    std::uint64_t seed_;
    std::optional<std::size_t> local_size_;
    std::vector<float> a_, b_;
};

/// The result of a variant. @param sums f32 [element]
Result vector_add_result(const VectorAddProblem& problem, Array sums, const std::vector<Timing>& timings);

}  // namespace ks::basics
