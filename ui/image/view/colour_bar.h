#pragma once

#include <QFontMetrics>
#include <QPalette>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <utility>
#include <vector>

#include "ui/base/colour_map.h"

class QPainter;

namespace ks::ui {

/// Positions from 0 to 1 and their labels.
using ColourTicks = std::vector<std::pair<double, QString>>;

/// Vertical bar from low (bottom) to high (top), with ticks on its right and the title above it, in as many
/// lines as it has.
/// @param beyond ends of the bar beyond which there are values: they are pointed
void paintColourBar(QPainter& painter, const QPointF& topLeft, double height, const ColourMap& colours,
                    const ColourScale& scale, const QString& title, const QPalette& palette,
                    const BeyondLimits& beyond = {});
/// As above, with custom ticks.
void paintColourBar(QPainter& painter, const QPointF& topLeft, double height, const ColourMap& colours,
                    const ColourTicks& ticks, const QString& title, const QPalette& palette,
                    const BeyondLimits& beyond = {});
/// A title in at most two lines that are no wider than the place above the bar, as far as its words allow.
QString colourBarTitle(const QString& title, const QFontMetrics& metrics);
/// The part of the bar between the limits, without its pointed ends.
QRectF colourBarScale(const QPointF& topLeft, double height, const BeyondLimits& beyond);
/// Width of the bar including its ticks. Wide enough for every tick that this scale can have, so that
/// neighbouring content does not move from frame to frame.
double colourBarWidth(const ColourScale& scale, const QFontMetrics& metrics);

}  // namespace ks::ui
