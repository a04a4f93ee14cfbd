#include "ui/image/detector_view.h"

#include <algorithm>
#include <cmath>

#include <QEvent>

#include "core/run/error.h"
#include "ui/plots/palette.h"

namespace ks::ui {
namespace {

std::string sizeText(std::size_t height, std::size_t width) {
    return std::to_string(height) + " x " + std::to_string(width);
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
}

DetectorView::~DetectorView() = default;

void DetectorView::setFrame(std::shared_ptr<const ks::Array> frame) {
    const bool same = frame && frame_ && frame->shape() == frame_->shape();
    LevelOfDetail detail(frame, same ? mask_ : nullptr);  // throws before anything has changed
    frame_ = std::move(frame);
    detail_ = std::move(detail);
    if (!same) {
        if (tool_) tool_->cancel();
        toolPressed_ = false;
        mask_.reset();
        labels_.reset();
        cursor_.reset();
        viewport_.setImage(
            QSizeF(static_cast<double>(detail_.width()), static_cast<double>(detail_.height())));
    }
    rescale();
    viewport_.setArea(imageArea());
    viewMoved();
    if (cursor_) hoverAt(*cursor_);
}

void DetectorView::setMask(std::shared_ptr<const std::vector<std::uint8_t>> ignore) {
    detail_ = LevelOfDetail(frame_, ignore);
    mask_ = std::move(ignore);
    rescale();
    viewMoved();
}

void DetectorView::setMask(std::shared_ptr<const ks::PixelMask> mask) {
    if (!mask || mask->empty()) return setMask(nullptr);
    if (mask->height != detail_.height() || mask->width != detail_.width()) {
        throw Error(ErrorKind::run, "the mask is " + sizeText(mask->height, mask->width) + ", the frame " +
                                        sizeText(detail_.height(), detail_.width()));
    }
    const auto* ignore = &mask->ignore;
    setMask(std::shared_ptr<const std::vector<std::uint8_t>>(std::move(mask), ignore));
}

void DetectorView::maskChanged(const ks::PixelRect&) {
    setMask(mask_);
}

void DetectorView::setLabels(std::shared_ptr<const std::vector<std::int32_t>> labels) {
    if (labels && labels->size() != detail_.height() * detail_.width()) {
        throw Error(ErrorKind::run, "there are " + std::to_string(labels->size()) + " labels, the frame is " +
                                        sizeText(detail_.height(), detail_.width()));
    }
    labels_ = std::move(labels);
    viewMoved();
}

void DetectorView::setLabels(std::shared_ptr<const ks::QPartition> labels) {
    if (!labels) return setLabels(nullptr);
    if (labels->height() != detail_.height() || labels->width() != detail_.width()) {
        throw Error(ErrorKind::run, "the labels are " + sizeText(labels->height(), labels->width()) +
                                        ", the frame " + sizeText(detail_.height(), detail_.width()));
    }
    const auto* values = &labels->labels();
    setLabels(std::shared_ptr<const std::vector<std::int32_t>>(std::move(labels), values));
}

void DetectorView::labelsChanged(const ks::PixelRect&) {
    viewMoved();
}

void DetectorView::setVisibleBins(std::vector<bool> visible) {
    visibleBins_ = std::move(visible);
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
    colours_ = map;
    viewMoved();
}

void DetectorView::setColourScale(const ColourScale& scale) {
    wanted_ = scale;
    rescale();
    viewport_.setArea(imageArea());
    viewMoved();
}

void DetectorView::setValueTitle(const QString& title) {
    valueTitle_ = title;
    viewport_.setArea(imageArea());
    viewMoved();
}

void DetectorView::setOverlayOpacity(double opacity) {
    opacity_ = std::clamp(opacity, 0.0, 1.0);
    viewMoved();
}

void DetectorView::setRingsVisible(bool visible) {
    ringsVisible_ = visible;
    update();
}

void DetectorView::setEmptyText(const QString& text) {
    emptyText_ = text;
    update();
}

void DetectorView::rescale() {
    const ColourScale fitted = wanted_.fitted(wanted_.automatic ? detail_.sample() : std::vector<double>{});
    if (fitted == scale_) return;
    scale_ = fitted;
    emit colourScaleChanged(scale_);
}

void DetectorView::viewMoved() {
    cache_ = {};
    update();
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
        viewport_.setArea(imageArea());
        cache_ = {};
        update();
    }
}

}  // namespace ks::ui
