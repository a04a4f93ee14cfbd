#pragma once

class QApplication;

namespace ks::ui {

enum class Appearance { desktop, light, dark };

/// Fusion style; the desktop's own palette, or a light or dark one of ours.
void applyAppearance(QApplication& application, Appearance appearance);

}  // namespace ks::ui
