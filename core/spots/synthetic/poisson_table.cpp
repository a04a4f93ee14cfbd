#include "core/spots/synthetic/poisson_table.h"

#include <algorithm>
#include <cmath>

namespace ks::spots {

PoissonTable::PoissonTable(double mean) {
    constexpr double all = 4294967296.0;
    constexpr std::uint32_t largest = 0xffffffff;
    double below = 0;
    const auto maximum = static_cast<std::uint32_t>(mean + 20 * std::sqrt(mean) + 40);
    for (std::uint32_t k = 0; mean > 0 && k < maximum; ++k) {
        below += std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
        // A count that no random number yields shares the number of the previous one.
        last_.push_back(static_cast<std::uint32_t>(std::clamp(std::round(below * all) - 1, 0.0, all - 1)));
    }
    last_.push_back(largest);
    std::uint32_t k = 0;
    for (std::uint32_t high = 0; high < first_.size(); ++high) {
        while (high << 24 > last_[k]) ++k;
        first_[high] = k;
    }
}

}  // namespace ks::spots
