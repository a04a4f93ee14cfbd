#pragma once

#include <QString>

class QApplication;

namespace ks::ui {

enum class Appearance { desktop, light, dark };

/// "desktop", "light", "dark", as the setting "theme" holds it.
QString nameOf(Appearance appearance);
/// The desktop's where the name is none of them.
Appearance appearanceFrom(const QString& name);

/// Fusion style, whose lines are made visible on dark grounds; the desktop's own palette, or a light or dark
/// one of ours. Can be called again at any time.
void applyAppearance(QApplication& application, Appearance appearance);
/// What was applied last.
Appearance appearance();

}  // namespace ks::ui
