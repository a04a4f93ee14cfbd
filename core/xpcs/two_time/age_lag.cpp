#include "core/xpcs/two_time/age_lag.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ks::xpcs {

std::vector<double> by_age_and_lag(std::span<const double> map, std::size_t frames) {
    std::vector<double> turned(frames * frames, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t t = 0; t < frames; ++t)
        for (std::size_t lag = 0; t + lag < frames; ++lag)
            turned[lag * frames + t + lag / 2] = map[t * frames + t + lag];
    return turned;
}

MapCut cut_at_age(std::span<const double> map, std::size_t frames, std::size_t age) {
    MapCut cut;
    for (std::size_t lag = 0; lag / 2 <= age && age - lag / 2 + lag < frames; ++lag) {
        const std::size_t t = age - lag / 2;
        const double value = map[t * frames + t + lag];
        if (std::isnan(value)) continue;
        cut.at.push_back(static_cast<double>(lag));
        cut.values.push_back(value);
    }
    return cut;
}

MapCut cut_at_lag(std::span<const double> map, std::size_t frames, std::size_t lag) {
    MapCut cut;
    for (std::size_t t = 0; t + lag < frames; ++t) {
        const double value = map[t * frames + t + lag];
        if (std::isnan(value)) continue;
        cut.at.push_back(static_cast<double>(t) + static_cast<double>(lag) / 2);
        cut.values.push_back(value);
    }
    return cut;
}

}  // namespace ks::xpcs
