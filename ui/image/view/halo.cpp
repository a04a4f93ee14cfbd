#include "ui/image/view/halo.h"

#include <QPainter>

#include "ui/base/palette.h"

namespace ks::ui {

void haloText(QPainter& painter, const QPointF& baseline, const QString& text, const QColor& colour) {
    // Drawn eight times around: glyphs are cached, while outlining a path takes a millisecond per label.
    painter.setPen(textOn(colour));
    for (const double x : {-1.0, 0.0, 1.0})
        for (const double y : {-1.0, 0.0, 1.0})
            if (x != 0 || y != 0) painter.drawText(baseline + QPointF(x, y), text);
    painter.setPen(colour);
    painter.drawText(baseline, text);
}

void haloLine(QPainter& painter, const QPointF& a, const QPointF& b, const QColor& colour, double width) {
    painter.setPen(QPen(QColor(0, 0, 0, 90), width + 1.5));
    painter.drawLine(a, b);
    painter.setPen(QPen(colour, width));
    painter.drawLine(a, b);
}

}  // namespace ks::ui
