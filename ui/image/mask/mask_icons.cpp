#include "ui/image/mask/mask_icons.h"

#include <utility>

#include <QPainter>
#include <QPainterPath>
#include <QPalette>

namespace ks::ui {
namespace {

constexpr int iconSide = 20;

QPainterPath arrow(bool mirrored) {
    QPainterPath path(QPointF(5, 8));
    path.lineTo(12, 8);
    path.cubicTo(18, 8, 18, 16, 12, 16);
    path.lineTo(8, 16);
    path.moveTo(8.5, 4.5);
    path.lineTo(5, 8);
    path.lineTo(8.5, 11.5);
    return mirrored ? QTransform(-1, 0, 0, 1, iconSide, 0).map(path) : path;
}

void drawBrush(QPainter& painter, const QColor& colour) {
    painter.save();
    painter.setPen(QPen(colour, 2.6, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(16, 4), QPointF(10.5, 9.5));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    QPainterPath tip(QPointF(10, 9));
    tip.cubicTo(13, 11, 11, 17, 3.5, 16.5);
    tip.cubicTo(6, 15, 4.5, 9.5, 10, 9);
    painter.drawPath(tip);
    painter.restore();
}

/// A tilted bucket and what pours out of it.
void drawBucket(QPainter& painter, const QColor& colour) {
    painter.save();
    painter.translate(9, 9.5);
    painter.rotate(-40);
    QPolygonF bucket({{-5, -3.5}, {5, -3.5}, {4, 5.5}, {-4, 5.5}});
    painter.drawPolygon(bucket);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({{-4.6, 0.5}, {4.6, 0.5}, {4, 5.5}, {-4, 5.5}}));
    painter.restore();
    painter.save();
    painter.setBrush(colour);
    painter.setPen(Qt::NoPen);
    QPainterPath drop(QPointF(16.5, 10.5));
    drop.cubicTo(19, 14, 18.5, 16.5, 16.5, 16.5);
    drop.cubicTo(14.5, 16.5, 14, 14, 16.5, 10.5);
    painter.drawPath(drop);
    painter.restore();
}

/// A square with arrow heads that point outwards or inwards.
void drawResize(QPainter& painter, const QColor& colour, bool outwards) {
    painter.drawRect(QRectF(7, 7, 6, 6));
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.translate(10, 10);
    const double tip = outwards ? 8.6 : 4.8, back = outwards ? 5.2 : 8.2;
    for (int i = 0; i < 4; ++i) {
        painter.drawPolygon(QPolygonF({{tip, 0}, {back, -2.8}, {back, 2.8}}));
        painter.rotate(90);
    }
    painter.restore();
}

void drawHotPixels(QPainter& painter, const QColor& colour) {
    painter.save();
    painter.setPen(Qt::NoPen);
    QColor faint = colour;
    faint.setAlphaF(0.35F);
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            painter.setBrush(row == 1 && column == 1 ? colour : faint);
            painter.drawRect(QRectF(3.5 + 4.6 * column, 3.5 + 4.6 * row, 3.8, 3.8));
        }
    }
    painter.restore();
    painter.drawRect(QRectF(6.6, 6.6, 6.8, 6.8));
}

void drawInvert(QPainter& painter, const QColor& colour) {
    painter.drawEllipse(QPointF(10, 10), 6.5, 6.5);
    QPainterPath half(QPointF(10, 3.5));
    half.arcTo(QRectF(3.5, 3.5, 13, 13), 90, 180);
    painter.fillPath(half, colour);
}

void draw(QPainter& painter, MaskGlyph glyph, const QColor& colour) {
    switch (glyph) {
        case MaskGlyph::pointer:
            painter.setBrush(colour);
            painter.drawPolygon(QPolygonF(
                {{5.5, 3}, {5.5, 15}, {8.6, 12.2}, {10.6, 16.8}, {12.6, 15.9}, {10.6, 11.4}, {14.8, 11.2}}));
            return;
        case MaskGlyph::rectangle:
            return painter.drawRect(QRectF(3.5, 5, 13, 10));
        case MaskGlyph::ellipse:
            return painter.drawEllipse(QRectF(2.5, 5, 15, 10.5));
        case MaskGlyph::polygon:
            painter.drawPolygon(QPolygonF({{4, 15.5}, {3.5, 7}, {10.5, 3.5}, {16.5, 9}, {10.5, 10.5}}));
            return;
        case MaskGlyph::brush:
            return drawBrush(painter, colour);
        case MaskGlyph::flood:
            return drawBucket(painter, colour);
        case MaskGlyph::add:
            painter.drawLine(QPointF(10, 4.5), QPointF(10, 15.5));
            [[fallthrough]];
        case MaskGlyph::remove:
            return painter.drawLine(QPointF(4.5, 10), QPointF(15.5, 10));
        case MaskGlyph::invert:
            return drawInvert(painter, colour);
        case MaskGlyph::grow:
        case MaskGlyph::shrink:
            return drawResize(painter, colour, glyph == MaskGlyph::grow);
        case MaskGlyph::clear:
            painter.drawLine(QPointF(5, 5), QPointF(15, 15));
            return painter.drawLine(QPointF(15, 5), QPointF(5, 15));
        case MaskGlyph::hotPixels:
            return drawHotPixels(painter, colour);
        case MaskGlyph::undo:
        case MaskGlyph::redo:
            return painter.drawPath(arrow(glyph == MaskGlyph::redo));
        case MaskGlyph::more:
            for (const double y : {5.5, 10.0, 14.5}) painter.drawLine(QPointF(4, y), QPointF(16, y));
            return;
    }
}

}  // namespace

QIcon maskIcon(MaskGlyph glyph, const QPalette& palette) {
    QIcon icon;
    // The style's frame around a checked button hardly differs from that of a hovered one.
    const auto look = [&](QIcon::Mode mode, QIcon::State state) {
        if (mode == QIcon::Disabled) return palette.color(QPalette::Disabled, QPalette::ButtonText);
        return palette.color(QPalette::Active, state == QIcon::On ? QPalette::Link : QPalette::ButtonText);
    };
    for (const auto& [mode, state] :
         {std::pair(QIcon::Normal, QIcon::Off), std::pair(QIcon::Normal, QIcon::On),
          std::pair(QIcon::Disabled, QIcon::Off)}) {
        const QColor colour = look(mode, state);
        for (const int ratio : {1, 2}) {
            QPixmap pixmap(iconSide * ratio, iconSide * ratio);
            pixmap.setDevicePixelRatio(ratio);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            painter.setRenderHint(QPainter::Antialiasing);
            const bool thick = glyph == MaskGlyph::add || glyph == MaskGlyph::remove;
            painter.setPen(QPen(colour, thick ? 2.2 : 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.setBrush(Qt::NoBrush);
            draw(painter, glyph, colour);
            painter.end();
            icon.addPixmap(pixmap, mode, state);
        }
    }
    return icon;
}

}  // namespace ks::ui
