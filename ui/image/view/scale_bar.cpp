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

void paintScaleBar(QPainter& painter, const QRectF& area, double zoom, double qPerPixel) {
    const double pixels = scaleBarLength(zoom, std::min(longest, area.width() / 3)), length = pixels * zoom;
    const QString text = scaleBarText(pixels, qPerPixel);
    const QFontMetricsF metrics(painter.font());
    // A single pixel may be wider than the view, and a narrow view has no room for the text.
    if (length > area.width() - 2 * border || metrics.horizontalAdvance(text) > area.width() - 2 * border)
        return;
    const QPointF left(area.left() + border, area.bottom() - border), right = left + QPointF(length, 0);
    const QPointF tick(0, 4);
    haloLine(painter, left, right, Qt::white, 2);
    haloLine(painter, left - tick, left + tick, Qt::white, 1.4);
    haloLine(painter, right - tick, right + tick, Qt::white, 1.4);
    haloText(painter, left - QPointF(0, 5 + metrics.descent()), text, Qt::white);
}

}  // namespace ks::ui
