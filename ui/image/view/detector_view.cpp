#include "ui/image/view/detector_view.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include <QAction>
#include <QEvent>

#include "core/base/error.h"
#include "core/data/frame_check.h"
#include "ui/base/palette.h"
#include "ui/image/view/row_threads.h"

namespace ks::ui {
namespace {

constexpr int limitsDelay = 300;  ///< ms after the last change of the mask
constexpr int aheadDelay = 200;   ///< ms after the last new picture
constexpr std::int32_t maxColours = 1 << 16;

/// The part of the rectangle that lies on the frame.
ks::PixelRect within(const ks::PixelRect& rect, std::size_t height, std::size_t width) {
    const std::int64_t left = std::max<std::int64_t>(rect.x, 0), top = std::max<std::int64_t>(rect.y, 0);
    const std::int64_t right = std::min(rect.x + rect.width, static_cast<std::int64_t>(width));
    const std::int64_t bottom = std::min(rect.y + rect.height, static_cast<std::int64_t>(height));
    return {left, top, std::max<std::int64_t>(right - left, 0), std::max<std::int64_t>(bottom - top, 0)};
}

}  // namespace

DetectorView::DetectorView(QWidget* parent)
    : QWidget(parent), emptyText_(tr("Drop an HDF5 file here or open the demo")) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Detector image"));
    setAccessibleDescription(tr("Plus and minus zoom, arrows pan, Home shows the whole image"));
    wanted_.percentile = scale_.percentile = 99.5;
    viewport_.setArea(imageArea());
    limitsLater_.setSingleShot(true);
    limitsLater_.setInterval(limitsDelay);
    connect(&limitsLater_, &QTimer::timeout, this, [this] {
        takeValues();
        rescale();
    });
    // The level below the frame costs the most; made while nothing happens, it is there when the wheel turns.
    levelsAhead_.setSingleShot(true);
    levelsAhead_.setInterval(aheadDelay);
    connect(&levelsAhead_, &QTimer::timeout, this, [this] {
        if (detail_.levels() > 1) detail_.level(1);
    });
    makeActions();
}

// A tool ends what is half done while there is still a view that shows it.
DetectorView::~DetectorView() {
    blockSignals(true);
    default_ = nullptr;
    setTool(nullptr);
}

void DetectorView::setFrame(std::shared_ptr<const ks::Array> frame) {
    const bool same = frame && frame_ && frame->shape() == frame_->shape();
    detail_.set(frame, same ? mask_ : nullptr);  // throws before anything has changed
    frame_ = std::move(frame);
    if (!same) {
        if (tool_) tool_->cancel();
        toolPressed_ = false;
        mask_.reset();
        labels_.reset();
        bins_.clear();
        labelsFresh_ = false;
        cursor_.reset();
        viewport_.setImage(
            QSizeF(static_cast<double>(detail_.width()), static_cast<double>(detail_.height())));
    }
    takeValues();
    redraw();
    rescale();
    fitArea();
    emit viewChanged();
    if (cursor_) hoverAt(*cursor_);
}

void DetectorView::setMask(std::shared_ptr<const std::vector<std::uint8_t>> ignore) {
    detail_.set(frame_, ignore);
    mask_ = std::move(ignore);
    takeValues();
    redraw();
    rescale();
    emit viewChanged();
}

void DetectorView::setMask(std::shared_ptr<const ks::PixelMask> mask) {
    if (!mask || mask->empty()) return setMask(nullptr);
    if (mask->height != detail_.height() || mask->width != detail_.width()) {
        throw Error(ErrorKind::run, "the mask is " + size_text(mask->height, mask->width) + ", the frame " +
                                        size_text(detail_.height(), detail_.width()));
    }
    const auto* ignore = &mask->ignore;
    setMask(std::shared_ptr<const std::vector<std::uint8_t>>(std::move(mask), ignore));
}

void DetectorView::maskChanged(const ks::PixelRect& where) {
    if (!mask_) return;
    detail_.maskChanged(where);
    redraw(where, true);
    limitsLater_.start();
}

void DetectorView::setLabels(std::shared_ptr<const std::vector<std::int32_t>> labels) {
    if (labels && labels->size() != detail_.height() * detail_.width()) {
        throw Error(ErrorKind::run, "there are " + std::to_string(labels->size()) + " labels, the frame is " +
                                        size_text(detail_.height(), detail_.width()));
    }
    labels_ = std::move(labels);
    maxLabel_ = 0;
    growBins({0, 0, static_cast<std::int64_t>(detail_.width()), static_cast<std::int64_t>(detail_.height())});
    bins_.clear();
    labelsFresh_ = false;
    recolour();
    emit viewChanged();
}

void DetectorView::setLabels(std::shared_ptr<const ks::QPartition> labels) {
    if (!labels) return setLabels(nullptr);
    if (labels->height() != detail_.height() || labels->width() != detail_.width()) {
        throw Error(ErrorKind::run, "the labels are " + size_text(labels->height(), labels->width()) +
                                        ", the frame " + size_text(detail_.height(), detail_.width()));
    }
    const auto* values = &labels->labels();
    setLabels(std::shared_ptr<const std::vector<std::int32_t>>(std::move(labels), values));
}

void DetectorView::labelsChanged(const ks::PixelRect& where) {
    if (!labels_) return;
    growBins(where);
    redraw(where, false);
}

void DetectorView::growBins(const ks::PixelRect& where) {
    if (!labels_) return;
    const ks::PixelRect part = within(where, detail_.height(), detail_.width());
    std::int32_t maximum = maxLabel_;
    std::mutex mutex;
    inParts(static_cast<std::size_t>(part.height), 256, [&](std::size_t first, std::size_t end) {
        std::int32_t found = 0;
        for (std::size_t r = first; r < end; ++r) {
            const std::int32_t* row =
                labels_->data() + (static_cast<std::size_t>(part.y) + r) * detail_.width() + part.x;
            for (std::int64_t x = 0; x < part.width; ++x) found = std::max(found, row[x]);
        }
        const std::lock_guard lock(mutex);
        maximum = std::max(maximum, found);
    });
    maximum = std::min(maximum, maxColours);
    if (maximum == maxLabel_) return;
    maxLabel_ = maximum;
    bins_.clear();
}

std::vector<QRgb> DetectorView::binColours(const QPalette& palette) const {
    std::vector<QRgb> bins;
    if (!labels_ || opacity_ <= 0) return bins;
    bins.resize(static_cast<std::size_t>(maxLabel_) + 1, 0);
    for (std::size_t b = 1; b < bins.size(); ++b) {
        const bool shown = b - 1 >= visibleBins_.size() || visibleBins_[b - 1];
        if (shown) bins[b] = binColour(static_cast<int>(b), isDark(palette)).rgb();
    }
    return bins;
}

void DetectorView::setVisibleBins(std::vector<bool> visible) {
    visibleBins_ = std::move(visible);
    bins_.clear();
    recolour();
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
    const bool other = map.name() != colours_.name();
    colours_ = map;
    recolour();
    if (other) emit colourMapChanged(colours_);
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
    if (reduction == detail_.reduction()) return;
    detail_.setReduction(reduction);
    redraw();
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
    opacity_ = std::clamp(opacity, 0.0, 1.0);
    bins_.clear();
    recolour();
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
    values_ = detail_.sample();
    fitted_.reset();
    // The level that the next picture needs anyway: it tells the largest value, which a sample may miss.
    const std::size_t needed = detail_.levelFor(gridOf(viewport_, devicePixelRatioF()).step);
    if (frame_ && needed > 0) detail_.level(needed);
    emit valuesChanged();
}

void DetectorView::rescale() {
    ColourScale fitted = wanted_;
    if (wanted_.automatic && fitted_ == wanted_.percentile) {
        fitted.low = scale_.low;
        fitted.high = scale_.high;
    } else {
        fitted = wanted_.fitted(wanted_.automatic ? values_ : std::vector<double>{});
        fitted_ = wanted_.automatic ? std::optional(wanted_.percentile) : std::nullopt;
    }
    if (fitted == scale_) return;
    scale_ = fitted;
    recolour();
    fitArea();  // the scale's texts may be longer
    emit colourScaleChanged(scale_);
}

void DetectorView::fitArea() {
    const QRectF area = imageArea();
    if (area == viewport_.area()) return;
    viewport_.setArea(area);
    redraw();
}

void DetectorView::redraw() {
    cellsFresh_ = false;
    recolour();
}

void DetectorView::recolour() {
    pictureFresh_ = false;
    update();
}

void DetectorView::viewMoved() {
    redraw();
    emit viewChanged();
}

void DetectorView::fit() {
    viewport_.fit();
    viewMoved();
}

void DetectorView::zoomBy(double factor, const QPointF& anchor) {
    if (!frame_) return;
    viewport_.zoomBy(factor, anchor);
    viewMoved();
}

void DetectorView::showPart(const QRectF& image) {
    if (!frame_) return;
    viewport_.show(image);
    viewMoved();
}

QString DetectorView::valueText(int column, int row) const {
    if (!frame_ || column < 0 || row < 0) return {};
    const auto c = static_cast<std::size_t>(column), r = static_cast<std::size_t>(row);
    if (c >= detail_.width() || r >= detail_.height()) return {};
    // Integers by their digits, also those beyond 2^53.
    const QString text = visit_element(frame_->type(), [&]<class T>(T) {
        const T value = frame_->as<T>()[r * detail_.width() + c];
        if constexpr (!std::is_floating_point_v<T>)
            return QString::number(value);
        else if (std::isnan(value))
            return QStringLiteral("NaN");
        else
            return formatNumber(static_cast<double>(value), sizeof(T) == 4 ? 7 : 10);
    });
    if (detail_.masked(r, c)) return tr("masked (%1)").arg(text);
    return detail_.valid(r, c) || text == QLatin1String("NaN") ? text : tr("invalid (%1)").arg(text);
}

std::string DetectorView::csv() const {
    std::string text;
    for (std::size_t row = 0; row < detail_.height(); ++row) {
        for (std::size_t column = 0; column < detail_.width(); ++column) {
            if (column) text += ',';
            text += visit_element(frame_->type(), [&]<class T>(T) {
                const T value = frame_->as<T>()[row * detail_.width() + column];
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
        bins_.clear();
        recolour();
        fitArea();
    }
}

}  // namespace ks::ui
