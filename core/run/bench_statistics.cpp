#include "core/run/bench_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numbers>

#include "core/base/quantile.h"
#include "core/base/random.h"

namespace ks {
namespace {

constexpr std::size_t resamples = 1000, fewest = 6;
constexpr double outside = 0.005;  ///< of the cases, on either side
/// Of the pairs of runs so many must have the order of medians that differ by this factor or more. By less
/// than the least of them medians of the same benchmark differ from process to process
/// (bench/rank_stability, docs/benchmarks.md). Where medians are far apart, some runs that are disturbed say
/// less against their order.
struct NeededShare {
    double ratio, share;
};
constexpr NeededShare needed_shares[] = {{1.4, 0.85}, {1.03, 0.9}};

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
    std::vector<double> sorted;
    double middle, smallest, largest;
    std::vector<double> medians;

    explicit Drawn(std::span<const double> of) : sorted(of.begin(), of.end()), middle(median(of)) {
        std::ranges::sort(sorted);
        smallest = sorted.front();
        largest = sorted.back();
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

/// Of all pairs those where the time after is above the one before; equal times count half.
double share_of_larger(const Drawn& before, const Drawn& after) {
    double pairs = 0;
    for (const double time : after.sorted) {
        const auto [first, last] = std::ranges::equal_range(before.sorted, time);
        pairs += static_cast<double>(first - before.sorted.begin()) + 0.5 * static_cast<double>(last - first);
    }
    return pairs / (static_cast<double>(before.sorted.size()) * static_cast<double>(after.sorted.size()));
}

Order order(const Drawn& before, const Drawn& after) {
    const RatioInterval found = ratio(before, after);
    const double away = std::log(found.value), larger = share_of_larger(before, after);
    const auto needed = std::ranges::find_if(needed_shares, [away](const NeededShare& one) {
        return std::abs(away) >= std::log(one.ratio);  // false for what is no number
    });
    if (needed == std::end(needed_shares) || (away > 0 ? larger : 1 - larger) < needed->share)
        return Order::undecided;
    const double wide = before.medians.empty() || after.medians.empty() ? 1 : std::numbers::sqrt2;
    const double reach =
        wide * std::max(std::log(found.high / found.value), std::log(found.value / found.low));
    if (!(std::abs(away) > reach)) return Order::undecided;
    return away > 0 ? Order::longer : Order::shorter;
}

}  // namespace

RatioInterval ratio_of_medians(std::span<const double> before, std::span<const double> after) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (before.empty() || after.empty()) return {none, none, none};
    return ratio(Drawn(before), Drawn(after));
}

Order order_of(std::span<const double> before, std::span<const double> after) {
    if (before.empty() || after.empty()) return Order::undecided;
    return order(Drawn(before), Drawn(after));
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
            const Order mine = order(drawn[j], drawn[i]);
            if (mine == Order::longer) ++rank.first;
            if (mine == Order::shorter) --rank.last;
        }
    }
    return ranks;
}

}  // namespace ks
