#include "ui/image/view/colour_bar.h"

#include <QImage>
#include <QPainter>
#include <QStringList>
#include <algorithm>

#include "ui/base/bar_end.h"
#include "ui/base/palette.h"
#include "ui/plots/plot_text.h"

namespace ks::ui {
namespace {

constexpr double barThick = 14;
constexpr double tickLong = 4;
constexpr double endLong = 9;   ///< of a pointed end
constexpr int titleWidth = 78;  ///< pixels

}  // namespace

double colourBarWidth(const ColourScale& scale, const QFontMetrics& metrics) {
    double widest = metrics.horizontalAdvance(QStringLiteral("00000"));
    for (const auto& tick : scale.ticks(12))
        widest = std::max(widest, static_cast<double>(metrics.horizontalAdvance(tick.second)));
    return barThick + tickLong + 3 + widest;
}

QRectF colourBarScale(const QPointF& topLeft, double height, const BeyondLimits& beyond) {
    return QRectF(topLeft, QSizeF(barThick, height))
        .adjusted(0, beyond.above ? endLong : 0, 0, beyond.below ? -endLong : 0);
}

void paintColourBar(QPainter& painter, const QPointF& topLeft, double height, const ColourMap& colours,
                    const ColourScale& scale, const QString& title, const QPalette& palette,
                    const BeyondLimits& beyond) {
    const QFontMetricsF metrics(painter.font());
    paintColourBar(painter, topLeft, height, colours,
                   scale.ticks(static_cast<int>(height / (2.2 * metrics.height()))), title, palette, beyond);
}

void paintColourBar(QPainter& painter, const QPointF& topLeft, double height, const ColourMap& colours,
                    const ColourTicks& ticks, const QString& title, const QPalette& palette,
                    const BeyondLimits& beyond) {
    const QRectF bar = colourBarScale(topLeft, height, beyond);
    QImage strip(1, 256, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) strip.setPixel(0, 255 - i, colours.table()[static_cast<std::size_t>(i)]);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawImage(bar, strip);
    const QColor text = palette.color(QPalette::Text),
                 line = mixed(text, palette.color(QPalette::Base), 0.55);
    const double right = bar.right() - 1;
    if (beyond.above)
        paintBarEnd(painter, {bar.left(), bar.top(), right, bar.top()}, endLong, colours.table().back(),
                    line);
    if (beyond.below)
        paintBarEnd(painter, {bar.left(), bar.bottom() - 1, right, bar.bottom() - 1}, -endLong,
                    colours.table().front(), line);
    painter.setPen(line);
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
    const QStringList lines = title.split(QLatin1Char('\n'));
    double y = topLeft.y() - metrics.descent() - 4;
    for (auto one = lines.rbegin(); one != lines.rend(); ++one, y -= metrics.height())
        painter.drawText(QPointF(bar.left(), y), metrics.elidedText(*one, Qt::ElideRight, titleWidth));
}

QString colourBarTitle(const QString& title, const QFontMetrics& metrics) {
    return firstLines(title, metrics, titleWidth, 2);
}

}  // namespace ks::ui
