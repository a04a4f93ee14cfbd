#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/data/point_set.h"

namespace ks::io {

/// A column of weights in a file of points: weight, weight_im, weight_2, weight_2_im, weight_3, ...
struct WeightColumn {
    std::size_t vector = 0;  ///< from 0
    bool imaginary = false;

    std::string name() const;
    std::vector<double>& of(PointSet& points) const;
    bool operator==(const WeightColumn&) const = default;
};

/// The columns of weights among column names, vector by vector, the real part first. Throws ks::Error(input)
/// with `where` for a name that begins with "weight" but is not a column of weights, for a duplicate, for an
/// imaginary part without a real part, and for a gap in the numbers of the vectors.
std::vector<WeightColumn> weight_columns(const std::vector<std::string>& names, const std::string& where);

/// The columns of the weights that points have.
std::vector<WeightColumn> weight_columns(const PointSet& points);

}  // namespace ks::io
