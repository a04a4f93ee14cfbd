#pragma once

#include <QPalette>
#include <QString>

#include "ui/kernels/trial/kernel_trial.h"

namespace ks::ui {

/// What came of a trial, in rich text: the verdict, that nobody looked for data races, the times of its
/// kernels beside those of its base, and whether its buffers' guard zones are intact. A place that can be
/// shown is the link `worstPlaceLink`.
QString trialText(const TrialResult& result, const QPalette& palette);
inline constexpr const char* worstPlaceLink = "place";

/// What the state of the guard zones tells, and what it does not.
QString guardZonesTip();

/// "1.24 x as fast as seed.add (1.19 to 1.31, 7 runs each)", or that chance alone may make the difference.
QString timesText(const TrialTimes& times, const QString& base);

}  // namespace ks::ui
