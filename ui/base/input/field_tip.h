#pragma once

#include <QString>
#include <functional>

class QLineEdit;
class QWidget;

namespace ks::ui {

/// Shows a tip at a field for a while: why its text is not taken.
void tellAtField(QWidget& field, const QString& why);

/// Tells it each time that typing has ended (Enter, or loss of focus).
/// @param problemOf why a text is not taken; empty: it is
void tellProblems(QLineEdit& field, std::function<QString(const QString& text)> problemOf);

}  // namespace ks::ui
