#include <algorithm>
#include <cmath>

#include <qcustomplot.h>
#include <QPainter>

#include "ui/base/palette.h"
#include "ui/image/view/colour_bar.h"
#include "ui/image/view/detector_view.h"
#include "ui/image/view/halo.h"
#include "ui/image/view/scale_bar.h"

namespace ks::ui {
namespace {

constexpr double gap = 8;  ///< between image, bar and border

}  // namespace

double DetectorView::barWidth(const QFontMetrics& metrics) const {
    return gap + colourBarWidth(colourScale(), metrics) + gap;
}

QRectF DetectorView::imageArea() const {
    return QRectF(rect()).adjusted(0, 0, frame() ? -barWidth(fontMetrics()) : 0, 0);
}

void DetectorView::paintScene(QPainter& painter, const QRectF& area, const Viewport& viewport,
                              const QImage& image, const QPalette& palette) const {
    painter.save();
    painter.setClipRect(area);
    // The image covers whole device pixels, so its rectangle may exceed the area by a fraction of a pixel.
    painter.drawImage(area.topLeft(), image);
    painter.setRenderHint(QPainter::Antialiasing, true);
    const QRectF whole(
        viewport.toScreen({0, 0}),
        viewport.toScreen({static_cast<double>(renderer_.width()), static_cast<double>(renderer_.height())}));
    painter.setPen(QPen(mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.4), 1));
    painter.setBrush(Qt::NoBrush);
    // On whole pixels outside the image: it must not cover a bright pixel at the border.
    painter.drawRect(QRectF(QPointF(std::floor(whole.left()) - 0.5, std::floor(whole.top()) - 0.5),
                            QPointF(std::ceil(whole.right()) + 0.5, std::ceil(whole.bottom()) + 0.5)));
    if (ringsVisible_) {
        RingPainter rings(painter, viewport, whole);
        for (const RingOutline& ring : rings_) rings.draw(ringCentre_, ring);
    }
    if (beam_) paintBeam(painter, viewport.toScreen(*beam_));
    if (scaleBarVisible_) {
        // Always on the left: the lower right is used by the colour settings.
        QRectF room = area.intersected(whole);
        room.setLeft(std::min(room.left(), area.left() + area.width() / 4));
        paintScaleBar(painter, room, viewport.scale(), qPerPixel_);
    }
    for (const auto& layer : layers_) {
        painter.save();
        layer.second(painter, viewport.transform());
        painter.restore();
    }
    painter.restore();
}

void DetectorView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QColor base = palette().color(QPalette::Base), text = palette().color(QPalette::Text);
    if (renderer_.empty()) {
        painter.fillRect(rect(), base);
        painter.setPen(mixed(text, base, 0.7));
        painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, emptyText_);
    } else {
        const QRectF area = viewport_.area();
        // The picture covers the rest.
        painter.fillRect(QRectF(area.right(), 0, width() - area.right(), height()), base);
        renderer_.setPalette(palette());
        const QImage& picture = renderer_.picture(viewport_, devicePixelRatioF());
        const LevelOfDetail& detail = renderer_.detail();
        if (!detail.made(std::min<std::size_t>(1, detail.levels() - 1))) levelsAhead_.start();
        paintScene(painter, area, viewport_, picture, palette());
        if (cursor_ && !panning() && !tool_) {
            painter.setClipRect(area);
            const double x = cursor_->x(), y = cursor_->y();
            const QColor line(255, 255, 255, 170);
            haloLine(painter, {area.left(), y}, {x - 6, y}, line, 1);
            haloLine(painter, {x + 6, y}, {area.right(), y}, line, 1);
            haloLine(painter, {x, area.top()}, {x, y - 6}, line, 1);
            haloLine(painter, {x, y + 6}, {x, area.bottom()}, line, 1);
            painter.setClipping(false);
        }
        if (tool_) {
            painter.save();
            painter.setClipRect(area);
            painter.setRenderHint(QPainter::Antialiasing, true);
            tool_->paint(painter, viewport_.transform());
            painter.restore();
        }
        const double top = gap + (valueTitle_.isEmpty() ? 4 : fontMetrics().height() + 4);
        paintColourBar(painter, {area.right() + gap, top}, height() - top - gap - 4, colourMap(),
                       colourScale(), valueTitle_, palette());
    }
    painter.setClipping(false);
    paintFocus(painter);
}

void DetectorView::paintAll(QPainter& painter, const QSize& size, const QPalette& palette,
                            double ratio) const {
    painter.fillRect(QRect(QPoint(), size), palette.color(QPalette::Base));
    painter.setFont(font());
    if (!frame()) {
        painter.setPen(palette.color(QPalette::Text));
        painter.drawText(QRectF(QPointF(), QSizeF(size)), Qt::AlignCenter | Qt::TextWordWrap, emptyText_);
        return;
    }
    const double bar = barWidth(QFontMetrics(font()));
    const QRectF area(0, 0, size.width() - bar, size.height());
    Viewport viewport = viewport_;
    const QRectF part = viewport_.visible();
    viewport.setArea(area);
    if (!viewport_.fitted()) viewport.show(part);
    paintScene(painter, area, viewport, renderer_.render(viewport, ratio, palette), palette);
    const double top = gap + (valueTitle_.isEmpty() ? 4 : QFontMetrics(font()).height() + 4);
    paintColourBar(painter, {area.right() + gap, top}, size.height() - top - gap - 4, colourMap(),
                   colourScale(), valueTitle_, palette);
}

void DetectorView::paintFigure(QCPPainter& painter, const QSize& size) const {
    paintAll(painter, size, printPalette(), 2);
}

QImage DetectorView::picture() const {
    const double ratio = devicePixelRatioF();
    QImage image((QSizeF(size()) * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    paintAll(painter, size(), palette(), ratio);
    return image;
}

}  // namespace ks::ui
