#pragma once

#include <QColor>
#include <vector>

#include "ui/tune/configurations.h"

namespace ks::ui::tune {

/// Ratios on a logarithmic scale that includes 1, the default.
struct RatioScale {
    double low = 0.5, high = 2;

    static RatioScale of(const Configurations& all);
    /// 0 for the smallest ratio, 1 for the largest.
    double position(double ratio) const;
    /// Ratios for tick labels, no more than `most`, including 1.
    std::vector<double> ticks(int most) const;
    /// The fastest stand out most from the background.
    QColor colour(double ratio, bool dark) const;
};

/// For wrong and for failed configurations.
QColor outcomeColour(Outcome outcome, bool dark);

}  // namespace ks::ui::tune
