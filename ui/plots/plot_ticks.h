#pragma once

#include <qcustomplot.h>
#include <QVector>

namespace ks::ui {

/// Gives an axis the most ticks, up to five, whose labels stand apart from each other in the length that the
/// axis has now. True where that is another number than before.
bool fitTicks(QCPAxis& axis);

/// Fits the ticks of all axes of a plot, and of further ones that are in none of its axis rectangles,
/// whenever the plot is laid out.
void keepTicksApart(QCustomPlot& plot, const QVector<QCPAxis*>& further = {});

/// Lays the plot out now, so that sizes are known before it is drawn.
void layOut(QCustomPlot& plot);

}  // namespace ks::ui
