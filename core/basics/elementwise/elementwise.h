#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// c from two vectors, element by element: their product or a linear combination.
class ElementwiseProblem : public Problem {
  public:
    /// c = a b.
    ElementwiseProblem(std::size_t size, std::uint64_t seed, const Progress& progress = Progress());
    /// c = k1 a + k2 b.
    ElementwiseProblem(std::size_t size, std::uint64_t seed, float k1, float k2,
                       const Progress& progress = Progress());

    std::size_t size() const { return a_.size(); }
    std::uint64_t seed() const { return seed_; }
    bool is_product() const { return is_product_; }
    float k1() const { return k1_; }  ///< of the linear combination
    float k2() const { return k2_; }
    const std::vector<float>& a() const { return a_; }  ///< [element]
    const std::vector<float>& b() const { return b_; }
    /// Bytes read and written by one pass over the vectors.
    std::uint64_t bytes() const { return std::uint64_t{3} * sizeof(float) * size(); }

    /// An element in double: the product is exact, the combination accurate to double precision.
    double exact(std::size_t i) const;
    /// Permitted error of an element: 0 for a product, which all devices round to nearest, and 1.2e-7 (|k1 a|
    /// + |k2 b|) for a combination, which they round two or three times. Subnormal results may be flushed.
    double allowed(std::size_t i) const;

  private:
    std::uint64_t seed_;
    bool is_product_;
    float k1_ = 1, k2_ = 1;
    std::vector<float> a_, b_;
};

/// The result of a variant. @param c f32 [element]
Result elementwise_result(const ElementwiseProblem& problem, Array c, const std::vector<Timing>& timings);

}  // namespace ks::basics
