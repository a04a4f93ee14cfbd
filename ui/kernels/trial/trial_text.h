#pragma once

#include <QPalette>
#include <QString>

#include "ui/kernels/trial/kernel_trial.h"

namespace ks::ui {

/// Result of a trial in rich text: the verdict, a note if data races were not looked for, the times of its
/// kernels compared with those of its base, and whether the guard zones of its buffers are intact. A place
/// that can be shown is the link `worstPlaceLink`.
QString trialText(const TrialResult& result, const QPalette& palette);
inline constexpr const char* worstPlaceLink = "place";

/// The access check of the text found faults that the values of the run do not show.
bool accessesOutweigh(const TrialResult& result);

/// What the state of the guard zones proves, and what it does not.
QString guardZonesTip();

/// "1.24 x as fast as seed.add (1.19 to 1.31, 7 runs each)", or that the difference is not significant.
QString timesText(const TrialTimes& times, const QString& base);

}  // namespace ks::ui
