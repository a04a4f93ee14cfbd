#include "ui/particles/map_colours.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/image/level_of_detail.h"
#include "ui/image/value_colours.h"

namespace ks::ui::particles {
namespace {

constexpr std::size_t manyValues = std::size_t{1} << 16;  ///< quantiles are taken from about so many
constexpr double tail = 0.005, far = 2, logTail = 0.02;
constexpr double mostDecades = 1e-8;  ///< fields fall to nothing far from the sources

}  // namespace

ColourTicks MapColours::ticks(int most) const {
    if (!angles) return scale.ticks(most);
    return {{0, QStringLiteral("\u2212\u03c0")},
            {0.25, QStringLiteral("\u2212\u03c0/2")},
            {0.5, QStringLiteral("0")},
            {0.75, QStringLiteral("\u03c0/2")},
            {1, QStringLiteral("\u03c0")}};
}

QImage MapColours::image(const std::vector<float>& values, std::size_t side) const {
    const int n = static_cast<int>(side);
    QImage image(n, n, QImage::Format_RGB32);
    if (image.isNull()) return image;
    const ValueColours colours(map, scale, map.invalid());
    std::vector<float> row(side);
    for (std::size_t j = 0; j < side; ++j) {
        for (std::size_t i = 0; i < side; ++i) {
            const float value = values[i * side + j];
            row[i] = std::isnan(value) ? LevelOfDetail::invalid : value;
        }
        auto* out = reinterpret_cast<QRgb*>(image.scanLine(n - 1 - static_cast<int>(j)));
        colours.paint(row.data(), side, out);
    }
    return image;
}

std::pair<double, double> automaticLimits(const PlaneValues& values) {
    std::vector<double> some;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const std::vector<float>& plane : values) {
        const std::size_t step = std::max<std::size_t>(1, 3 * plane.size() / manyValues) | 1;
        for (std::size_t i = 0; i < plane.size(); ++i) {
            const double value = plane[i];
            if (!std::isfinite(value)) continue;
            low = std::min(low, value);
            high = std::max(high, value);
            if (i % step == 0) some.push_back(value);
        }
    }
    if (!(low <= high)) return {0, 1};
    if (some.empty()) return {low, high};
    const auto quantile = [&some](double share) {
        const auto at = some.begin() + std::lround(share * static_cast<double>(some.size() - 1));
        std::nth_element(some.begin(), at, some.end());
        return *at;
    };
    const double middle = quantile(0.5), above = quantile(1 - tail), below = quantile(tail);
    if (above > middle && high - middle > far * (above - middle)) high = above;
    if (below < middle && middle - low > far * (middle - below)) low = below;
    return {low, high};
}

std::pair<double, double> automaticLogLimits(const PlaneValues& values) {
    std::vector<float> some;
    float high = 0;
    for (const std::vector<float>& plane : values) {
        const std::size_t step = std::max<std::size_t>(1, 3 * plane.size() / manyValues) | 1;
        for (std::size_t i = 0; i < plane.size(); ++i) {
            if (!(plane[i] > 0) || !std::isfinite(plane[i])) continue;
            high = std::max(high, plane[i]);
            if (i % step == 0) some.push_back(plane[i]);
        }
    }
    if (high <= 0) return {0.1, 1};
    double low = high;
    if (!some.empty()) {
        const auto at = some.begin() + std::lround(logTail * static_cast<double>(some.size() - 1));
        std::nth_element(some.begin(), at, some.end());
        low = *at;
    }
    return {std::clamp(low, high * mostDecades, high * 0.5), high};
}

MapColours coloursFor(const PlaneValues& values, Part part, ScaleKind kind, const QString& mapName,
                      const std::optional<std::pair<double, double>>& limits) {
    MapColours colours;
    colours.scale.automatic = !limits;
    if (part == Part::phase) {
        colours.map = ColourMap::cyclic();
        colours.angles = true;
        colours.scale.low = -std::numbers::pi;
        colours.scale.high = std::numbers::pi;
        return colours;
    }
    colours.scale.kind = kind;
    auto [low, high] = limits.value_or(std::pair<double, double>{});
    if (!limits)
        std::tie(low, high) = kind == ScaleKind::log ? automaticLogLimits(values) : automaticLimits(values);
    // Sums of one sign have 0 in sight where they nearly reach it.
    if (!limits && kind == ScaleKind::linear && low > 0 && low < 0.1 * high) low = 0;
    const bool bothSigns = low < 0 && high > 0 && kind == ScaleKind::linear;
    if (bothSigns && !limits) {
        high = std::max(-low, high);
        low = -high;
    }
    colours.map = bothSigns && low == -high ? ColourMap::diverging() : ColourMap::named(mapName);
    if (!(high > low)) high = low + std::max(std::abs(low) * 1e-6, low == 0 ? 1 : 0.0);
    colours.scale.low = low;
    colours.scale.high = high;
    return colours;
}

std::vector<double> levelsOf(const MapColours& colours, const IsolineChoice& choice) {
    std::vector<double> levels;
    if (!choice.visible) return levels;
    if (!choice.byStep) {
        const int n = std::clamp(choice.count, 0, static_cast<int>(mostLevels));
        for (int k = 1; k <= n; ++k) levels.push_back(colours.scale.value(static_cast<double>(k) / (n + 1)));
        return levels;
    }
    if (!(choice.step > 0)) return levels;
    const double first = std::ceil(colours.scale.low / choice.step);
    for (std::size_t k = 0; k < mostLevels; ++k) {
        const double level = (first + static_cast<double>(k)) * choice.step;
        if (level > colours.scale.high) break;
        levels.push_back(level);
    }
    return levels;
}

}  // namespace ks::ui::particles
