#pragma once

#include <vector>

namespace ks {

/// Quantile of the values by linear interpolation, 0 <= q <= 1; NaN if there are none.
double quantile(std::vector<double> values, double q);

}  // namespace ks
