#pragma once

#include <QString>

class QApplication;

namespace ks::ui {

enum class Appearance { desktop, light, dark };

/// "desktop", "light" or "dark": the values of the setting "theme".
QString nameOf(Appearance appearance);
/// The desktop's for any other name.
Appearance appearanceFrom(const QString& name);

/// Fusion style, with lines that stay visible on dark backgrounds, and the desktop's own palette or our light
/// or dark one. Can be called again at any time.
void applyAppearance(QApplication& application, Appearance appearance);
/// The theme applied last.
Appearance appearance();

}  // namespace ks::ui
