// How the layer is drawn.

#include <QPaintDevice>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "ui/spots/spot_layer.h"

namespace ks::ui::spots {

using ks::spots::Dropped;
using ks::spots::Spot;

namespace {

constexpr double minBox = 7;        ///< logical pixels: minimum size of a box on screen
constexpr double minForCross = 14;  ///< in smaller boxes the cross would fill the box
constexpr double dimmed = 0.45;
constexpr int maxBoxes =
    20000;  ///< more would hide the image and take longer than a frame of a moving picture

QColor faded(QColor colour, double share) {
    colour.setAlphaF(colour.alphaF() * static_cast<float>(share));
    return colour;
}

}  // namespace

void SpotLayer::paintBoxes(QPainter& painter, const QTransform& imageToWidget, const QRectF& area) const {
    struct Drawn {
        QRectF box;
        QPointF centre;
        bool kept, here, picked;
    };
    std::vector<Drawn> drawn;
    for (const std::size_t i : shown()) {
        const Spot& spot = a_->spots()[i];
        QRectF box = imageToWidget.mapRect(
            QRectF(QPointF(spot.x0, spot.y0), QPointF(spot.x1, spot.y1)).adjusted(-0.5, -0.5, 0.5, 0.5));
        const double wider = std::max(0.0, (minBox - box.width()) / 2),
                     higher = std::max(0.0, (minBox - box.height()) / 2);
        box.adjust(-wider, -higher, wider, higher);
        if (!box.intersects(area)) continue;
        drawn.push_back({box, imageToWidget.map(QPointF(spot.x, spot.y)), spot.dropped == Dropped::kept,
                         peaksHere(i), picked_ == i});
        if (static_cast<int>(drawn.size()) >= maxBoxes) break;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, drawn.size() < 2000);
    const QColor light(255, 255, 255), amber(255, 200, 60), dark(0, 0, 0, 150);
    if (style_.boxes)
        for (const Drawn& one : drawn) {
            const double share = one.here ? 1 : dimmed;
            painter.setPen(QPen(faded(dark, share), 3));
            painter.drawRect(one.box);
            painter.setPen(
                QPen(faded(one.kept ? light : amber, share), 1.2, one.kept ? Qt::SolidLine : Qt::DotLine));
            painter.drawRect(one.box);
        }
    if (style_.centroids)
        for (const Drawn& one : drawn) {
            const bool large = std::min(one.box.width(), one.box.height()) >= minForCross;
            if (!large && style_.boxes) continue;
            const double arm = large ? 4 : 2.5, share = one.here ? 1 : dimmed;
            for (const auto& [colour, wide] : {std::pair(faded(dark, share), 3.5),
                                               std::pair(faded(one.kept ? light : amber, share), 1.5)}) {
                painter.setPen(QPen(colour, wide));
                painter.drawLine(one.centre - QPointF(arm, 0), one.centre + QPointF(arm, 0));
                painter.drawLine(one.centre - QPointF(0, arm), one.centre + QPointF(0, arm));
            }
        }
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const Drawn& one : drawn) {
        if (!one.picked) continue;
        const QRectF around = one.box.adjusted(-4, -4, 4, 4);
        painter.setPen(QPen(QColor(0, 0, 0, 220), 5));
        painter.drawRect(around);
        painter.setPen(QPen(QColor(0, 229, 255), 2.5));
        painter.drawRect(around);
    }
}

void SpotLayer::paintLegend(QPainter& painter, const QRectF& area) const {
    const QStringList lines = legend();
    if (lines.isEmpty()) return;
    const QFontMetricsF metrics(painter.font());
    constexpr double margin = 8, swatch = 10;
    double widest = 0;
    for (const QString& line : lines) widest = std::max(widest, metrics.horizontalAdvance(line));
    const double indent = showsDifference() ? swatch + margin : 0;
    const QRectF ground(area.left() + margin, area.top() + margin, widest + indent + 2 * margin,
                        static_cast<double>(lines.size()) * metrics.lineSpacing() + margin);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, 190));
    painter.drawRoundedRect(ground, 4, 4);
    const QColor colours[] = {onlyAColour(), onlyBColour(), signalColour()};
    const qsizetype notes = note_.isEmpty() ? 0 : 1;
    double y = ground.top() + margin / 2;
    for (qsizetype i = 0; i < lines.size(); ++i, y += metrics.lineSpacing()) {
        const bool coloured = i >= notes;
        if (coloured)
            painter.fillRect(
                QRectF(ground.left() + margin, y + (metrics.height() - swatch) / 2, swatch, swatch),
                colours[i - notes]);
        painter.setPen(Qt::white);
        painter.drawText(QPointF(ground.left() + margin + (coloured ? indent : 0), y + metrics.ascent()),
                         lines[i]);
    }
}

void SpotLayer::paintBoxesOnce(QPainter& painter, const QTransform& imageToWidget, const QRectF& area) const {
    // An export gets lines, not a picture of them.
    if (painter.device()->devType() != QInternal::Widget) return paintBoxes(painter, imageToWidget, area);
    const double ratio = painter.device()->devicePixelRatioF();
    const QSize size = (area.size() * ratio).toSize().expandedTo({1, 1});
    if (!boxesFresh_ || boxes_.size() != size || boxesBy_ != imageToWidget || boxesArea_ != area) {
        boxes_ = QImage(size, QImage::Format_ARGB32_Premultiplied);
        boxes_.setDevicePixelRatio(ratio);
        boxes_.fill(Qt::transparent);
        QPainter once(&boxes_);
        once.translate(-area.topLeft());
        paintBoxes(once, imageToWidget, area);
        boxesBy_ = imageToWidget;
        boxesArea_ = area;
        boxesFresh_ = true;
    }
    painter.drawImage(area.topLeft(), boxes_);
}

void SpotLayer::paint(QPainter& painter, const QTransform& imageToWidget) const {
    const QRectF area = painter.hasClipping() ? painter.clipBoundingRect() : QRectF(painter.viewport());
    if (a_) {
        if (style_.signal) picture_.paint(painter, imageToWidget, area);
        paintBoxesOnce(painter, imageToWidget, area);
    }
    paintLegend(painter, area);
}

}  // namespace ks::ui::spots
