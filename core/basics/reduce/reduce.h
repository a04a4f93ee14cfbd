#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// The kernels identify them by number.
enum class Reduction { sum = 0, min = 1, max = 2 };

/// One value from the terms of one or two vectors: the sum, minimum or maximum of x, or the sum of x y.
class ReduceProblem : public Problem {
  public:
    /// Of floats, or of 32-bit integers, whose sum is modulo 2^32.
    ReduceProblem(std::size_t size, std::uint64_t seed, Reduction operation, bool of_floats,
                  const Progress& progress = Progress());
    /// The dot product of two vectors of floats.
    ReduceProblem(std::size_t size, std::uint64_t seed, const Progress& progress = Progress());

    std::size_t size() const { return of_floats_ ? x_.size() : whole_.size(); }
    std::uint64_t seed() const { return seed_; }
    Reduction operation() const { return operation_; }
    bool of_floats() const { return of_floats_; }
    bool is_dot() const { return !y_.empty(); }
    const std::vector<float>& x() const { return x_; }  ///< [element]; empty if integers are reduced
    const std::vector<float>& y() const { return y_; }  ///< for a dot product, else empty
    const std::vector<std::uint32_t>& whole() const { return whole_; }  ///< empty if floats are reduced
    std::size_t vectors() const { return is_dot() ? 2 : 1; }
    /// Bytes read; each once.
    std::uint64_t bytes() const { return std::uint64_t{4} * vectors() * size(); }
    double term(std::size_t i) const;  ///< of floats; exact

  private:
    std::uint64_t seed_;
    Reduction operation_;
    bool of_floats_;
    std::vector<float> x_, y_;
    std::vector<std::uint32_t> whole_;
};

/// The result of a variant. @param value f32 or u32 [1]
Result reduce_result(const ReduceProblem& problem, Array value, const std::vector<Timing>& timings);

/// What a kernel sums a vector of ones to (of two such vectors, their dot product). Floats add up to 2^24
/// ones exactly in any order, so each one that is left out or added twice changes the sum.
struct SumOfOnes {
    std::size_t ones = 0;
    float sum = 0;

    /// A longer vector begins and ends with 2^23 ones; its other elements are 0.
    static std::size_t among(std::size_t size) { return std::min(size, std::size_t{1} << 24); }
};
/// For the check.
void add_sum_of_ones(Result& result, const SumOfOnes& sum);

/// Permitted error of a sum of floats, in units of the norm of its terms: 4 sqrt(n) 2^-24, as in
/// matmul_tolerance(). A minimum or maximum is exact.
double reduce_tolerance(std::size_t size);

}  // namespace ks::basics
