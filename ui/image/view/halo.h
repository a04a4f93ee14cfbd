#pragma once

#include <QColor>
#include <QPointF>
#include <QString>

class QPainter;

namespace ks::ui {

/// Text with a halo, readable on any colour.
void haloText(QPainter& painter, const QPointF& baseline, const QString& text, const QColor& colour);
/// Lines visible on dark and light ground: dark below, light above.
void haloLine(QPainter& painter, const QPointF& a, const QPointF& b, const QColor& colour, double width);

}  // namespace ks::ui
