#pragma once

#include <QPalette>
#include <QString>

#include "core/run/run.h"

namespace ks::ui {

/// What came of a run of a user's kernel, in rich text: the verdict, the time of its kernels beside those of
/// its base, and whether its buffers' guard zones held.
/// @param base a run of its base on the same inputs; null: there is none
QString trialText(const Run& run, const Run* base, const QPalette& palette);

}  // namespace ks::ui
