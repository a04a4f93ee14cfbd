#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

class QPainter;

namespace ks::ui {

/// The longest of 1, 2, 5, 10, 20, ... pixels that is at most `maximum` screen pixels long at this zoom; 1 if
/// even one image pixel is longer.
double scaleBarLength(double zoom, double maximum);
/// "200 px", or "200 px = 0.05 1/angstrom" if q per pixel is known (> 0).
QString scaleBarText(double pixels, double qPerPixel);
/// At the lower left of the image, or beside it where the image is too narrow for it or lies in the right
/// half of the view, in which other things are; nowhere if there is no room.
/// @param view the area that the image is shown in @param image its visible part
/// @param onGround colour of a bar beside the image
void paintScaleBar(QPainter& painter, const QRectF& view, const QRectF& image, double zoom, double qPerPixel,
                   const QColor& onGround);

}  // namespace ks::ui
