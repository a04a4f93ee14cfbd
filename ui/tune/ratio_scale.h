#pragma once

#include <QColor>
#include <QString>
#include <utility>
#include <vector>

#include "ui/tune/configurations.h"

namespace ks::ui::tune {

/// Ratios on a logarithmic scale that holds 1, the default.
struct RatioScale {
    double low = 0.5, high = 2;

    static RatioScale of(const Configurations& all);
    /// 0 for the smallest ratio, 1 for the largest.
    double position(double ratio) const;
    /// Ratios that can be read, at most `most`, 1 among them.
    std::vector<double> ticks(int most) const;
    /// The fastest stand out most from the background.
    QColor colour(double ratio, bool dark) const;
};

/// For what is wrong, and for what failed.
QColor outcomeColour(Outcome outcome, bool dark);

}  // namespace ks::ui::tune
