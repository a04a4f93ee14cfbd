#pragma once

#include <cstddef>
#include <vector>

namespace ks {

/// Points in space with the weights that they carry, one row a point, in the order of the input: a structure
/// of arrays of one length.
struct PointSet {
    std::vector<double> x, y, z;
    std::vector<double> weight;     ///< real part; empty: the points carry none
    std::vector<double> weight_im;  ///< imaginary part; empty: the weights are real

    std::size_t size() const { return x.size(); }
    bool has_weights() const { return !weight.empty(); }
    bool is_complex() const { return !weight_im.empty(); }
    bool operator==(const PointSet&) const = default;
};

}  // namespace ks
