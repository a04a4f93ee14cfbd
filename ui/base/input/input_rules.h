#pragma once

class QApplication;

namespace ks::ui {

/// Rules for input in all windows of the program, called once before the first one is made:
/// - Numbers are shown and read with a point, whatever the locale (see DecimalBox); C libraries, which a
///   QApplication puts into the locale of the environment, as well.
/// - The wheel changes the value of a field, a slider, a choice or a bar of tabs only where it has the focus,
///   which the wheel does not give; elsewhere it scrolls what is around.
/// - A number that is being typed is taken over before a shortcut acts.
void applyInputRules(QApplication& application);

}  // namespace ks::ui
