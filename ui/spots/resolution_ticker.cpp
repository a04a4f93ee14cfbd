#include "ui/spots/resolution_ticker.h"

#include <algorithm>
#include <cmath>

#include "ui/base/palette.h"

namespace ks::ui::spots {

QVector<double> ResolutionTicker::createTickVector(double, const QCPRange& range) {
    constexpr int wanted = 7;
    const double low = std::max(range.lower, 0.0), step = (range.upper - low) / wanted;
    QVector<double> ticks;
    if (!(step > 0)) return ticks;
    for (int i = 0; i <= wanted; ++i) {
        const double s = low + (i + 0.5) * step, d = 1 / std::sqrt(s);
        // The shortest number that is closer to the equidistant position than a quarter of the distance.
        double unit = std::pow(10.0, std::ceil(std::log10(d)));
        double tick = 0;
        for (int digits = 0; digits < 12; ++digits, unit /= digits % 2 ? 2 : 5) {
            const double round = std::round(d / unit) * unit;
            if (round <= 0) continue;
            tick = 1 / (round * round);
            if (std::abs(tick - s) < step / 4) break;
        }
        if (tick > 0 && (ticks.isEmpty() || tick > ticks.last() + step / 3)) ticks << tick;
    }
    return ticks;
}

QString ResolutionTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    return tick > 0 ? formatNumber(1 / std::sqrt(tick), 6) : QStringLiteral("\u221e");
}

}  // namespace ks::ui::spots
