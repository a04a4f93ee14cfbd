#include "ui/image/view/scale_bar.h"

#include <algorithm>

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>

#include "ui/base/palette.h"
#include "ui/base/round_number.h"
#include "ui/image/view/halo.h"

namespace ks::ui {
namespace {

constexpr double longest = 140;  ///< screen pixels
constexpr double border = 14;

}  // namespace

double scaleBarLength(double zoom, double maximum) {
    const double pixels = maximum / zoom;
    if (!(pixels >= 1)) return 1;
    return roundDown(pixels);
}

QString scaleBarText(double pixels, double qPerPixel) {
    const QString text = QObject::tr("%1 px").arg(pixels, 0, 'f', 0);
    if (!(qPerPixel > 0)) return text;
    return QObject::tr("%1 = %2 1/\u00c5").arg(text, formatNumber(pixels * qPerPixel, 2));
}

void paintScaleBar(QPainter& painter, const QRectF& view, const QRectF& image, double zoom, double qPerPixel,
                   const QColor& onGround) {
    const QFontMetricsF metrics(painter.font());
    // False if there is no room: a single pixel may be wider than the view.
    const auto paintWithin = [&](const QRectF& area, double furthest, const QColor& colour) {
        const double pixels = scaleBarLength(zoom, std::min(longest, area.width() / 3)),
                     length = pixels * zoom;
        const QString text = scaleBarText(pixels, qPerPixel);
        const double width = std::max(length, metrics.horizontalAdvance(text));
        if (width > area.width() - 2 * border || area.left() + border + width > furthest) return false;
        const QPointF left(area.left() + border, area.bottom() - border), right = left + QPointF(length, 0);
        const QPointF tick(0, 4);
        haloLine(painter, left, right, colour, 2);
        haloLine(painter, left - tick, left + tick, colour, 1.4);
        haloLine(painter, right - tick, right + tick, colour, 1.4);
        haloText(painter, left - QPointF(0, 5 + metrics.descent()), text, colour);
        return true;
    };
    const bool isLeft = image.left() <= view.left() + view.width() / 4;
    if (paintWithin(image, isLeft ? view.right() : view.center().x(), Qt::white)) return;
    const QRectF beside(view.topLeft(), QPointF(image.left(), image.bottom()));
    if (beside.isValid()) paintWithin(beside, beside.right(), onGround);
}

}  // namespace ks::ui
