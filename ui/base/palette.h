#pragma once

#include <cstdint>

#include <QColor>
#include <QPalette>
#include <QString>

class QCustomPlot;

namespace ks::ui {

/// Colour of bin `label` (1, 2, ...) on the image, in the table and in its curve: Okabe-Ito first, then
/// evenly spaced hues of equal lightness. `dark` lightens colours that would be lost on a dark background.
/// Label 0 is grey.
QColor binColour(int label, bool dark = false);

/// Colour of the curve of a run among runs that have one curve each. 8 colours, which people with any kind of
/// colour blindness can tell apart, recur.
/// @param run 0, 1, ...: position
QColor runColour(qsizetype run, bool dark = false);

bool isDark(const QPalette& palette);
/// Light palette of all exports, whatever the desktop uses.
QPalette printPalette();
/// Text colour (black or white) that is readable on `background`.
QColor textOn(const QColor& background);
/// A mix of `share` of `a` with 1 - `share` of `b`.
QColor mixed(const QColor& a, const QColor& b, double share);

/// Styles background, axes, grid, legend and fonts of the whole plot.
void applyPalette(QCustomPlot& plot, const QPalette& palette);
void applyPalette(QCustomPlot& plot);  ///< with the plot's own palette

/// "38.2 ms" from 0.0382 and "s"; three significant digits; NaN gives "-".
QString formatSi(double value, const QString& unit, int digits = 3);
QString formatDuration(double nanoseconds);  ///< "38.2 ms", "1.78 s", "250 ns", "12 min 5 s"
QString formatBytes(std::uint64_t bytes);    ///< "24.0 MB" (powers of 1000)
/// "0.21(1)", "3400(200)": the standard deviation to one digit, in units of the last digit shown. The plain
/// value if the error is 0 or not finite; "-" for NaN.
QString formatWithError(double value, double error);
/// Shortest decimal with `digits` significant digits, without an exponent between 1e-4 and 1e6.
QString formatNumber(double value, int digits = 6);

}  // namespace ks::ui
