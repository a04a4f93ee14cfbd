#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// The inclusive sums c[i] = x[0] + ... + x[i] of 32-bit integers, modulo 2^32.
class ScanProblem : public Problem {
  public:
    ScanProblem(std::size_t size, std::uint64_t seed, const Progress& progress = Progress());

    std::size_t size() const { return x_.size(); }
    std::uint64_t seed() const { return seed_; }
    const std::vector<std::uint32_t>& x() const { return x_; }  ///< [element]
    /// Of one vector.
    std::uint64_t bytes() const { return std::uint64_t{sizeof(std::uint32_t)} * size(); }
    /// Of both vectors, each once.
    std::uint64_t moved() const { return 2 * bytes(); }

  private:
    std::uint64_t seed_;
    std::vector<std::uint32_t> x_;
};

/// The result of a variant; its rate counts one read and one write per byte. @param c u32 [element]
Result scan_result(const ScanProblem& problem, Array c, const std::vector<Timing>& timings);

}  // namespace ks::basics
