#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ks {

/// One weight per point; `im` is empty if the weights are real.
struct WeightVector {
    std::vector<double> re, im;
    bool operator==(const WeightVector&) const = default;
};

/// Points in space with their weights, one row per point, in input order: a structure of arrays
/// of equal length.
struct PointSet {
    std::vector<double> x, y, z;
    std::vector<double> weight;           ///< first vector, real part; empty: the points have none
    std::vector<double> weight_im;        ///< its imaginary part; empty: these weights are real
    std::vector<WeightVector> more = {};  ///< second vector and on

    std::size_t size() const { return x.size(); }
    bool has_weights() const { return !weight.empty(); }
    std::size_t n_vectors() const { return has_weights() ? 1 + more.size() : 0; }
    const std::vector<double>& re(std::size_t vector) const {
        return vector == 0 ? weight : more[vector - 1].re;
    }
    const std::vector<double>& im(std::size_t vector) const {
        return vector == 0 ? weight_im : more[vector - 1].im;
    }
    /// True if the weights of at least one vector are complex.
    bool is_complex() const {
        return !weight_im.empty() ||
               std::ranges::any_of(more, [](const WeightVector& weights) { return !weights.im.empty(); });
    }
    bool operator==(const PointSet&) const = default;
};

}  // namespace ks
