#include "ui/tune/ratio_scale.h"

#include <algorithm>
#include <cmath>

#include "ui/base/colour_map.h"
#include "ui/base/palette.h"

namespace ks::ui::tune {

RatioScale RatioScale::of(const Configurations& all) {
    RatioScale scale{1, 1};
    for (const Configuration& one : all.rows) {
        if (one.outcome != Outcome::timed) continue;
        scale.low = std::min(scale.low, one.ratio);
        scale.high = std::max(scale.high, one.ratio);
    }
    if (scale.high / scale.low < 1.1) {
        scale.low /= 1.05;
        scale.high *= 1.05;
    }
    return scale;
}

double RatioScale::position(double ratio) const {
    return std::clamp(std::log(ratio / low) / std::log(high / low), 0.0, 1.0);
}

std::vector<double> RatioScale::ticks(int most) const {
    static const std::vector<std::vector<double>> steps{
        {1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9},
        {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8},
        {1, 1.5, 2, 3, 5, 7},
        {1, 2, 5},
        {1, 3},
        {1}};
    std::vector<double> found;
    for (const std::vector<double>& mantissas : steps) {
        found.clear();
        for (int power = static_cast<int>(std::floor(std::log10(low)));
             power <= static_cast<int>(std::ceil(std::log10(high))); ++power)
            for (const double mantissa : mantissas)
                if (const double at = mantissa * std::pow(10.0, power);
                    at >= low * 0.999 && at <= high * 1.001)
                    found.push_back(at);
        if (static_cast<int>(found.size()) <= most) break;
    }
    return found;
}

QColor RatioScale::colour(double ratio, bool dark) const {
    const double at = position(ratio);
    // Dark at the low end, bright at the high end.
    static const ColourMap viridis;
    const QColor full(viridis.at(dark ? 1 - 0.75 * at : 0.85 * at));
    return mixed(full, dark ? QColor(0x20, 0x22, 0x26) : QColor(Qt::white), 1 - 0.45 * at);
}

QColor outcomeColour(Outcome outcome, bool dark) {
    if (outcome == Outcome::wrong) return dark ? QColor(0xff, 0x6b, 0x60) : QColor(0xc4, 0x1e, 0x1e);
    return dark ? QColor(0x9a, 0x9a, 0x9a) : QColor(0x80, 0x80, 0x80);
}

}  // namespace ks::ui::tune
