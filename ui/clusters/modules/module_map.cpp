#include "ui/clusters/modules/module_map.h"

#include <qcustomplot.h>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/base/csv_field.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/base/round_number.h"
#include "ui/image/view/colour_bar.h"
#include "ui/image/view/halo.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/plot_text.h"

namespace ks::ui::clusters {
namespace {

constexpr double minLook = 16;

constexpr double gap = 8, swatch = 10;
constexpr double minDigi = 2;        ///< device pixels: smaller digis are drawn at this size
constexpr double outlineZoom = 2.5;  ///< at a lower zoom outlines would cover the digis
constexpr double centroidZoom = 3, arrowZoom = 6, headZoom = 10, haloZoom = 16, textZoom = 30, gridZoom = 12;

/// A round distance between axis ticks, at least `minimum` logical pixels.
double tickStep(double zoom, double minimum) {
    return roundUp(std::max(minimum / zoom, 1.0));
}

}  // namespace

ModuleMap::ModuleMap(QWidget* parent) : ViewportCanvas(parent) {
    setAccessibleName(tr("Pixels of the module"));
    setWhatsThis(
        tr("The pixels of the selected module. Scroll to zoom, drag to pan, Home to fit. Click a cluster to "
           "select its row in the table."));
    new Restyled(this, Restyled::By::paletteOrFont, [this] {
        viewport_.setArea(areaOf(size(), fontMetrics()));
        picture_ = {};
        update();
    });
}

void ModuleMap::setScene(MapScene scene) {
    const auto sizeOf = [](const MapScene& one) {
        return one.data ? QSizeF(one.data->width, one.data->height) : QSizeF();
    };
    const bool same = scene_.data && sizeOf(scene) == sizeOf(scene_);
    const bool other = !scene_.data || !scene.data || scene_.data->slot != scene.data->slot;
    scene_ = std::move(scene);
    if (other) setSelected(std::nullopt);
    viewport_.setArea(areaOf(size(), fontMetrics()));
    if (!same && scene_.data) {
        const QSizeF whole = sizeOf(scene_);
        viewport_.setImage(lies() ? whole.transposed() : whole);
    }
    picture_ = {};
    update();
    hoverAgain();
}

void ModuleMap::setSelected(std::optional<std::size_t> cluster) {
    selectedLines_.clear();
    selected_ = cluster;
    if (cluster && scene_.data) selectedLines_ = outlineOf(*scene_.data, *cluster);
    update();
}

void ModuleMap::setOutlinesVisible(bool visible) {
    outlines_ = visible;
    update();
}

void ModuleMap::setCentroidsVisible(bool visible) {
    centroids_ = visible;
    update();
}

void ModuleMap::setEmptyText(const QString& text) {
    emptyText_ = text;
    update();
}

void ModuleMap::setNote(const QString& note) {
    if (note_ == note) return;
    note_ = note;
    viewport_.setArea(areaOf(size(), fontMetrics()));
    picture_ = {};
    update();
}

void ModuleMap::setPointer(std::optional<QPoint> pixel) {
    if (pointer_ == pixel) return;
    pointer_ = pixel;
    update();
}

// Zooms only if the current zoom is unsuitable.
void ModuleMap::look(const QRectF& pixels) {
    if (!scene_.data) return;
    const double side = std::max({minLook, 3 * pixels.width(), 3 * pixels.height()});
    QRectF part(0, 0, side, side);
    const QRectF seen = seenPart();
    const double now = std::min(seen.width(), seen.height());
    if (!fitted() && now > side / 3 && now < 3 * side) part = QRectF(QPointF(), seen.size());
    part.moveCenter(pixels.center());
    viewport_.show(turned(part));
    viewMoved();
}

PicturePlace ModuleMap::place() const {
    PicturePlace place{viewport_.area(), {}};
    if (scene_.data)
        place.picture = QRectF(toWidget({0, 0}), toWidget(QPointF(scene_.data->width, scene_.data->height)))
                            .normalized()
                            .intersected(place.viewport);
    return place;
}

void ModuleMap::showPart(const QRectF& pixels, bool whole) {
    if (whole)
        viewport_.fit();
    else
        viewport_.show(turned(pixels));
    picture_ = {};
    update();
    hoverAgain();
}

void ModuleMap::viewMoved() {
    picture_ = {};
    update();
    emit partChanged(seenPart(), fitted());
}

std::optional<QPoint> ModuleMap::pixelAt(const QPointF& widget) const {
    if (!scene_.data || !viewport_.area().contains(widget)) return std::nullopt;
    QPointF at = viewport_.toImage(widget);
    if (lies()) at = at.transposed();
    const QPoint pixel(static_cast<int>(std::floor(at.x())), static_cast<int>(std::floor(at.y())));
    const QRect whole(0, 0, static_cast<int>(scene_.data->width), static_cast<int>(scene_.data->height));
    return whole.contains(pixel) ? std::optional(pixel) : std::nullopt;
}

void ModuleMap::resizeEvent(QResizeEvent*) {
    viewport_.setArea(areaOf(size(), fontMetrics()));
    picture_ = {};
}

void ModuleMap::hoverAt(const QPointF& widget) {
    const auto pixel = pixelAt(widget);
    if (pixel)
        emit hovered(*pixel);
    else
        emit hoverLeft();
}

void ModuleMap::hoverEnded() {
    emit hoverLeft();
}

void ModuleMap::clickedAt(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton) return;
    if (const auto pixel = pixelAt(event.position())) emit clicked(*pixel);
}

std::string ModuleMap::csv() const {
    const std::string end = note_.isEmpty() ? "\n" : ',' + csvField(note_) + '\n';
    std::string text = "x,y,adc,row,label";
    text += note_.isEmpty() ? "\n" : ",note\n";
    if (!scene_.data) return text;
    for (const ModuleViewData::Digi& digi : scene_.data->digis)
        text += std::to_string(digi.x) + ',' + std::to_string(digi.y) + ',' + std::to_string(digi.adc) + ',' +
                std::to_string(digi.row) + ',' +
                (digi.label == ModuleViewData::unlabelled ? std::string() : std::to_string(digi.label)) + end;
    return text;
}

double ModuleMap::besideOf(const QFontMetrics& metrics) const {
    return scene_.scale ? colourBarWidth(*scene_.scale, metrics) + 2 * gap : gap;
}

double ModuleMap::noteHeight(const QFontMetrics& metrics, int width) const {
    return note_.isEmpty() ? 0 : badgeHeight(metrics, note_, width - 2 * gap) + 2;
}

double ModuleMap::widthOfNumbers(const QFontMetricsF& metrics) const {
    const std::uint32_t longest = scene_.data ? std::max(scene_.data->width, scene_.data->height) : 0;
    return metrics.horizontalAdvance(
        QString(std::max<qsizetype>(QString::number(longest).size(), 4), QLatin1Char('0')));
}

double ModuleMap::leftOfAxes(const QFontMetricsF& metrics) const {
    return gap + std::ceil(metrics.height() + widthOfNumbers(metrics)) + 6;
}

QVector<QPointF> ModuleMap::placesOfWords(const QFontMetrics& metrics, int width) const {
    QVector<QPointF> places;
    const double left = leftOfAxes(metrics);
    QPointF at(left, 0);
    for (const auto& [colour, text] : scene_.words) {
        const double wide = swatch + 4 + metrics.horizontalAdvance(text);
        if (at.x() > left && at.x() + wide + gap > width) at = {left, at.y() + metrics.height() + 2};
        places << at;
        at.rx() += wide + 2 * gap;
    }
    return places;
}

QRectF ModuleMap::areaOf(const QSize& size, const QFontMetrics& metrics) const {
    if (!scene_.data) return QRectF(QPointF(), QSizeF(size));
    const QVector<QPointF> words = placesOfWords(metrics, size.width());
    const double left = leftOfAxes(metrics), bottom = gap + 2 * metrics.height() + 6,
                 top = words.isEmpty() ? gap : gap + words.last().y() + metrics.height() + 4;
    return QRectF(QPointF(), QSizeF(size))
        .adjusted(left, noteHeight(metrics, size.width()) + top, -besideOf(metrics), -bottom);
}

template <class Use>
void ModuleMap::eachSeen(const Viewport& viewport, const Use& use) const {
    const QRectF seen = turned(viewport.visible());
    const auto first = static_cast<std::uint32_t>(std::max(0.0, std::floor(seen.top())));
    const auto& digis = scene_.data->digis;
    for (std::size_t i = scene_.data->firstAt(first); i < digis.size() && digis[i].y < seen.bottom(); ++i) {
        if (digis[i].x + 1 <= seen.left() || digis[i].x >= seen.right() || scene_.data->isFurther(i))
            continue;
        const QPointF corner = turned(QPointF(digis[i].x, digis[i].y));
        use(i, QRectF(viewport.toScreen(corner), viewport.toScreen(corner + QPointF(1, 1))));
    }
}

// Directly into the image: thousands of rectangles cost less than one painter call each.
QImage ModuleMap::digisImage(const Viewport& viewport, double ratio, const QPalette& palette) const {
    const QRectF area = viewport.area();
    QImage image((area.size() * ratio).toSize(), QImage::Format_RGB32);
    if (image.isNull()) return image;
    image.setDevicePixelRatio(ratio);
    const QColor base = palette.color(QPalette::Base), text = palette.color(QPalette::Text);
    image.fill(base);
    const auto cells = [&](const QRectF& rect) {
        const double x0 = (rect.left() - area.left()) * ratio, y0 = (rect.top() - area.top()) * ratio;
        const double x1 = std::max((rect.right() - area.left()) * ratio, x0 + minDigi),
                     y1 = std::max((rect.bottom() - area.top()) * ratio, y0 + minDigi);
        const auto on = [](double v, int maximum) {
            return std::clamp(static_cast<int>(std::lround(v)), 0, maximum);
        };
        return QRect(QPoint(on(x0, image.width()), on(y0, image.height())),
                     QPoint(on(x1, image.width()) - 1, on(y1, image.height()) - 1));
    };
    const auto fill = [&](const QRect& rect, QRgb colour) {
        for (int y = rect.top(); y <= rect.bottom(); ++y) {
            auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
            std::fill(line + rect.left(), line + rect.right() + 1, colour);
        }
    };
    const QSizeF whole(scene_.data->width, scene_.data->height);
    const QRectF module(viewport.toScreen({0, 0}),
                        viewport.toScreen(turned(QPointF(whole.width(), whole.height()))));
    fill(cells(module), mixed(text, base, 0.05).rgb());
    eachSeen(viewport, [&](std::size_t i, const QRectF& rect) {
        const QRect at = cells(rect);
        if (at.isValid()) fill(at, scene_.colours[i]);
    });
    return image;
}

void ModuleMap::paintChips(QPainter& painter, const Viewport& viewport, const QPalette& palette) const {
    const QColor base = palette.color(QPalette::Base), text = palette.color(QPalette::Text);
    const ModuleViewData& module = *scene_.data;
    const auto lines = [&](double step, double end, bool alongX) {
        if (step <= 0) return;
        const double across = alongX ? module.height : module.width;
        const QRectF seen = turned(viewport.visible());
        const double from = std::max(0.0, std::floor((alongX ? seen.left() : seen.top()) / step) * step),
                     to = std::min(end, alongX ? seen.right() : seen.bottom());
        for (double at = from; at <= to; at += step) {
            const QPointF a = alongX ? QPointF(at, 0) : QPointF(0, at),
                          b = alongX ? QPointF(at, across) : QPointF(across, at);
            const QPointF p = viewport.toScreen(turned(a)), q = viewport.toScreen(turned(b));
            const auto sharp = [](const QPointF& v) {
                return QPointF(std::floor(v.x()) + 0.5, std::floor(v.y()) + 0.5);
            };
            painter.drawLine(sharp(p), sharp(q));
        }
    };
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (viewport.scale() >= gridZoom) {
        painter.setPen(mixed(text, base, 0.15));
        lines(1, module.width, true);
        lines(1, module.height, false);
    }
    painter.setPen(mixed(text, base, 0.35));
    lines(module.rocX, module.width, true);
    lines(module.rocY, module.height, false);
    painter.setPen(mixed(text, base, 0.6));
    const QRectF whole(viewport.toScreen({0, 0}),
                       viewport.toScreen(turned(QPointF(module.width, module.height))));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(QPointF(std::floor(whole.left()) - 0.5, std::floor(whole.top()) - 0.5),
                            QPointF(std::ceil(whole.right()) + 0.5, std::ceil(whole.bottom()) + 0.5)));
}

void ModuleMap::paintLines(QPainter& painter, const Viewport& viewport,
                           const std::vector<QLineF>& lines) const {
    const QRectF seen = turned(viewport.visible());
    QVector<QLineF> onScreen;
    for (const QLineF& line : lines) {
        const double left = std::min(line.x1(), line.x2()), right = std::max(line.x1(), line.x2()),
                     top = std::min(line.y1(), line.y2()), bottom = std::max(line.y1(), line.y2());
        if (right < seen.left() || left > seen.right() || bottom < seen.top() || top > seen.bottom())
            continue;
        onScreen << QLineF(viewport.toScreen(turned(line.p1())), viewport.toScreen(turned(line.p2())));
    }
    painter.drawLines(onScreen);
}

void ModuleMap::paintArrows(QPainter& painter, const Viewport& viewport, const QPalette& palette) const {
    const double zoom = viewport.scale();
    if (scene_.arrows.empty() || zoom < arrowZoom) return;
    painter.setRenderHint(QPainter::Antialiasing, true);
    const double width = std::clamp(zoom / 12, 1.0, 2.5);
    if (zoom >= haloZoom) {
        painter.setPen(QPen(palette.color(QPalette::Base), width + 2));
        paintLines(painter, viewport, scene_.arrows);
    }
    painter.setPen(QPen(palette.color(QPalette::Text), width));
    paintLines(painter, viewport, scene_.arrows);
    if (zoom < headZoom) return;
    const QRectF seen = turned(viewport.visible()).adjusted(-1, -1, 1, 1);
    QPainterPath heads;
    for (const QLineF& arrow : scene_.arrows) {
        if (!seen.contains(arrow.p2())) continue;
        QLineF shaft(viewport.toScreen(turned(arrow.p2())), viewport.toScreen(turned(arrow.p1())));
        shaft.setLength(std::min(zoom / 3, 10.0));
        QLineF left = shaft, right = shaft;
        left.setAngle(shaft.angle() + 25);
        right.setAngle(shaft.angle() - 25);
        heads.addPolygon(QPolygonF({shaft.p1(), left.p2(), right.p2(), shaft.p1()}));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.color(QPalette::Text));
    painter.drawPath(heads);
    painter.setBrush(Qt::NoBrush);
}

void ModuleMap::paintMarks(QPainter& painter, const Viewport& viewport, const QPalette& palette) const {
    const double zoom = viewport.scale();
    const QColor text = palette.color(QPalette::Text), base = palette.color(QPalette::Base);
    if (outlines_ && zoom >= outlineZoom) {
        painter.setPen(QPen(text, zoom >= 8 ? 2 : 1));
        paintLines(painter, viewport, scene_.outlines);
    }
    if (!scene_.others.empty()) {
        painter.setPen(QPen(binColour(2, isDark(palette)), zoom >= 8 ? 3 : 2, Qt::DashLine));
        paintLines(painter, viewport, scene_.others);
    }
    if (!scene_.marked.empty()) {
        const double inset = zoom >= 16 ? 2 : zoom >= 6 ? 1 : 0, width = zoom >= 24 ? 3 : zoom >= 12 ? 2 : 1;
        for (const std::uint32_t digi : scene_.marked) {
            const QPointF corner = turned(QPointF(scene_.data->digis[digi].x, scene_.data->digis[digi].y));
            const QRectF rect = QRectF(viewport.toScreen(corner), viewport.toScreen(corner + QPointF(1, 1)))
                                    .adjusted(inset, inset, -inset, -inset);
            if (!rect.intersects(viewport.area())) continue;
            painter.setPen(QPen(base, width + 2));
            if (zoom >= 16) painter.drawRect(rect);
            painter.setPen(QPen(text, width));
            painter.drawRect(rect);
        }
    }
    paintArrows(painter, viewport, palette);
    if (centroids_ && zoom >= centroidZoom) {
        painter.setRenderHint(QPainter::Antialiasing, true);
        const double arm = std::clamp(zoom / 3, 3.0, 7.0);
        for (const QPointF& centre : scene_.centroids) {
            const QPointF at = viewport.toScreen(turned(centre));
            if (!viewport.area().contains(at)) continue;
            haloLine(painter, at - QPointF(arm, 0), at + QPointF(arm, 0), Qt::white, 1.5);
            haloLine(painter, at - QPointF(0, arm), at + QPointF(0, arm), Qt::white, 1.5);
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (!selectedLines_.empty()) {
        const double width = zoom >= 8 ? 3 : 2;
        painter.setPen(QPen(base, width + 2, Qt::SolidLine, Qt::SquareCap));
        paintLines(painter, viewport, selectedLines_);
        painter.setPen(QPen(palette.color(QPalette::Highlight), width, Qt::SolidLine, Qt::SquareCap));
        paintLines(painter, viewport, selectedLines_);
    }
    if (pointer_) {
        const QPointF at = viewport.toScreen(turned(QPointF(*pointer_) + QPointF(0.5, 0.5)));
        const double half = std::max(zoom / 2 + 2, 5.0);
        painter.setPen(QPen(palette.color(QPalette::Highlight), 2));
        painter.drawRect(QRectF(at - QPointF(half, half), QSizeF(2 * half, 2 * half)));
    }
}

void ModuleMap::paintTexts(QPainter& painter, const Viewport& viewport) const {
    if (viewport.scale() < textZoom || !scene_.text) return;
    const QFontMetricsF metrics(painter.font());
    eachSeen(viewport, [&](std::size_t i, const QRectF& rect) {
        const QString text = scene_.text(i);
        if (text.isEmpty() || metrics.horizontalAdvance(text) > rect.width() - 4) return;
        painter.setPen(textOn(QColor(scene_.colours[i])));
        painter.drawText(QPointF(rect.center().x() - metrics.horizontalAdvance(text) / 2,
                                 rect.center().y() + metrics.capHeight() / 2 -
                                     (centroids_ && !scene_.centroids.empty() ? rect.height() / 4 : 0)),
                         text);
    });
}

void ModuleMap::paintAxes(QPainter& painter, const Viewport& viewport, const QPalette& palette) const {
    const QFontMetricsF metrics(painter.font());
    const QRectF seen = viewport.visible();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(palette.color(QPalette::Text));
    const QSizeF whole = lies() ? QSizeF(scene_.data->height, scene_.data->width)
                                : QSizeF(scene_.data->width, scene_.data->height);
    // At the edges of the module if they are visible.
    const QRectF frame = QRectF(viewport.toScreen({0, 0}), viewport.toScreen({whole.width(), whole.height()}))
                             .intersected(viewport.area());
    const double below = std::ceil(frame.bottom()) + 1, beside = std::floor(frame.left()) - 1;
    // As in the tables: pixel i spans i to i + 1.
    const auto each = [&](double from, double to, double end, double minimum, const auto& use) {
        const double step = tickStep(viewport.scale(), minimum);
        for (double at = std::max(0.0, std::ceil(from / step) * step); at <= std::min(to, end); at += step)
            use(at, QString::number(at, 'f', 0));
    };
    const double widest = widthOfNumbers(metrics) + 12;
    each(seen.left(), seen.right(), whole.width(), widest, [&](double at, const QString& number) {
        const double x = viewport.toScreen(QPointF(at, 0)).x();
        painter.drawLine(QPointF(x, below), QPointF(x, below + 3));
        painter.drawText(QPointF(x - metrics.horizontalAdvance(number) / 2, below + 4 + metrics.ascent()),
                         number);
    });
    each(seen.top(), seen.bottom(), whole.height(), 1.6 * metrics.height(),
         [&](double at, const QString& number) {
             const double y = viewport.toScreen(QPointF(0, at)).y();
             painter.drawLine(QPointF(beside - 3, y), QPointF(beside, y));
             painter.drawText(
                 QPointF(beside - 5 - metrics.horizontalAdvance(number), y + metrics.capHeight() / 2),
                 number);
         });
    const QString along = lies() ? tr("y (px)") : tr("x (px)"), up = lies() ? tr("x (px)") : tr("y (px)");
    painter.drawText(QPointF(frame.center().x() - metrics.horizontalAdvance(along) / 2,
                             below + 4 + metrics.height() + metrics.ascent()),
                     along);
    painter.save();
    painter.translate(beside - 9 - widthOfNumbers(metrics) - metrics.descent(),
                      frame.center().y() + metrics.horizontalAdvance(up) / 2);
    painter.rotate(-90);
    painter.drawText(QPointF(0, 0), up);
    painter.restore();
}

void ModuleMap::paintBeside(QPainter& painter, const QSize& size, const QPalette& palette) const {
    const QFontMetricsF metrics(painter.font());
    const double above = noteHeight(QFontMetrics(painter.font()), size.width());
    if (above > 0) paintBadge(painter, {gap, 2, size.width() - 2 * gap, above}, note_, palette);
    if (scene_.scale) {
        const double wide = colourBarWidth(*scene_.scale, QFontMetrics(painter.font())),
                     top = above + gap + metrics.height() + 4;
        paintColourBar(painter, {size.width() - wide - gap, top}, size.height() - top - gap - 4, colours_,
                       *scene_.scale, scene_.scaleTitle, palette);
    }
    const QVector<QPointF> places = placesOfWords(QFontMetrics(painter.font()), size.width());
    for (qsizetype i = 0; i < places.size(); ++i) {
        const auto& [colour, text] = scene_.words[static_cast<std::size_t>(i)];
        const double x = places[i].x(), y = above + gap + places[i].y();
        painter.fillRect(QRectF(x, y + (metrics.height() - swatch) / 2, swatch, swatch), QColor(colour));
        painter.setPen(palette.color(QPalette::Text));
        painter.drawText(
            QPointF(x + swatch + 4, y + metrics.ascent()),
            metrics.elidedText(text, Qt::ElideRight, std::max(0.0, size.width() - x - swatch - 4 - gap)));
    }
}

void ModuleMap::paintAll(QPainter& painter, const QSize& size, const Viewport& viewport, const QImage& digis,
                         const QPalette& palette) const {
    const QColor base = palette.color(QPalette::Base), text = palette.color(QPalette::Text);
    painter.fillRect(QRect(QPoint(), size), base);
    if (!scene_.data) {
        painter.setPen(mixed(text, base, 0.7));
        painter.drawText(QRect(QPoint(), size).adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                         emptyText_);
        return;
    }
    painter.save();
    painter.setClipRect(viewport.area().adjusted(-1, -1, 1, 1));
    painter.drawImage(viewport.area().topLeft(), digis);
    paintChips(painter, viewport, palette);
    paintTexts(painter, viewport);
    paintMarks(painter, viewport, palette);
    painter.restore();
    paintAxes(painter, viewport, palette);
    paintBeside(painter, size, palette);
}

void ModuleMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (scene_.data && picture_.isNull()) picture_ = digisImage(viewport_, devicePixelRatioF(), palette());
    paintAll(painter, size(), viewport_, picture_, palette());
    paintFocus(painter);
}

void ModuleMap::paintFigure(QCPPainter& painter, const QSize& size) const {
    painter.setFont(font());
    Viewport viewport = viewport_;
    const QRectF part = viewport_.visible();
    viewport.setArea(areaOf(size, QFontMetrics(font())));
    if (!viewport_.fitted()) viewport.show(part);
    paintAll(painter, size, viewport,
             scene_.data ? digisImage(viewport, figureResolution(painter), printPalette()) : QImage(),
             printPalette());
}

}  // namespace ks::ui::clusters
