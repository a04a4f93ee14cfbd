#include "ui/spots/run_spots.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/run/error.h"
#include "core/spots/spot_columns.h"

namespace ks::ui::spots {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

QVector<double> column(const Result& result, const char* name) {
    const Dataset* found = result.find(name);
    if (!found) return {};
    const std::vector<double> values = found->values.to_doubles();
    return QVector<double>(values.begin(), values.end());
}

/// Calls `use` with every finite value.
template <class Use>
void each(const QVector<QVector<double>>& values, const Use& use) {
    for (const QVector<double>& some : values)
        for (const double value : some)
            if (std::isfinite(value)) use(value);
}

}  // namespace

std::optional<RunSpots> runSpots(const RunRow& row) {
    const Result& result = row.run->result;
    RunSpots found;
    found.name = QObject::tr("run %1").arg(row.number);
    if (!result.find("n_signal")) return std::nullopt;
    try {
        found.spots = ks::spots::spots_of(result);
    } catch (const Error&) {
        return std::nullopt;
    }
    found.frame = column(result, "frame");
    found.signal = column(result, "frame_signal");
    found.count = column(result, "frame_spots");
    found.sum = column(result, "frame_sum");
    found.resolution = column(result, "frame_d");
    const QVector<double> missing = column(result, "frame_missing");
    for (QVector<double>* values : {&found.signal, &found.count, &found.sum, &found.resolution}) {
        if (values->size() != found.frame.size()) return std::nullopt;
        for (qsizetype i = 0; i < values->size() && i < missing.size(); ++i)
            if (missing[i] != 0) (*values)[i] = nan;
    }
    return found;
}

QVector<double> logEdges(const QVector<QVector<double>>& values, int perDecade) {
    double low = HUGE_VAL, high = 0;
    each(values, [&](double value) {
        if (value <= 0) return;
        low = std::min(low, value);
        high = std::max(high, value);
    });
    if (high == 0) return {};
    const auto edge = [perDecade](int step) {
        // Whole powers come out exact.
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

QVector<double> wholeEdges(const QVector<QVector<double>>& values, int most) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    each(values, [&](double value) {
        low = std::min(low, std::round(value));
        high = std::max(high, std::round(value));
    });
    if (low > high) return {};
    const bool grow = high - low + 1 > most;
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

}  // namespace ks::ui::spots
