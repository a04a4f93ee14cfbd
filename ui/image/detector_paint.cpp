#include <algorithm>
#include <cmath>
#include <numbers>

#include <qcustomplot.h>
#include <QPainter>
#include <QPainterPath>

#include "ui/image/detector_view.h"
#include "ui/plots/palette.h"

namespace ks::ui {
namespace {

constexpr double gap = 8;        ///< between image, bar and border
constexpr double barThick = 14;  ///< of the colour-scale bar
constexpr double tickLong = 4;

/// Value -> index into the colour table, cheap enough for a pixel loop.
class Lookup {
  public:
    explicit Lookup(const ColourScale& scale) : kind_(scale.kind) {
        low_ = static_cast<float>(kind_ == ScaleKind::log ? scale.logFloor() : scale.low);
        const float high = static_cast<float>(scale.high);
        factor_ = kind_ == ScaleKind::log ? 1 / std::log2(std::max(high / low_, 1.0001F)) : 1 / (high - low_);
    }
    std::size_t operator()(float value) const {
        float position = 0;
        if (kind_ == ScaleKind::log)
            position = value > low_ ? std::log2(value / low_) * factor_ : 0;
        else
            position = (value - low_) * factor_;
        position = std::clamp(position, 0.0F, 1.0F);
        if (kind_ == ScaleKind::sqrt) position = std::sqrt(position);
        return static_cast<std::size_t>(position * 255 + 0.5F);
    }

  private:
    ScaleKind kind_;
    float low_, factor_;
};

QRgb blend(QRgb over, QRgb under, int share) {
    const auto mix = [share](int a, int b) { return (a * share + b * (256 - share)) >> 8; };
    return qRgb(mix(qRed(over), qRed(under)), mix(qGreen(over), qGreen(under)),
                mix(qBlue(over), qBlue(under)));
}

/// Text with a halo, so that it can be read on any colour.
void haloText(QPainter& painter, const QPointF& baseline, const QString& text, const QColor& colour) {
    QPainterPath path;
    path.addText(baseline, painter.font(), text);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(textOn(colour), 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(path);
    painter.fillPath(path, colour);
}

/// Lines that show on dark and light ground: dark below, light above.
void haloLine(QPainter& painter, const QPointF& a, const QPointF& b, const QColor& colour, double width) {
    painter.setPen(QPen(QColor(0, 0, 0, 90), width + 1.5));
    painter.drawLine(a, b);
    painter.setPen(QPen(colour, width));
    painter.drawLine(a, b);
}

class RingPainter {
  public:
    RingPainter(QPainter& painter, const Viewport& viewport, const QRectF& image)
        : painter_(painter), viewport_(viewport), shown_(viewport.area().intersected(image)) {}

    void draw(const QPointF& centre, const RingOutline& ring) {
        const QPointF middle = viewport_.toScreen(centre);
        const double radius = ring.radius * viewport_.scale();
        if (!(radius > 0) || !crosses(middle, radius)) return;
        const QColor colour = ring.bin > 0 ? binColour(ring.bin, true) : QColor(255, 255, 255, 220);
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(QColor(0, 0, 0, 90), 2.5));
        painter_.drawEllipse(middle, radius, radius);
        painter_.setPen(QPen(colour, 1.2));
        painter_.drawEllipse(middle, radius, radius);
        if (!ring.label.isEmpty()) label(middle, radius, ring.label);
    }

  private:
    bool crosses(const QPointF& middle, double radius) const {
        const QRectF& area = viewport_.area();
        const double dx = std::max({area.left() - middle.x(), 0.0, middle.x() - area.right()});
        const double dy = std::max({area.top() - middle.y(), 0.0, middle.y() - area.bottom()});
        const double fx = std::max(std::abs(area.left() - middle.x()), std::abs(area.right() - middle.x()));
        const double fy = std::max(std::abs(area.top() - middle.y()), std::abs(area.bottom() - middle.y()));
        return std::hypot(dx, dy) <= radius && radius <= std::hypot(fx, fy);
    }
    /// At the first angle where the text lies inside of what is seen and on no other label; else nowhere.
    void label(const QPointF& middle, double radius, const QString& text) {
        const QFontMetricsF metrics(painter_.font());
        const QSizeF size(metrics.horizontalAdvance(text) + 4, metrics.height());
        for (int k = 0; k < 72; ++k) {
            const double turn = (k % 2 ? -1 : 1) * ((k + 1) / 2) * 5.0;
            const double angle = (turn - 45) * std::numbers::pi / 180;
            const QPointF at = middle + radius * QPointF(std::cos(angle), std::sin(angle));
            const QRectF box(at - QPointF(size.width() / 2, size.height() / 2), size);
            if (!shown_.adjusted(2, 2, -2, -2).contains(box)) continue;
            if (std::any_of(taken_.begin(), taken_.end(),
                            [&](const QRectF& other) { return other.intersects(box); })) {
                continue;
            }
            taken_.push_back(box);
            haloText(painter_, {box.left() + 2, box.top() + metrics.ascent()}, text, Qt::white);
            return;
        }
    }

    QPainter& painter_;
    const Viewport& viewport_;
    QRectF shown_;
    std::vector<QRectF> taken_;
};

void paintBeam(QPainter& painter, const QPointF& at) {
    for (const QPointF& arm : {QPointF(1, 0), QPointF(0, 1)}) {
        haloLine(painter, at - arm * 9, at - arm * 3, Qt::white, 1.4);
        haloLine(painter, at + arm * 3, at + arm * 9, Qt::white, 1.4);
    }
}

/// Bar at the right of `area` with ticks, from low at the bottom to high on top.
void paintBar(QPainter& painter, const QRectF& bar, const ColourMap& colours, const ColourScale& scale,
              const QString& title, const QPalette& palette) {
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
    for (const auto& [position, label] :
         scale.ticks(static_cast<int>(bar.height() / (2.2 * metrics.height())))) {
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

}  // namespace

double DetectorView::barWidth(const QFontMetrics& metrics) const {
    // Wide enough for any tick that this scale can have, so that the image does not jump from frame to frame.
    double widest = metrics.horizontalAdvance(QStringLiteral("00000"));
    for (const auto& tick : scale_.ticks(12)) {
        widest = std::max(widest, static_cast<double>(metrics.horizontalAdvance(tick.second)));
    }
    return gap + barThick + tickLong + 3 + widest + gap;
}

QRectF DetectorView::imageArea() const {
    return QRectF(rect()).adjusted(0, 0, frame_ ? -barWidth(fontMetrics()) : 0, 0);
}

QImage DetectorView::render(const Viewport& viewport, double ratio, const QPalette& palette) const {
    const QRgb outside = palette.color(QPalette::Base).rgb();
    const auto width = static_cast<std::size_t>(std::max(1.0, std::ceil(viewport.area().width() * ratio)));
    const auto height = static_cast<std::size_t>(std::max(1.0, std::ceil(viewport.area().height() * ratio)));
    const QPointF origin = viewport.visible().topLeft();
    const double step = 1 / (viewport.scale() * ratio);
    std::vector<float> cells;
    detail_.resample(origin.x(), origin.y(), step, height, width, cells);

    std::vector<QRgb> bins;
    if (labels_ && opacity_ > 0) {
        const std::int32_t most = labels_->empty() ? 0 : *std::max_element(labels_->begin(), labels_->end());
        bins.resize(static_cast<std::size_t>(std::max(most, 0)) + 1, 0);
        for (std::size_t b = 1; b < bins.size(); ++b) {
            const bool shown = b - 1 >= visibleBins_.size() || visibleBins_[b - 1];
            if (shown) bins[b] = binColour(static_cast<int>(b), isDark(palette)).rgb();
        }
    }
    const auto columnOf = [&](std::size_t x) {
        const double at = std::floor(origin.x() + (static_cast<double>(x) + 0.5) * step);
        return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(detail_.width() - 1)));
    };
    std::vector<std::size_t> columns(bins.empty() ? 0 : width);
    for (std::size_t x = 0; x < columns.size(); ++x) columns[x] = columnOf(x);

    const Lookup lookup(scale_);
    const int share = static_cast<int>(std::lround(opacity_ * 256));
    QImage image(static_cast<int>(width), static_cast<int>(height), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    for (std::size_t y = 0; y < height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
        const float* from = cells.data() + y * width;
        const double at = std::floor(origin.y() + (static_cast<double>(y) + 0.5) * step);
        const auto row =
            static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(detail_.height() - 1)));
        for (std::size_t x = 0; x < width; ++x) {
            if (from[x] == LevelOfDetail::outside) {
                line[x] = outside;
                continue;
            }
            line[x] =
                from[x] == LevelOfDetail::invalid ? colours_.invalid() : colours_.table()[lookup(from[x])];
            if (bins.empty()) continue;
            const std::int32_t label = (*labels_)[row * detail_.width() + columns[x]];
            if (label > 0 && bins[static_cast<std::size_t>(label)])
                line[x] = blend(bins[static_cast<std::size_t>(label)], line[x], share);
        }
    }
    return image;
}

void DetectorView::paintScene(QPainter& painter, const QRectF& area, const Viewport& viewport,
                              const QImage& image, const QPalette& palette) const {
    painter.save();
    painter.setClipRect(area);
    // The image covers whole device pixels, so its rectangle may exceed the area by a fraction.
    painter.drawImage(area.topLeft(), image);
    painter.setRenderHint(QPainter::Antialiasing, true);
    const QRectF whole(viewport.toScreen({0, 0}), viewport.toScreen({static_cast<double>(detail_.width()),
                                                                     static_cast<double>(detail_.height())}));
    painter.setPen(QPen(mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.4), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(whole.adjusted(-0.5, -0.5, 0.5, 0.5));
    if (ringsVisible_) {
        RingPainter rings(painter, viewport, whole);
        for (const RingOutline& ring : rings_) rings.draw(ringCentre_, ring);
    }
    if (beam_) paintBeam(painter, viewport.toScreen(*beam_));
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
    painter.fillRect(rect(), base);
    if (!frame_ || detail_.height() == 0 || detail_.width() == 0) {
        painter.setPen(mixed(text, base, 0.7));
        painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, emptyText_);
    } else {
        const QRectF area = viewport_.area();
        if (cache_.isNull()) cache_ = render(viewport_, devicePixelRatioF(), palette());
        paintScene(painter, area, viewport_, cache_, palette());
        if (cursor_ && !panning_ && !tool_) {
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
        paintBar(painter, QRectF(area.right() + gap, top, barThick, height() - top - gap - 4), colours_,
                 scale_, valueTitle_, palette());
    }
    if (hasFocus()) {
        painter.setClipping(false);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void DetectorView::paintFigure(QCPPainter& painter, const QSize& size) const {
    const QPalette palette = printPalette();
    painter.fillRect(QRect(QPoint(), size), palette.color(QPalette::Base));
    painter.setFont(font());
    if (!frame_) {
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
    paintScene(painter, area, viewport, render(viewport, 2, palette), palette);
    const double top = gap + (valueTitle_.isEmpty() ? 4 : QFontMetrics(font()).height() + 4);
    paintBar(painter, QRectF(area.right() + gap, top, barThick, size.height() - top - gap - 4), colours_,
             scale_, valueTitle_, palette);
}

}  // namespace ks::ui
