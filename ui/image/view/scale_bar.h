#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace ks::ui {

/// The longest of 1, 2, 5, 10, 20, ... pixels that is at most `maximum` screen pixels long at this zoom; 1 if
/// even one image pixel is longer.
double scaleBarLength(double zoom, double maximum);
/// "200 px", or "200 px = 0.05 1/angstrom" if q per pixel is known (> 0).
QString scaleBarText(double pixels, double qPerPixel);
/// At the lower left of `area`.
void paintScaleBar(QPainter& painter, const QRectF& area, double zoom, double qPerPixel);

}  // namespace ks::ui
