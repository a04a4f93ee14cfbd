#include "core/run/bench_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/quantile.h"
#include "core/run/tables/runs_among.h"

namespace ks {
namespace {

constexpr double doubt = 0.01;  ///< error probability of an order called significant
constexpr double of_one_benchmark = 1.03, of_two_benchmarks = 2;  ///< factors between medians
constexpr std::size_t exact_runs = 60;  ///< size of two lists together up to which rank sums are enumerated
constexpr std::size_t longest_list = 400;  ///< length up to which all pairs of runs are formed

double median(std::span<const double> times) {
    return quantile({times.begin(), times.end()}, 0.5);
}

bool in_rounds(std::span<const double> before, std::span<const double> after, Taken taken) {
    return taken == Taken::in_rounds && before.size() == after.size();
}

/// For `n` rounds with two equally likely outcomes: the probability that either outcome occurs at most k
/// times. To be called for k = 0, 1, ... in order.
class SignProbabilities {
  public:
    explicit SignProbabilities(std::size_t n) : n_(static_cast<double>(n)) {}

    double next() {
        sum_ += std::exp(std::lgamma(n_ + 1) - std::lgamma(k_ + 1) - std::lgamma(n_ - k_ + 1) -
                         n_ * std::log(2.0));
        ++k_;
        return std::min(1.0, 2 * sum_);
    }

  private:
    double n_, k_ = 0, sum_ = 0;
};

double sign_probability(std::size_t n, std::size_t k) {
    SignProbabilities all(n);
    double probability = all.next();
    for (std::size_t i = 0; i < k && probability < 1; ++i) probability = all.next();
    return probability;
}

/// The same for two lists of n and m times: the probability that at most `pairs` of all n m pairs have the
/// rarer order (Mann-Whitney test).
class RankSums {
  public:
    RankSums(std::size_t n, std::size_t m) : n_(n), m_(m) {
        if (n + m > exact_runs) return;
        // [k][s]: the number of ways in which k of the positions so far belong to the first list such that s
        // pairs have a time of the other list before one of it.
        std::vector<std::vector<double>> ways(n + 1, std::vector<double>(n * m + 1, 0));
        ways[0][0] = 1;
        for (std::size_t place = 1; place <= n + m; ++place)
            for (std::size_t k = std::min(place, n); k > 0; --k)
                for (std::size_t s = place - k; s <= n * m && place - k <= m; ++s)
                    ways[k][s] += ways[k - 1][s - (place - k)];
        const double all = std::accumulate(ways[n].begin(), ways[n].end(), 0.0);
        cumulated_.reserve(n * m + 1);
        double sum = 0;
        for (const double some : ways[n]) cumulated_.push_back((sum += some) / all);
    }

    double probability(double pairs) const {
        const double middle = static_cast<double>(n_) * static_cast<double>(m_) / 2;
        if (pairs >= middle) return 1;
        if (!cumulated_.empty())
            return std::min(1.0, 2 * cumulated_[static_cast<std::size_t>(std::ceil(pairs))]);
        const double spread = std::sqrt(middle / 6 * static_cast<double>(n_ + m_ + 1));
        return std::erfc((middle - pairs - 0.5) / spread / std::sqrt(2.0));
    }

  private:
    std::size_t n_, m_;
    std::vector<double> cumulated_;
};

/// Sorted; quantiles of a long list.
std::vector<double> thinned(std::span<const double> times) {
    std::vector<double> sorted(times.begin(), times.end());
    std::ranges::sort(sorted);
    if (sorted.size() <= longest_list) return sorted;
    std::vector<double> some;
    some.reserve(longest_list);
    for (std::size_t i = 0; i < longest_list; ++i)
        some.push_back(sorted[(2 * i + 1) * sorted.size() / (2 * longest_list)]);
    return some;
}

/// Sorted ratios; one side of a test counts those above, the other side those below.
std::vector<double> ratios_of(std::span<const double> before, std::span<const double> after, Taken taken) {
    std::vector<double> ratios;
    if (in_rounds(before, after, taken)) {
        ratios.reserve(before.size());
        for (std::size_t i = 0; i < before.size(); ++i) ratios.push_back(after[i] / before[i]);
    } else {
        const std::vector<double> first = thinned(before), second = thinned(after);
        ratios.reserve(first.size() * second.size());
        for (const double one : first)
            for (const double other : second) ratios.push_back(other / one);
    }
    std::ranges::sort(ratios);
    return ratios;
}

/// The number of ratios below the lower bound, and above the upper one; 0 where there are too few.
std::size_t left_out(std::size_t n, std::size_t m, bool rounds) {
    std::size_t count = 0;
    if (rounds) {
        for (SignProbabilities all(n); count < n && all.next() <= doubt;) ++count;
        return count;
    }
    const RankSums sums(std::min(n, longest_list), std::min(m, longest_list));
    while (sums.probability(static_cast<double>(count)) <= doubt) ++count;
    return count;
}

/// The order of two lists, and the probability of an order as clear, in either direction, by chance.
struct Test {
    Order order;
    double probability;
};

Test test_of(std::span<const double> before, std::span<const double> after, Taken taken) {
    double longer = 0, shorter = 0;
    if (in_rounds(before, after, taken)) {
        for (std::size_t i = 0; i < before.size(); ++i) {
            longer += after[i] > before[i] ? 1 : 0;
            shorter += after[i] < before[i] ? 1 : 0;
        }
        // Rounds of equal times count against an order.
        const auto against = before.size() - static_cast<std::size_t>(std::max(longer, shorter));
        return {longer > shorter ? Order::longer : Order::shorter, sign_probability(before.size(), against)};
    }
    const std::vector<double> first = thinned(before), second = thinned(after);
    for (const double time : second) {
        const auto [low, high] = std::ranges::equal_range(first, time);
        const double equal = static_cast<double>(high - low) / 2;
        longer += static_cast<double>(low - first.begin()) + equal;
        shorter += static_cast<double>(first.end() - high) + equal;
    }
    return {longer > shorter ? Order::longer : Order::shorter,
            RankSums(first.size(), second.size()).probability(std::min(longer, shorter))};
}

Order order_of_medians(std::span<const double> before, std::span<const double> after, double factor) {
    const double ratio = median(after) / median(before);
    if (ratio >= factor) return Order::longer;
    return ratio <= 1 / factor ? Order::shorter : Order::undecided;  // also for NaN
}

Order opposite(Order order) {
    return order == Order::longer ? Order::shorter : Order::longer;
}

}  // namespace

void require_time(double time, const std::string& where) {
    if (!(time >= 0) || !std::isfinite(time))
        throw Error(ErrorKind::input,
                    fmt::format("{}: expected a time, at least 0, found {:.12g}", where, time));
}

RatioInterval ratio_of_medians(std::span<const double> before, std::span<const double> after, Taken taken) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (before.empty() || after.empty()) return {none, none, none};
    const double value = median(after) / median(before);
    const std::size_t out = left_out(before.size(), after.size(), in_rounds(before, after, taken));
    if (out == 0) return {value, 0, std::numeric_limits<double>::infinity()};
    const std::vector<double> ratios = ratios_of(before, after, taken);
    return {value, std::min(value, ratios[out - 1]), std::max(value, ratios[ratios.size() - out])};
}

std::size_t runs_for_an_order(std::size_t rows) {
    const std::size_t pairs = std::max<std::size_t>(1, rows * (rows - std::min<std::size_t>(rows, 1)) / 2);
    std::size_t runs = 1;
    while (sign_probability(runs, 0) > doubt / static_cast<double>(pairs)) ++runs;
    return runs;
}

std::size_t runs_among(const std::vector<RankedTimes>& lists, std::size_t benchmark) {
    std::vector<const RankedTimes*> there;
    for (const RankedTimes& list : lists)
        if (!list.times.empty()) there.push_back(&list);
    const auto is_own = [benchmark](const RankedTimes* list) { return list->benchmark == benchmark; };
    const auto own = static_cast<std::size_t>(std::ranges::count_if(there, is_own));
    if (own < 2) return 0;
    const std::size_t alone = runs_for_an_order(there.size());
    if (own == there.size()) return alone;
    std::vector<double> others;
    for (std::size_t a = 0; a < there.size(); ++a)
        for (std::size_t b = a + 1; b < there.size(); ++b) {
            if (is_own(there[a]) && is_own(there[b])) continue;
            const bool rounds = there[a]->benchmark == there[b]->benchmark;
            others.push_back(
                test_of(there[a]->times, there[b]->times, rounds ? Taken::in_rounds : Taken::apart)
                    .probability);
        }
    std::ranges::sort(others);
    const std::size_t pairs = there.size() * (there.size() - 1) / 2;
    const auto limit = [pairs](std::size_t clearer) { return doubt / static_cast<double>(pairs - clearer); };
    for (std::size_t runs = 1; runs < alone; ++runs) {
        const double least = sign_probability(runs, 0);
        std::size_t clearer = 0;
        while (clearer < others.size() && others[clearer] < least && others[clearer] <= limit(clearer))
            ++clearer;
        if (least <= limit(clearer)) return runs;
    }
    return alone;
}

Orders::Orders(const std::vector<RankedTimes>& lists)
    : lists_(lists.size()), orders_(lists.size() * lists.size(), Order::undecided) {
    struct Pair {
        std::size_t a, b;
        Test test;
    };
    std::vector<Pair> pairs;
    for (const RankedTimes& list : lists) there_.push_back(!list.times.empty());
    const auto taken = [&lists](std::size_t a, std::size_t b) {
        return lists[a].benchmark == lists[b].benchmark ? Taken::in_rounds : Taken::apart;
    };
    for (std::size_t a = 0; a < lists_; ++a)
        for (std::size_t b = a + 1; b < lists_; ++b)
            if (there_[a] && there_[b])
                pairs.push_back({a, b, test_of(lists[a].times, lists[b].times, taken(a, b))});
    std::ranges::stable_sort(pairs, {}, [](const Pair& pair) { return pair.test.probability; });
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto& [a, b, test] = pairs[i];
        if (test.probability > doubt / static_cast<double>(pairs.size() - i)) break;
        const double factor = taken(a, b) == Taken::in_rounds ? of_one_benchmark : of_two_benchmarks;
        if (order_of_medians(lists[a].times, lists[b].times, factor) != test.order) continue;
        orders_[a * lists_ + b] = test.order;
        orders_[b * lists_ + a] = opposite(test.order);
    }
}

std::vector<Rank> Orders::ranks() const {
    std::vector<Rank> ranks(lists_, Rank{0, 0});
    const auto there = static_cast<std::size_t>(std::ranges::count(there_, true));
    for (std::size_t i = 0; i < lists_; ++i) {
        if (!there_[i]) continue;
        ranks[i] = {1, there};
        for (std::size_t j = 0; j < lists_; ++j) {
            const Order mine = of(j, i);
            if (mine == Order::longer) ++ranks[i].first;
            if (mine == Order::shorter) --ranks[i].last;
        }
    }
    return ranks;
}

Order order_of(std::span<const double> before, std::span<const double> after, Taken taken) {
    const std::size_t other = taken == Taken::in_rounds ? 0 : 1;
    return Orders({{{before.begin(), before.end()}, 0}, {{after.begin(), after.end()}, other}}).of(0, 1);
}

std::vector<Rank> ranks_of(const std::vector<std::vector<double>>& times) {
    std::vector<RankedTimes> lists;
    lists.reserve(times.size());
    for (const std::vector<double>& one : times) lists.push_back({one, 0});
    return Orders(lists).ranks();
}

}  // namespace ks
