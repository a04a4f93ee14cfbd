#include "ui/base/colour_map.h"

#include <algorithm>
#include <cmath>

#include <QObject>

#include "core/base/error.h"
#include "ui/base/colour_tables.h"
#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/base/round_number.h"

namespace ks::ui {
namespace {

constexpr std::array<QRgb, 2> grey{0x000000, 0xffffff};
// RdBu by C. Brewer, reversed. It is published as 11 colours; those between are interpolated.
constexpr std::array<QRgb, 11> blueRed{0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
                                       0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f};

struct Row {
    const char* name;
    std::span<const QRgb> points;
    QRgb invalid;  ///< a colour that is not on the map
};
const std::array<Row, 4> rows{{{"viridis", colour_tables::viridis, 0xff7a7a7a},
                               {"inferno", colour_tables::inferno, 0xff4f7fa8},
                               {"cividis", colour_tables::cividis, 0xffb5527a},
                               {"grey", grey, 0xff4a6fa5}}};

const QString reversedSuffix = QStringLiteral(" reversed");

}  // namespace

ColourMap::ColourMap(QString name, std::span<const QRgb> points, QRgb invalid, bool reversed)
    : name_(std::move(name)), invalid_(invalid) {
    if (points.size() == table_.size()) {
        std::ranges::transform(points, table_.begin(), [](QRgb one) { return one | 0xff000000; });
    } else {
        const double last = static_cast<double>(points.size() - 1);
        for (std::size_t i = 0; i < table_.size(); ++i) {
            const double at = static_cast<double>(i) / 255.0 * last;
            const auto k = std::min(static_cast<std::size_t>(at), points.size() - 2);
            table_[i] = mixed(QColor(points[k + 1]), QColor(points[k]), at - static_cast<double>(k)).rgb();
        }
    }
    if (reversed) std::ranges::reverse(table_);
}

QStringList ColourMap::names() {
    QStringList names;
    for (const Row& row : rows) names << QString::fromLatin1(row.name);
    for (const Row& row : rows) names << QString::fromLatin1(row.name) + reversedSuffix;
    return names;
}

ColourMap ColourMap::named(const QString& name) {
    const bool reversed = name.endsWith(reversedSuffix);
    const QString stem = reversed ? name.chopped(reversedSuffix.size()) : name;
    for (const Row& row : rows) {
        if (stem == QLatin1String(row.name)) return {name, row.points, row.invalid, reversed};
    }
    throw Error(ErrorKind::input, "there is no colour map \"" + name.toStdString() + "\"", "colour map",
                "choose one of " + names().join(QStringLiteral(", ")).toStdString());
}

ColourMap ColourMap::cyclic() {
    return {QStringLiteral("cyclic"), colour_tables::twilight, 0xff3fa34d, false};
}

ColourMap ColourMap::diverging() {
    return {QStringLiteral("diverging"), blueRed, 0xff3fa34d, false};
}

QRgb ColourMap::at(double position) const {
    return table_[static_cast<std::size_t>(std::lround(std::clamp(position, 0.0, 1.0) * 255))];
}

double ColourScale::logFloor() const {
    if (low > 0) return low;
    // Half a count, which keeps zeros and ones apart.
    return high > 5 ? 0.5 : high > 0 ? high / 1e3 : 1;
}

double ColourScale::position(double value) const {
    if (std::isnan(value)) return value;
    double position = 0;
    if (kind == ScaleKind::log) {
        const double floor = logFloor();
        position =
            std::log(std::max(value, floor) / floor) / std::log(std::max(high, floor * 1.0001) / floor);
    } else {
        position = std::clamp((value - low) / (high - low), 0.0, 1.0);
        if (kind == ScaleKind::sqrt) position = std::sqrt(position);
        if (kind == ScaleKind::arcsinh) position = std::asinh(position * softParts) / std::asinh(softParts);
    }
    return std::clamp(position, 0.0, 1.0);
}

double ColourScale::value(double position) const {
    if (kind == ScaleKind::log) return logFloor() * std::pow(high / logFloor(), position);
    if (kind == ScaleKind::sqrt) position *= position;
    if (kind == ScaleKind::arcsinh) position = std::sinh(position * std::asinh(softParts)) / softParts;
    return low + position * (high - low);
}

BeyondLimits ColourScale::beyond(double smallest, double largest) const {
    BeyondLimits found;
    if (smallest < (kind == ScaleKind::log ? logFloor() : low)) found.below = smallest;
    if (largest > high) found.above = largest;
    return found;
}

QString BeyondLimits::text() const {
    QStringList parts;
    if (below) parts << QObject::tr("the smallest value, %1, is below the scale").arg(formatNumber(*below));
    if (above) parts << QObject::tr("the largest value, %1, is above the scale").arg(formatNumber(*above));
    return capitalised(parts.join(QStringLiteral("; ")));
}

ColourScale ColourScale::fitted(std::vector<double> values) const {
    ColourScale scale = *this;
    if (automatic) {
        std::erase_if(values, [](double v) { return !std::isfinite(v); });
        if (!values.empty()) {
            const auto quantile = [&values](double share) {
                const auto n = static_cast<double>(values.size() - 1);
                auto at = values.begin() +
                          static_cast<std::ptrdiff_t>(std::lround(std::clamp(share, 0.0, 1.0) * n));
                std::nth_element(values.begin(), at, values.end());
                return *at;
            };
            scale.high = quantile(percentile / 100);
            scale.low = quantile(1 - percentile / 100);
            // For an almost empty frame the percentile is 0, but the few bright pixels matter.
            if (scale.high <= scale.low) scale.high = *std::max_element(values.begin(), values.end());
        }
    }
    // Differences due to rounding alone get no colours.
    if (!(scale.high > scale.low) || (automatic && !differ(scale.low, scale.high)))
        scale.high = scale.low + std::max(1.0, std::abs(scale.low) * 1e-6);
    return scale;
}

std::vector<std::pair<double, QString>> ColourScale::ticks(int maximum) const {
    std::vector<std::pair<double, QString>> ticks;
    maximum = std::max(maximum, 2);
    const auto add = [&](double v) {
        if (whole && v != std::round(v)) return;
        const double at = position(v);
        ticks.emplace_back(at, std::abs(v) >= 1e6 || (v != 0 && std::abs(v) < 1e-4)
                                   ? QString::number(v, 'g', 3)
                                   : formatNumber(v));
    };
    if (kind == ScaleKind::log) {
        const double floor = logFloor(), decades = std::log10(std::max(high / floor, 1.0001));
        const int step = std::max(1, static_cast<int>(std::ceil(decades / maximum)));
        const bool fine = decades * 3 <= maximum;
        for (const double v : roundNumbers(floor, high, !fine))
            if (static_cast<int>(std::floor(std::log10(v) + 1e-9)) % step == 0) add(v);
        if (ticks.size() >= 2) return ticks;
        ticks.clear();
        add(floor);
        add(high);
        return ticks;
    }
    if (kind == ScaleKind::arcsinh && high > 0 && low > -softening()) {
        // Zero, and decades from the softening upwards: between them the scale is linear and short.
        if (low <= 0) add(0);
        const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
        const int first = static_cast<int>(std::ceil(std::log10(std::max(softening(), low)) - 1e-9));
        const bool fine = 3 * (last - first + 1) <= maximum;
        for (const double v : roundNumbers(std::max(softening(), low), high, !fine)) add(v);
        if (ticks.size() >= 2) return ticks;
        ticks.clear();
    }
    for (const double v : roundSteps(low, high, maximum)) add(v);
    return ticks;
}

}  // namespace ks::ui
