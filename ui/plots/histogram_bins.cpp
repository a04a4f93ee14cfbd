#include "ui/plots/histogram_bins.h"

#include <algorithm>
#include <cmath>

namespace ks::ui {
namespace {

/// Calls `use` with every finite value.
template <class Use>
void each(const QVector<QVector<double>>& values, const Use& use) {
    for (const QVector<double>& some : values)
        for (const double value : some)
            if (std::isfinite(value)) use(value);
}

}  // namespace

QVector<double> logEdges(const QVector<QVector<double>>& values, int perDecade) {
    double low = HUGE_VAL, high = 0;
    each(values, [&](double value) {
        if (value <= 0) return;
        low = std::min(low, value);
        high = std::max(high, value);
    });
    if (high == 0) return {};
    const auto edge = [perDecade](int step) {
        // Whole powers are exact.
        return step % perDecade == 0 ? std::pow(10.0, step / perDecade)
                                     : std::pow(10.0, static_cast<double>(step) / perDecade);
    };
    int first = static_cast<int>(std::floor(std::log10(low) * perDecade));
    while (edge(first) > low) --first;
    QVector<double> edges;
    for (int step = first;; ++step) {
        edges << edge(step);
        if (edges.last() > high) return edges;
    }
}

QVector<double> wholeEdges(const QVector<QVector<double>>& values, int maximum) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    each(values, [&](double value) {
        low = std::min(low, std::round(value));
        high = std::max(high, std::round(value));
    });
    if (low > high) return {};
    const bool grow = high - low + 1 > maximum;
    QVector<double> edges{low - 0.5};
    while (edges.last() < high) {
        const double width = grow ? std::floor(std::max(edges.last(), 0.0) * 0.1) : 0;
        edges << edges.last() + std::max(1.0, width);
    }
    return edges;
}

QVector<double> linearEdges(const QVector<QVector<double>>& values, int bins) {
    double high = 0;
    each(values, [&](double value) { high = std::max(high, value); });
    if (high == 0) return {};
    QVector<double> edges;
    for (int i = 0; i <= bins; ++i) edges << high * i / bins;
    return edges;
}

QVector<double> binned(const QVector<double>& values, const QVector<double>& edges) {
    if (edges.size() < 2) return {};
    QVector<double> counts(edges.size() - 1, 0);
    for (const double value : values) {
        if (!(value >= edges.first() && value <= edges.last())) continue;
        const auto above = std::upper_bound(edges.begin(), edges.end(), value);
        counts[std::min<qsizetype>(above - edges.begin() - 1, counts.size() - 1)] += 1;
    }
    return counts;
}

}  // namespace ks::ui
