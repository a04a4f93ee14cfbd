#include "core/base/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace ks {

double quantile(std::vector<double> values, double q) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::ranges::sort(values);
    const double at = q * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - std::floor(at)) * (values[above] - values[below]);
}

}  // namespace ks
