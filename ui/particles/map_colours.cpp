#include "ui/particles/map_colours.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/image/view/level_of_detail.h"
#include "ui/image/view/value_colours.h"

namespace ks::ui::particles {
namespace {

constexpr std::size_t manyValues = std::size_t{1}
                                   << 14;  ///< quantiles are computed from about this many values
constexpr double tail = 0.005, far = 2, logTail = 0.02;
constexpr double maxDecades = 1e-8;  ///< lower end of a log scale, relative to the maximum

/// About `manyValues` of the requested values, evenly from all planes.
template <class Wanted>
std::vector<float> sample(const PlaneValues& values, const Wanted& wanted) {
    std::vector<float> some;
    for (const std::vector<float>& plane : values) {
        // Odd, so that the samples do not all come from the same rows.
        const std::size_t step = std::max<std::size_t>(1, 3 * plane.size() / manyValues) | 1;
        for (std::size_t i = 0; i < plane.size(); i += step)
            if (wanted(plane[i])) some.push_back(plane[i]);
    }
    return some;
}

double quantile(std::vector<float>& values, double share) {
    const auto at = values.begin() + std::lround(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// The smallest and the largest finite value; in reverse order if there is none.
std::pair<float, float> extremesOf(const PlaneValues& values) {
    float low = HUGE_VALF, high = -HUGE_VALF;
    for (const std::vector<float>& plane : values)
        for (const float value : plane) {
            const bool finite = value - value == 0;
            low = finite && value < low ? value : low;
            high = finite && value > high ? value : high;
        }
    return {low, high};
}

}  // namespace

ColourTicks MapColours::ticks(int maximum) const {
    if (!angles) return scale.ticks(maximum);
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
    const auto [low, high] = extremesOf(values);
    if (!(low <= high)) return {0, 1};
    std::vector<float> some = sample(values, [](float v) { return std::isfinite(v); });
    if (some.empty()) return {low, high};
    const double middle = quantile(some, 0.5), above = quantile(some, 1 - tail), below = quantile(some, tail);
    std::pair<double, double> limits{low, high};
    if (above > middle && high - middle > far * (above - middle)) limits.second = above;
    if (below < middle && middle - low > far * (middle - below)) limits.first = below;
    return limits;
}

std::pair<double, double> automaticLogLimits(const PlaneValues& values) {
    float high = 0;
    for (const std::vector<float>& plane : values)
        for (const float value : plane) high = value > high && value < HUGE_VALF ? value : high;
    if (high <= 0) return {0.1, 1};
    std::vector<float> some = sample(values, [](float v) { return v > 0 && std::isfinite(v); });
    const double low = some.empty() ? high : quantile(some, logTail);
    return {std::clamp(low, high * maxDecades, high * 0.5), high};
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
    // If sums of one sign almost reach 0, the scale includes it.
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
    if (const auto [smallest, largest] = extremesOf(values); smallest <= largest)
        colours.beyond = colours.scale.beyond(smallest, largest);
    return colours;
}

std::vector<double> levelsOf(const MapColours& colours, const IsolineChoice& choice) {
    std::vector<double> levels;
    if (!choice.visible) return levels;
    if (!choice.byStep) {
        const int n = std::clamp(choice.count, 0, static_cast<int>(maxLevels));
        for (int k = 1; k <= n; ++k) levels.push_back(colours.scale.value(static_cast<double>(k) / (n + 1)));
        return levels;
    }
    if (!(choice.step > 0)) return levels;
    const double first = std::ceil(colours.scale.low / choice.step);
    for (std::size_t k = 0; k < maxLevels; ++k) {
        const double level = (first + static_cast<double>(k)) * choice.step;
        if (level > colours.scale.high) break;
        levels.push_back(level);
    }
    return levels;
}

}  // namespace ks::ui::particles
