#include "core/run/bench_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/quantile.h"
#include "core/base/random.h"

namespace ks {
namespace {

constexpr std::size_t resamples = 1000, fewest = 6;
constexpr double outside = 0.005;  ///< of the cases, on either side

double median(std::span<const double> times) {
    return quantile({times.begin(), times.end()}, 0.5);
}

/// Medians of times drawn again. Lists of one length are drawn alike: the n-th median of each belongs to the
/// same rounds.
std::vector<double> drawn_medians(std::span<const double> times) {
    const std::size_t n = times.size();
    const auto piece =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(n)))));
    Random random(1, n);
    std::vector<double> medians, drawn;
    medians.reserve(resamples);
    drawn.reserve(n + piece);
    for (std::size_t i = 0; i < resamples; ++i) {
        drawn.clear();
        while (drawn.size() < n) {
            const auto first = static_cast<std::size_t>(random.uniform() * static_cast<double>(n));
            for (std::size_t k = 0; k < piece && drawn.size() < n; ++k)
                drawn.push_back(times[(first + k) % n]);
        }
        medians.push_back(median(drawn));
    }
    return medians;
}

/// Times with what the ratios to others need of them.
struct Drawn {
    std::span<const double> times;
    double middle, smallest, largest;
    std::vector<double> medians;

    explicit Drawn(std::span<const double> of)
        : times(of),
          middle(median(of)),
          smallest(*std::ranges::min_element(of)),
          largest(*std::ranges::max_element(of)) {
        if (of.size() >= fewest) medians = drawn_medians(of);
    }
};

RatioInterval ratio(const Drawn& before, const Drawn& after) {
    const double value = after.middle / before.middle;
    if (before.medians.empty() || after.medians.empty())
        return {value, after.smallest / before.largest, after.largest / before.smallest};
    std::vector<double> ratios;
    ratios.reserve(resamples);
    for (std::size_t i = 0; i < resamples; ++i) ratios.push_back(after.medians[i] / before.medians[i]);
    return {value, std::min(value, quantile(ratios, outside)),
            std::max(value, quantile(ratios, 1 - outside))};
}

}  // namespace

RatioInterval ratio_of_medians(std::span<const double> before, std::span<const double> after) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (before.empty() || after.empty()) return {none, none, none};
    return ratio(Drawn(before), Drawn(after));
}

std::vector<Rank> ranks_of(const std::vector<std::vector<double>>& times) {
    std::vector<Rank> ranks(times.size(), Rank{0, 0});
    std::vector<std::size_t> there;
    std::vector<Drawn> drawn;
    there.reserve(times.size());
    drawn.reserve(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i].empty()) continue;
        there.push_back(i);
        drawn.emplace_back(times[i]);
    }
    for (std::size_t i = 0; i < there.size(); ++i) {
        Rank& rank = ranks[there[i]];
        rank = {1, there.size()};
        for (std::size_t j = 0; j < there.size(); ++j) {
            if (j == i) continue;
            const RatioInterval to_me = ratio(drawn[j], drawn[i]);
            if (to_me.above(1)) ++rank.first;
            if (to_me.below(1)) --rank.last;
        }
    }
    return ranks;
}

}  // namespace ks
