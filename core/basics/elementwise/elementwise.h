#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// What is computed of two elements, and in which groups.
struct Elementwise {
    enum class Kind { sum, product, combination };
    Kind kind = Kind::sum;
    float k1 = 1, k2 = 1;  ///< coefficients of the combination
    std::optional<std::size_t> local_size =
        {};  ///< work-items per group; empty: left to the variant or the driver

    /// Name of the stage: "add".
    const char* stage() const;
};

/// c from two vectors, element by element: a + b, a b or k1 a + k2 b.
class ElementwiseProblem : public Problem {
  public:
    ElementwiseProblem(std::size_t size, std::uint64_t seed, const Elementwise& what,
                       const Progress& progress = Progress());

    std::size_t size() const { return a_.size(); }
    std::uint64_t seed() const { return seed_; }
    const Elementwise& what() const { return what_; }
    bool is_combination() const { return what_.kind == Elementwise::Kind::combination; }
    const std::vector<float>& a() const { return a_; }  ///< [element]
    const std::vector<float>& b() const { return b_; }
    /// Bytes read and written by one pass over the vectors.
    std::uint64_t bytes() const { return std::uint64_t{3} * sizeof(float) * size(); }

    /// An element in double: sums and products of floats are exact, the combination is accurate to double
    /// precision.
    double exact(std::size_t i) const;
    /// Error of an element: of sums and products relative to the result; of a combination relative to
    /// |k1 a| + |k2 b|, after a deduction for subnormal results, which may be flushed.
    double error(float value, std::size_t i) const;
    /// Largest permitted error: 0 for sums and products, which all devices round to nearest, and 1.2e-7 for a
    /// combination, which they round two or three times.
    double tolerance() const { return is_combination() ? 1.2e-7 : 0; }

  private:
    std::uint64_t seed_;
    Elementwise what_;
    std::vector<float> a_, b_;
};

/// The result of a variant. @param c f32 [element]
Result elementwise_result(const ElementwiseProblem& problem, Array c, const std::vector<Timing>& timings);

}  // namespace ks::basics
