#include "ui/image/view/colour_bar.h"

#include <QImage>
#include <QPainter>
#include <algorithm>

#include "ui/base/palette.h"

namespace ks::ui {
namespace {

constexpr double barThick = 14;
constexpr double tickLong = 4;

}  // namespace

double colourBarWidth(const ColourScale& scale, const QFontMetrics& metrics) {
    double widest = metrics.horizontalAdvance(QStringLiteral("00000"));
    for (const auto& tick : scale.ticks(12))
        widest = std::max(widest, static_cast<double>(metrics.horizontalAdvance(tick.second)));
    return barThick + tickLong + 3 + widest;
}

void paintColourBar(QPainter& painter, const QPointF& topLeft, double height, const ColourMap& colours,
                    const ColourScale& scale, const QString& title, const QPalette& palette) {
    const QFontMetricsF metrics(painter.font());
    paintColourBar(painter, topLeft, height, colours,
                   scale.ticks(static_cast<int>(height / (2.2 * metrics.height()))), title, palette);
}

void paintColourBar(QPainter& painter, const QPointF& topLeft, double height, const ColourMap& colours,
                    const ColourTicks& ticks, const QString& title, const QPalette& palette) {
    const QRectF bar(topLeft, QSizeF(barThick, height));
    QImage strip(1, 256, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) strip.setPixel(0, 255 - i, colours.table()[static_cast<std::size_t>(i)]);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawImage(bar, strip);
    const QColor text = palette.color(QPalette::Text);
    painter.setPen(mixed(text, palette.color(QPalette::Base), 0.55));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(0, 0, -1, -1));
    const QFontMetricsF metrics(painter.font());
    double last = bar.bottom() + 2 * metrics.height();
    for (const auto& [position, label] : ticks) {
        const double y = bar.bottom() - 1 - position * (bar.height() - 1);
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + tickLong, y));
        if (last - y < metrics.height() && position > 0) continue;
        last = y;
        painter.save();
        painter.setPen(text);
        painter.drawText(QPointF(bar.right() + tickLong + 3, y + metrics.capHeight() / 2), label);
        painter.restore();
    }
    if (title.isEmpty()) return;
    painter.setPen(text);
    painter.drawText(QPointF(bar.left(), bar.top() - metrics.descent() - 4),
                     metrics.elidedText(title, Qt::ElideRight, bar.width() + 64));
}

}  // namespace ks::ui
