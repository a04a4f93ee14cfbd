#include "core/xpcs/two_time/log_lag.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ks::xpcs {
namespace {

/// The pairs of one cell.
struct Cell {
    double values = 0, lags = 0, ages = 0;  ///< sums
    std::uint32_t pairs = 0;

    double mean_of(double sum) const {
        return pairs > 0 ? sum / pairs : std::numeric_limits<double>::quiet_NaN();
    }
};

Cell cell_of(std::span<const double> map, std::size_t frames, const DelayRange& lags, std::size_t age) {
    Cell cell;
    for (std::size_t lag = lags.begin; lag < lags.end && lag / 2 <= age; ++lag) {
        const std::size_t t = age - lag / 2;
        if (t + lag >= frames) break;
        const double value = map[t * frames + t + lag];
        if (std::isnan(value)) continue;
        cell.values += value;
        cell.lags += static_cast<double>(lag);
        cell.ages += static_cast<double>(t) + static_cast<double>(lag) / 2;
        ++cell.pairs;
    }
    return cell;
}

}  // namespace

std::vector<DelayRange> log_lags(std::size_t frames, std::size_t per_decade) {
    std::vector<DelayRange> points = Rebinning{per_decade, frames}.points();
    points.erase(points.begin());  // lag 0
    return points;
}

LogLagMap by_age_and_log_lag(std::span<const double> map, std::size_t frames, std::size_t per_decade) {
    LogLagMap made;
    made.lags = log_lags(frames, per_decade);
    for (const DelayRange& row : made.lags) {
        double lags = 0, pairs = 0;
        for (std::size_t age = 0; age < frames; ++age) {
            const Cell cell = cell_of(map, frames, row, age);
            made.values.push_back(cell.mean_of(cell.values));
            made.counts.push_back(cell.pairs);
            lags += cell.lags;
            pairs += cell.pairs;
        }
        made.mean_lags.push_back(pairs > 0 ? lags / pairs
                                           : 0.5 * static_cast<double>(row.begin + row.end - 1));
    }
    return made;
}

MapCut log_cut_at_age(std::span<const double> map, std::size_t frames, std::size_t age,
                      std::size_t per_decade) {
    MapCut cut;
    for (const DelayRange& row : log_lags(frames, per_decade)) {
        const Cell cell = cell_of(map, frames, row, age);
        if (cell.pairs == 0) continue;
        cut.at.push_back(cell.mean_of(cell.lags));
        cut.values.push_back(cell.mean_of(cell.values));
    }
    return cut;
}

MapCut log_cut_at_lag(std::span<const double> map, std::size_t frames, const DelayRange& lags) {
    MapCut cut;
    for (std::size_t age = 0; age < frames; ++age) {
        const Cell cell = cell_of(map, frames, lags, age);
        if (cell.pairs == 0) continue;
        cut.at.push_back(cell.mean_of(cell.ages));
        cut.values.push_back(cell.mean_of(cell.values));
    }
    return cut;
}

}  // namespace ks::xpcs
