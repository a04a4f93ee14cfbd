#include "core/particles/crossover.h"

#include <algorithm>
#include <cmath>

namespace ks::particles {
namespace {

/// y at x on the straight line through (x0, y0) and (x1, y1).
double where(double x0, double y0, double x1, double y1, double y) {
    return x0 + (y - y0) / (y1 - y0) * (x1 - x0);
}

}  // namespace

std::optional<double> direct_seconds(const std::vector<Cost>& direct, double n) {
    if (direct.empty() || n < direct.front().n) return std::nullopt;
    const Cost& last = direct.back();
    if (n >= last.n) return last.seconds * (n / last.n) * (n / last.n);
    const auto next = std::ranges::upper_bound(direct, n, {}, &Cost::n);
    const Cost &above = *next, &below = *(next - 1);
    const double share = std::log(n / below.n) / std::log(above.n / below.n);
    return below.seconds * std::pow(above.seconds / below.seconds, share);
}

std::optional<Crossover> crossover_of(const std::vector<Cost>& direct, const std::vector<Cost>& treecode) {
    struct Difference {
        double n, of_logs;  ///< below 0: the treecode is faster
    };
    std::vector<Difference> all;
    for (const Cost& one : treecode)
        if (const std::optional<double> seconds = direct_seconds(direct, one.n))
            all.push_back({one.n, std::log(one.seconds / *seconds)});
    if (all.empty()) return std::nullopt;
    const double measured = direct.back().n;
    const auto slower =
        std::find_if(all.rbegin(), all.rend(), [](const Difference& one) { return one.of_logs >= 0; });
    if (slower == all.rend())
        return Crossover{Crossover::Kind::always, all.front().n, all.front().n > measured};
    if (slower == all.rbegin())
        return Crossover{Crossover::Kind::never, all.back().n, all.back().n > measured};
    const Difference &before = *slower, &after = *(slower - 1);
    const double n = std::exp(where(std::log(before.n), before.of_logs, std::log(after.n), after.of_logs, 0));
    return Crossover{Crossover::Kind::from, n, after.n > measured};
}

}  // namespace ks::particles
