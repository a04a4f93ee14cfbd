#pragma once

#include <qcustomplot.h>
#include <QVector>

namespace ks::ui {

/// Gives an axis as many ticks, up to five, as its current length allows without touching labels. Returns
/// true if the number has changed.
bool fitTicks(QCPAxis& axis);

/// Fits the ticks of all axes of a plot, and of additional ones outside its axis rectangles, whenever the
/// plot is laid out.
void keepTicksApart(QCustomPlot& plot, const QVector<QCPAxis*>& further = {});

/// Lays the plot out at once, so that sizes are known before it is drawn.
void layOut(QCustomPlot& plot);

}  // namespace ks::ui
