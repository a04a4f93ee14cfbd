#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// C = A B of square matrices of floats, [row][column].
class MatmulProblem : public Problem {
  public:
    MatmulProblem(std::size_t size, std::uint64_t seed, const Progress& progress = Progress());

    std::size_t size() const { return size_; }  ///< rows, and columns
    std::uint64_t seed() const { return seed_; }
    const std::vector<float>& a() const { return a_; }
    const std::vector<float>& b() const { return b_; }
    double multiply_adds() const {
        const auto n = static_cast<double>(size_);
        return n * n * n;
    }
    /// Of one matrix.
    std::uint64_t bytes() const { return std::uint64_t{size_} * size_ * sizeof(float); }

  private:
    std::size_t size_;
    std::uint64_t seed_;
    std::vector<float> a_, b_;
};

/// The result of a variant. @param c f32 [row][column]
Result matmul_result(const MatmulProblem& problem, Array c, const std::vector<Timing>& timings);

/// Row `row` of the product in double. @param sums [column]
void exact_row(const MatmulProblem& problem, std::size_t row, std::span<double> sums,
               const Progress& progress);

/// Permitted error of an element of C, in units of the norm of its row of A times the norm of its column of
/// B: 4 sqrt(n) 2^-24. Rounding errors of n terms add up like sqrt(n), in any summation order (N. J. Higham
/// and T. Mary, SIAM J. Sci. Comput. 41, A2815, 2019). A variant that first rounds the elements of A and B
/// states the resulting maximum relative error of a product as the tolerance of "c"; the error of an element
/// of C is limited accordingly. The errors of n products have random signs and also add up like sqrt(n), to
/// below 6 sqrt(sum (a b)^2), with elements up to 1 and the norm of a row sqrt(n / 3): 10 / sqrt(n) of it.
double matmul_tolerance(std::size_t size, const Variant& variant);

}  // namespace ks::basics
