#pragma once

#include <vector>

namespace ks {

/// Quantile of values by linear interpolation, 0 <= q <= 1; NaN without values.
double quantile(std::vector<double> values, double q);

}  // namespace ks
