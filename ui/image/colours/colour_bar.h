#pragma once

#include <QFontMetrics>
#include <QPalette>
#include <QPointF>
#include <QString>
#include <utility>
#include <vector>

#include "ui/base/colour_map.h"

class QPainter;

namespace ks::ui {

/// Positions 0 to 1 with their texts.
using ColourTicks = std::vector<std::pair<double, QString>>;

/// Upright bar with ticks at its right, from low at the bottom to high on top; the title is above it.
void paintColourBar(QPainter& painter, const QPointF& topLeft, double height, const ColourMap& colours,
                    const ColourScale& scale, const QString& title, const QPalette& palette);
/// The same with ticks of one's own.
void paintColourBar(QPainter& painter, const QPointF& topLeft, double height, const ColourMap& colours,
                    const ColourTicks& ticks, const QString& title, const QPalette& palette);
/// Of the bar with its ticks: wide enough for any tick that this scale can have, so that what is beside does
/// not jump from frame to frame.
double colourBarWidth(const ColourScale& scale, const QFontMetrics& metrics);

}  // namespace ks::ui
