#include "ui/image/view/detector_view.h"

#include <qcustomplot.h>
#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/image/view/colour_bar.h"
#include "ui/image/view/halo.h"
#include "ui/image/view/scale_bar.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/plot_text.h"

namespace ks::ui {
namespace {

constexpr double gap = 8;         ///< between image, bar and border
constexpr int limitsDelay = 300;  ///< ms after the last change of the mask
constexpr int aheadDelay = 200;   ///< ms after the last new picture

}  // namespace

DetectorView::DetectorView(QWidget* parent) : ToolCanvas(parent), emptyText_(openHint()) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Detector image"));
    setWhatsThis(
        tr("Detector image. Scroll to zoom at the cursor, drag to pan, double-click to fit. The status bar "
           "shows the value under the cursor. Esc leaves the current tool."));
    setAccessibleDescription(tr("Plus and minus zoom, arrow keys pan, Home fits the image"));
    wanted_.percentile = 99.5;
    renderer_.setColourScale(wanted_);
    renderer_.setPalette(palette());
    viewport_.setArea(imageArea());
    limitsLater_.setSingleShot(true);
    limitsLater_.setInterval(limitsDelay);
    connect(&limitsLater_, &QTimer::timeout, this, [this] {
        takeValues();
        rescale();
    });
    // The level just below the frame is the most expensive. Made while idle, it is ready when
    // the wheel turns.
    levelsAhead_.setSingleShot(true);
    levelsAhead_.setInterval(aheadDelay);
    connect(&levelsAhead_, &QTimer::timeout, this, [this] {
        if (renderer_.detail().levels() > 1) renderer_.detail().level(1);
    });
    makeActions();
    new Restyled(this, Restyled::By::paletteOrFont, [this] {
        renderer_.setPalette(palette());
        update();
        fitArea();
    });
}

// A tool cancels what is unfinished while the view still exists.
DetectorView::~DetectorView() {
    blockSignals(true);
    setDefaultTool(nullptr);
    setTool(nullptr);
}

void DetectorView::setFrame(std::shared_ptr<const ks::Array> frame) {
    const std::shared_ptr<const ks::Array> before = renderer_.frame();
    renderer_.setFrame(std::move(frame));  // throws before anything is changed
    if (!before || !renderer_.frame() || before->shape() != renderer_.frame()->shape()) {
        cancelTool();
        cursor_.reset();
        viewport_.setImage(
            QSizeF(static_cast<double>(renderer_.width()), static_cast<double>(renderer_.height())));
    }
    takeValues();
    update();
    rescale();
    fitArea();
    emit viewChanged();
    if (cursor_) hoverAt(*cursor_);
}

void DetectorView::setMask(std::shared_ptr<const std::vector<std::uint8_t>> ignore) {
    renderer_.setMask(std::move(ignore));
    takeValues();
    update();
    rescale();
    emit viewChanged();
}

void DetectorView::maskChanged(const ks::PixelRect& where) {
    if (!renderer_.mask()) return;
    updatePart(renderer_.maskChanged(where));
    limitsLater_.start();
}

void DetectorView::updatePart(const QRectF& part) {
    if (!part.isEmpty()) update(part.translated(viewport_.area().topLeft()).toAlignedRect());
}

void DetectorView::setLabels(std::shared_ptr<const std::vector<std::int32_t>> labels) {
    renderer_.setLabels(std::move(labels));
    viewMoved();
}

void DetectorView::labelsChanged(const ks::PixelRect& where) {
    updatePart(renderer_.labelsChanged(where));
}

void DetectorView::setVisibleBins(std::vector<bool> visible) {
    renderer_.setVisibleBins(std::move(visible));
    viewMoved();
}

void DetectorView::setRings(double x, double y, std::vector<RingOutline> rings) {
    ringCentre_ = {x, y};
    rings_ = std::move(rings);
    update();
}

void DetectorView::setBeam(std::optional<QPointF> beam) {
    beam_ = beam;
    update();
}

int DetectorView::addLayer(Layer layer) {
    layers_.emplace_back(nextLayer_, std::move(layer));
    update();
    return nextLayer_++;
}

void DetectorView::removeLayer(int id) {
    std::erase_if(layers_, [id](const auto& layer) { return layer.first == id; });
    update();
}

void DetectorView::setColourMap(const ColourMap& map) {
    const bool other = map.name() != colourMap().name();
    renderer_.setColourMap(map);
    update();
    if (other) emit colourMapChanged(map);
    emit viewChanged();
}

void DetectorView::setColourScale(const ColourScale& scale) {
    const bool other = scale != wanted_;
    wanted_ = scale;
    rescale();
    if (other) emit colourScaleSet(wanted_);
    emit viewChanged();
}

void DetectorView::setReduction(Reduction reduction) {
    if (reduction == this->reduction()) return;
    renderer_.setReduction(reduction);
    update();
    emit reductionChanged(reduction);
    emit viewChanged();
}

void DetectorView::setValueTitle(const QString& title) {
    valueTitle_ = title;
    fitArea();
    update();
}

void DetectorView::setScaleBarVisible(bool visible) {
    scaleBar_->setChecked(visible);
    update();
}

void DetectorView::setQScale(double qPerPixel) {
    qPerPixel_ = qPerPixel;
    update();
}

void DetectorView::setOverlayOpacity(double opacity) {
    renderer_.setOpacity(opacity);
    viewMoved();
}

void DetectorView::setRingsVisible(bool visible) {
    ringsVisible_ = visible;
    update();
}

void DetectorView::setNote(const QString& note) {
    if (note_ == note) return;
    note_ = note;
    update();
}

QString DetectorView::openHint() {
    return tr("Drop a file here or open the demo");
}

void DetectorView::setEmptyText(const QString& text) {
    emptyText_ = text;
    update();
}

void DetectorView::takeValues() {
    limitsLater_.stop();
    values_ = renderer_.detail().sample();
    extremes_ = renderer_.detail().extremes();
    fitted_.reset();
    // The level that the next picture needs anyway. It gives the largest value, which a sample may miss.
    renderer_.prepare(viewport_, devicePixelRatioF());
    emit valuesChanged();
}

void DetectorView::rescale() {
    ColourScale fitted = wanted_;
    if (wanted_.automatic && fitted_ == wanted_.percentile) {
        fitted.low = colourScale().low;
        fitted.high = colourScale().high;
    } else {
        fitted = wanted_.fitted(wanted_.automatic ? values_ : std::vector<double>{});
        fitted_ = wanted_.automatic ? std::optional(wanted_.percentile) : std::nullopt;
    }
    if (fitted == colourScale()) return;
    renderer_.setColourScale(fitted);
    update();
    fitArea();  // the texts of the scale may be longer
    emit colourScaleChanged(colourScale());
}

void DetectorView::fitArea() {
    const QRectF area = imageArea();
    if (area == viewport_.area()) return;
    viewport_.setArea(area);
    update();
}

void DetectorView::viewMoved() {
    update();
    emit viewChanged();
}

void DetectorView::showPart(const QRectF& image) {
    if (!frame()) return;
    viewport_.show(image);
    viewMoved();
}

QString DetectorView::valueText(int column, int row) const {
    if (!frame() || column < 0 || row < 0) return {};
    const auto c = static_cast<std::size_t>(column), r = static_cast<std::size_t>(row);
    if (c >= renderer_.detail().width() || r >= renderer_.detail().height()) return {};
    // Integers with all digits, also beyond 2^53.
    const QString text = visit_element(frame()->type(), [&]<class T>(T) {
        const T value = frame()->as<T>()[r * renderer_.detail().width() + c];
        if constexpr (!std::is_floating_point_v<T>)
            return QString::number(value);
        else if (std::isnan(value))
            return QStringLiteral("NaN");
        else
            return formatNumber(static_cast<double>(value), sizeof(T) == 4 ? 7 : 10);
    });
    if (renderer_.detail().masked(r, c)) return tr("masked (%1)").arg(text);
    return renderer_.detail().valid(r, c) || text == QLatin1String("NaN") ? text
                                                                          : tr("invalid (%1)").arg(text);
}

std::string DetectorView::csv() const {
    std::string text;
    for (std::size_t row = 0; row < renderer_.detail().height(); ++row) {
        for (std::size_t column = 0; column < renderer_.detail().width(); ++column) {
            if (column) text += ',';
            text += visit_element(frame()->type(), [&]<class T>(T) {
                const T value = frame()->as<T>()[row * renderer_.detail().width() + column];
                if constexpr (std::is_floating_point_v<T>) {
                    return QByteArray::number(static_cast<double>(value), 'g', sizeof(T) == 4 ? 9 : 17)
                        .toStdString();
                } else {
                    return std::to_string(value);
                }
            });
        }
        text += '\n';
    }
    return text;
}

void DetectorView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    viewport_.setArea(imageArea());
    viewMoved();
}

void DetectorView::makeActions() {
    const auto add = [this](const QString& text, const QKeySequence& keys) {
        auto* action = new QAction(text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        addAction(action);
        return action;
    };
    connect(add(tr("&Copy picture"), QKeySequence::Copy), &QAction::triggered, this,
            &DetectorView::copyPicture);
    connect(add(tr("&Whole image"), {}), &QAction::triggered, this, &DetectorView::fit);
    scaleBar_ = add(tr("&Scale bar"), {});
    scaleBar_->setCheckable(true);
    scaleBar_->setChecked(true);
    connect(scaleBar_, &QAction::toggled, this, [this] { update(); });
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void DetectorView::copyPicture() const {
    if (frame()) QGuiApplication::clipboard()->setImage(picture());
}

bool DetectorView::takesPress(const QMouseEvent& event) {
    if (ToolCanvas::takesPress(event)) return true;
    onBar_ = event.button() == Qt::LeftButton && overBar(event.position());
    return onBar_;
}

bool DetectorView::takesRelease(const QMouseEvent& event) {
    if (ToolCanvas::takesRelease(event)) return true;
    if (!std::exchange(onBar_, false)) return false;
    if (overBar(event.position())) emit colourBarClicked();
    return true;
}

bool DetectorView::overBar(const QPointF& widget) const {
    return frame() && rect().contains(widget.toPoint()) && widget.x() > viewport_.area().right();
}

void DetectorView::updateCursor() {
    if (!panning() && !spaceHeld() && mouse() && overBar(*mouse())) return setCursor(Qt::PointingHandCursor);
    ToolCanvas::updateCursor();
}

void DetectorView::clickedAt(const QMouseEvent& event) {
    emit clicked(toImage(event.position()), event.button(), event.modifiers());
}

void DetectorView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && overBar(event->position())) return;
    ToolCanvas::mouseDoubleClickEvent(event);
}

void DetectorView::hoverEnded() {
    cursor_.reset();
    update();
    emit hoverLeft();
}

void DetectorView::hoverAt(const QPointF& widget) {
    const bool wasInside = cursor_.has_value();
    cursor_.reset();
    const QPointF at = toImage(widget);
    const auto column = static_cast<int>(std::floor(at.x())), row = static_cast<int>(std::floor(at.y()));
    const QString text = viewport_.area().contains(widget) ? valueText(column, row) : QString();
    if (!text.isEmpty()) {
        cursor_ = widget;
        emit hovered(column, row, text);
    } else if (wasInside) {
        emit hoverLeft();
    }
    update();
}

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
    if (scaleBar_->isChecked())
        paintScaleBar(painter, area, area.intersected(whole), viewport.scale(), qPerPixel_,
                      palette.color(QPalette::Text));
    for (const auto& layer : layers_) {
        painter.save();
        layer.second(painter, viewport.transform());
        painter.restore();
    }
    painter.restore();
    if (!note_.isEmpty()) paintBadge(painter, area.adjusted(gap, gap, -gap, 0), note_, palette);
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
        if (cursor_ && !panning() && !tool()) {
            painter.setClipRect(area);
            const double x = cursor_->x(), y = cursor_->y();
            const QColor line(255, 255, 255, 170);
            haloLine(painter, {area.left(), y}, {x - 6, y}, line, 1);
            haloLine(painter, {x + 6, y}, {area.right(), y}, line, 1);
            haloLine(painter, {x, area.top()}, {x, y - 6}, line, 1);
            haloLine(painter, {x, y + 6}, {x, area.bottom()}, line, 1);
            painter.setClipping(false);
        }
        if (tool()) {
            painter.save();
            painter.setClipRect(area);
            painter.setRenderHint(QPainter::Antialiasing, true);
            tool()->paint(painter, viewport_.transform());
            painter.restore();
        }
        paintBar(painter, area, palette());
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
    paintBar(painter, area, palette);
}

void DetectorView::paintBar(QPainter& painter, const QRectF& area, const QPalette& palette) const {
    const QString title = colourBarTitle(valueTitle_, fontMetrics());
    const auto lines = title.isEmpty() ? 0 : title.count(QLatin1Char('\n')) + 1;
    const double top = gap + static_cast<double>(lines) * fontMetrics().height() + 4;
    paintColourBar(painter, {area.right() + gap, top}, area.height() - top - gap - 4, colourMap(),
                   colourScale(), title, palette, beyond());
}

BeyondLimits DetectorView::beyond() const {
    return colourScale().beyond(extremes_.first, extremes_.second);
}

bool DetectorView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && frame()) {
        const auto& help = static_cast<const QHelpEvent&>(*event);
        const QString text = beyond().text();
        if (help.pos().x() > imageArea().right() && !text.isEmpty()) {
            QToolTip::showText(help.globalPos(), text, this);
            return true;
        }
    }
    return ToolCanvas::event(event);
}

void DetectorView::paintFigure(QCPPainter& painter, const QSize& size) const {
    paintAll(painter, size, printPalette(), figureResolution(painter));
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
