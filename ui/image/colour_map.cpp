#include "ui/image/colour_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "ui/plots/palette.h"

namespace ks::ui {
namespace {

// Viridis and inferno: S. van der Walt and N. Smith (CC0); cividis: J. R. Nunez, C. R. Anderton and R. S.
// Renslow (2018). Points at equal distances; between them the colours are interpolated.
constexpr std::array<QRgb, 16> viridis{0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e,
                                       0x2a788e, 0x23888e, 0x1f988b, 0x22a884, 0x35b779, 0x54c568,
                                       0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};
constexpr std::array<QRgb, 16> inferno{0x000004, 0x0c0826, 0x240c4f, 0x420a68, 0x5d126e, 0x781c6d,
                                       0x932667, 0xae305c, 0xc73e4c, 0xdd513a, 0xed6925, 0xf8850f,
                                       0xfca50a, 0xfac62d, 0xf2e661, 0xfcffa4};
constexpr std::array<QRgb, 16> cividis{0x002051, 0x022c65, 0x14386d, 0x2b446e, 0x42506e, 0x575c6e,
                                       0x696970, 0x787573, 0x868276, 0x948f78, 0xa49d78, 0xb6ab73,
                                       0xcaba6a, 0xe0c95d, 0xf2d950, 0xfdea45};
constexpr std::array<QRgb, 2> grey{0x000000, 0xffffff};
// Light, blue, dark, red, light, like twilight of matplotlib: lightness tells how far an angle is from 0, hue
// on which side.
constexpr std::array<QRgb, 9> twilight{0xe2d9e2, 0x95b5c7, 0x6276ba, 0x5d3394, 0x2f1436,
                                       0x80224f, 0xb65e51, 0xd1b099, 0xe2d9e2};
// RdBu of C. Brewer, reversed.
constexpr std::array<QRgb, 11> blueRed{0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
                                       0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f};

struct Row {
    const char* name;
    std::span<const QRgb> points;
    QRgb invalid;  ///< a colour that is not on the map
};
const std::array<Row, 4> rows{{{"viridis", viridis, 0xff7a7a7a},
                               {"inferno", inferno, 0xff4f7fa8},
                               {"cividis", cividis, 0xffb5527a},
                               {"grey", grey, 0xff4a6fa5}}};

const QString reversedSuffix = QStringLiteral(" reversed");

}  // namespace

ColourMap::ColourMap(QString name, std::span<const QRgb> points, QRgb invalid, bool reversed)
    : name_(std::move(name)), invalid_(invalid) {
    const double last = static_cast<double>(points.size() - 1);
    for (std::size_t i = 0; i < table_.size(); ++i) {
        double at = static_cast<double>(i) / 255.0;
        if (reversed) at = 1 - at;
        const auto k = std::min(static_cast<std::size_t>(at * last), points.size() - 2);
        const double share = at * last - static_cast<double>(k);
        table_[i] = mixed(QColor(points[k + 1]), QColor(points[k]), share).rgb();
    }
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
    return {QStringLiteral("cyclic"), twilight, 0xff3fa34d, false};
}

ColourMap ColourMap::diverging() {
    return {QStringLiteral("diverging"), blueRed, 0xff3fa34d, false};
}

QRgb ColourMap::at(double position) const {
    return table_[static_cast<std::size_t>(std::lround(std::clamp(position, 0.0, 1.0) * 255))];
}

double ColourScale::logFloor() const {
    if (low > 0) return low;
    // Half a count: zeros and ones stay apart.
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
            // A frame that is almost empty: its percentile is 0, but the few bright pixels are what matters.
            if (scale.high <= scale.low) scale.high = *std::max_element(values.begin(), values.end());
        }
    }
    if (!(scale.high > scale.low)) scale.high = scale.low + std::max(1.0, std::abs(scale.low) * 1e-6);
    return scale;
}

std::vector<std::pair<double, QString>> ColourScale::ticks(int most) const {
    std::vector<std::pair<double, QString>> ticks;
    most = std::max(most, 2);
    const auto add = [&](double v) {
        const double at = position(v);
        ticks.emplace_back(at, std::abs(v) >= 1e6 || (v != 0 && std::abs(v) < 1e-4)
                                   ? QString::number(v, 'g', 3)
                                   : formatNumber(v));
    };
    if (kind == ScaleKind::log) {
        const double floor = logFloor(), decades = std::log10(std::max(high / floor, 1.0001));
        const int step = std::max(1, static_cast<int>(std::ceil(decades / most)));
        const bool fine = decades * 3 <= most;
        for (int e = static_cast<int>(std::floor(std::log10(floor))); std::pow(10.0, e) <= high * 1.0001;
             ++e) {
            for (const double m : {1.0, 2.0, 5.0}) {
                const double v = m * std::pow(10.0, e);
                if ((m > 1 && !fine) || e % step != 0 || v < floor * 0.9999 || v > high * 1.0001) continue;
                add(v);
            }
        }
        if (ticks.size() >= 2) return ticks;
        ticks.clear();
        add(floor);
        add(high);
        return ticks;
    }
    if (kind == ScaleKind::arcsinh && high > 0 && low > -softening()) {
        // Zero, and decades from the softening on: between them the scale is linear and short.
        if (low <= 0) add(0);
        const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
        const int first = static_cast<int>(std::ceil(std::log10(std::max(softening(), low)) - 1e-9));
        const bool fine = 3 * (last - first + 1) <= most;
        for (int e = first - 1; e <= last; ++e) {
            for (const double m : {1.0, 2.0, 5.0}) {
                const double v = m * std::pow(10.0, e);
                if ((m > 1 && !fine) || v < std::max(softening(), low) * 0.9999 || v > high * 1.0001)
                    continue;
                add(v);
            }
        }
        if (ticks.size() >= 2) return ticks;
        ticks.clear();
    }
    const double raw = (high - low) / most, decade = std::pow(10.0, std::floor(std::log10(raw)));
    double step = 10 * decade;
    for (const double m : {1.0, 2.0, 5.0}) {
        if (m * decade >= raw * 0.9999) {
            step = m * decade;
            break;
        }
    }
    const double first = std::ceil(low / step - 1e-9);
    for (double k = first; k * step <= high + 1e-9 * step; ++k) {
        add(k == 0 ? 0.0 : k * step);
    }
    return ticks;
}

}  // namespace ks::ui
