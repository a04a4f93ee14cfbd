#include "ui/image/view/detector_view.h"

#include <algorithm>
#include <cmath>

#include <QAction>
#include <QEvent>

#include "core/base/error.h"
#include "core/data/frame_check.h"
#include "ui/base/palette.h"

namespace ks::ui {
namespace {

constexpr int limitsDelay = 300;  ///< ms after the last change of the mask
constexpr int aheadDelay = 200;   ///< ms after the last new picture

}  // namespace

DetectorView::DetectorView(QWidget* parent)
    : ViewportCanvas(parent), emptyText_(tr("Drop an HDF5 file here or open the demo")) {
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
}

// A tool cancels what is unfinished while the view still exists.
DetectorView::~DetectorView() {
    blockSignals(true);
    default_ = nullptr;
    setTool(nullptr);
}

void DetectorView::setFrame(std::shared_ptr<const ks::Array> frame) {
    const std::shared_ptr<const ks::Array> before = renderer_.frame();
    renderer_.setFrame(std::move(frame));  // throws before anything is changed
    if (!before || !renderer_.frame() || before->shape() != renderer_.frame()->shape()) {
        if (tool_) tool_->cancel();
        toolPressed_ = false;
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

void DetectorView::setMask(std::shared_ptr<const ks::PixelMask> mask) {
    if (!mask || mask->empty()) return setMask(nullptr);
    if (mask->height != renderer_.detail().height() || mask->width != renderer_.detail().width()) {
        throw Error(ErrorKind::run, "the mask is " + size_text(mask->height, mask->width) + ", the frame " +
                                        size_text(renderer_.detail().height(), renderer_.detail().width()));
    }
    const auto* ignore = &mask->ignore;
    setMask(std::shared_ptr<const std::vector<std::uint8_t>>(std::move(mask), ignore));
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
    update();
    emit viewChanged();
}

void DetectorView::setLabels(std::shared_ptr<const ks::QPartition> labels) {
    if (!labels) return setLabels(nullptr);
    if (labels->height() != renderer_.detail().height() || labels->width() != renderer_.detail().width()) {
        throw Error(ErrorKind::run, "the labels are " + size_text(labels->height(), labels->width()) +
                                        ", the frame " +
                                        size_text(renderer_.detail().height(), renderer_.detail().width()));
    }
    const auto* values = &labels->labels();
    setLabels(std::shared_ptr<const std::vector<std::int32_t>>(std::move(labels), values));
}

void DetectorView::labelsChanged(const ks::PixelRect& where) {
    updatePart(renderer_.labelsChanged(where));
}

void DetectorView::setVisibleBins(std::vector<bool> visible) {
    renderer_.setVisibleBins(std::move(visible));
    update();
    emit viewChanged();
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
    scaleBarVisible_ = visible;
    scaleBarAction_->setChecked(visible);
    update();
}

void DetectorView::setQScale(double qPerPixel) {
    qPerPixel_ = qPerPixel;
    update();
}

void DetectorView::setOverlayOpacity(double opacity) {
    renderer_.setOpacity(opacity);
    update();
    emit viewChanged();
}

void DetectorView::setRingsVisible(bool visible) {
    ringsVisible_ = visible;
    update();
}

void DetectorView::setEmptyText(const QString& text) {
    emptyText_ = text;
    update();
}

void DetectorView::takeValues() {
    limitsLater_.stop();
    values_ = renderer_.detail().sample();
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

void DetectorView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        renderer_.setPalette(palette());
        update();
        fitArea();
    }
}

}  // namespace ks::ui
