#include "ui/clusters/modules/module_map.h"

#include <QMouseEvent>
#include <algorithm>
#include <cmath>

namespace ks::ui::clusters {
namespace {

constexpr double minLook = 16;

}  // namespace

ModuleMap::ModuleMap(QWidget* parent) : ViewportCanvas(parent) {
    setAccessibleName(tr("Pixels of the module"));
    setWhatsThis(
        tr("The pixels of the selected module. Scroll to zoom, drag to pan, Home to fit. Click a cluster to "
           "select its row in the table."));
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

void ModuleMap::setPointer(std::optional<QPoint> pixel) {
    if (pointer_ == pixel) return;
    pointer_ = pixel;
    update();
}

QRectF ModuleMap::seenPart() const {
    return turned(viewport_.visible());
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
    if (pixel == below_) return;
    below_ = pixel;
    if (pixel)
        emit hovered(*pixel);
    else
        emit hoverLeft();
}

void ModuleMap::hoverEnded() {
    if (below_) emit hoverLeft();
    below_.reset();
}

void ModuleMap::clickedAt(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton) return;
    if (const auto pixel = pixelAt(event.position())) emit clicked(*pixel);
}

void ModuleMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
    viewport_.setArea(areaOf(size(), fontMetrics()));
    picture_ = {};
    update();
}

std::string ModuleMap::csv() const {
    std::string text = "x,y,adc,row,label\n";
    if (!scene_.data) return text;
    for (const ModuleViewData::Digi& digi : scene_.data->digis)
        text += std::to_string(digi.x) + ',' + std::to_string(digi.y) + ',' + std::to_string(digi.adc) + ',' +
                std::to_string(digi.row) + ',' +
                (digi.label == ModuleViewData::unlabelled ? std::string() : std::to_string(digi.label)) +
                '\n';
    return text;
}

}  // namespace ks::ui::clusters
