#pragma once

class QColor;
class QCPAxisRect;
class QCustomPlot;

namespace ks::ui {

/// Shades the part of a plot between two places of its x axis over its whole height, below everything else.
void addShadedBand(QCustomPlot& plot, QCPAxisRect& area, double from, double to, const QColor& colour);

}  // namespace ks::ui
