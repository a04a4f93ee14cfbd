#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include "core/judge/judgement.h"

namespace ks::ui {

/// Colour of a text that says what came of a question: green where all is well, red where something is wrong,
/// amber where the answer is not known.
QColor stateColour(Finding::State state, const QPalette& palette);
/// The same as rich text, bold. @param html is taken as it is
QString stateText(Finding::State state, const QString& html, const QPalette& palette);

}  // namespace ks::ui
