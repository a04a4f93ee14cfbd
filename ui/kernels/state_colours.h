#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include "core/judge/judgement.h"

namespace ks::ui {

/// Colour for the answer to a question: green for good, red for faults, amber for unknown.
QColor stateColour(Finding::State state, const QPalette& palette);
/// The same as bold rich text.
/// @param html is inserted as it is
QString stateText(Finding::State state, const QString& html, const QPalette& palette);

}  // namespace ks::ui
