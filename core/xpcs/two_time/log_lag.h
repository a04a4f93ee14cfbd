#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/xpcs/correlators/rebin.h"
#include "core/xpcs/two_time/age_lag.h"

namespace ks::xpcs {

/// Ranges of lags per decade where nothing else was asked for.
inline constexpr std::size_t usual_lags_per_decade = 10;

/// A two-time map by age and by ranges of lags, which are the points of a rebinned curve without lag 0, whose
/// values contain shot noise. Ages are those of by_age_and_lag().
struct LogLagMap {
    std::vector<DelayRange> lags;       ///< of each row, ascending
    std::vector<double> mean_lags;      ///< of the pairs of each row; without any, the middle
    std::vector<double> values;         ///< [row][age], means of C over pairs; NaN where there are none
    std::vector<std::uint32_t> counts;  ///< [row][age], pairs with a value
};

/// The ranges of lags above 0 of a map of `frames` frames.
std::vector<DelayRange> log_lags(std::size_t frames, std::size_t per_decade);
/// @param map [t1][t2] as for by_age_and_lag()
LogLagMap by_age_and_log_lag(std::span<const double> map, std::size_t frames, std::size_t per_decade);
/// A column of by_age_and_log_lag() at the mean lags of its pairs: cut_at_age() without lag 0, rebinned.
MapCut log_cut_at_age(std::span<const double> map, std::size_t frames, std::size_t age,
                      std::size_t per_decade);
/// A row of by_age_and_log_lag() at the mean ages of its pairs, with their half frames.
MapCut log_cut_at_lag(std::span<const double> map, std::size_t frames, const DelayRange& lags);

}  // namespace ks::xpcs
