#include "ui/particles/plane_maps.h"

#include <QEvent>
#include <charconv>
#include <utility>

namespace ks::ui::particles {
namespace {

const std::vector<Plane> everyPlane(allPlanes.begin(), allPlanes.end());

}  // namespace

PlaneMaps::PlaneMaps(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Maps of the planes xy, xz and yz"));
    setWhatsThis(tr(
        "The sum on three planes. The wheel zooms and dragging moves all of them; drag the line of a plane "
        "to move it; a click picks the point of the profiles."));
    setToolTip(
        tr("Click a map for profiles through that point; Shift and an arrow key move it by one target, "
           "page up and down take it to another plane. Arrows pan, + and \u2212 zoom, Home shows all"));
}

void PlaneMaps::setPicture(std::shared_ptr<const MapPicture> picture) {
    picture_ = std::move(picture);
    news_ = picture_ != nullptr;
    arrange();
}

void PlaneMaps::setGrid(const ks::particles::PlaneGrid& grid) {
    grid_ = grid;
    view_.setWhole(grid.low, grid.high);
    arrange();
}

void PlaneMaps::setSources(std::shared_ptr<const SourceSet> sources, double fade) {
    if (sources != sources_) {
        sources_ = std::move(sources);
        dots_ = sources_ ? sourceDots(*sources_, maxDots) : std::vector<SourceDot>();
    }
    fade_ = fade;
    changed();
}

void PlaneMaps::setSourcesVisible(bool visible) {
    dotsVisible_ = visible;
    changed();
}

void PlaneMaps::setPicked(std::optional<PlanePosition> picked) {
    picked_ = std::move(picked);
    update();
}

void PlaneMaps::setEmptyText(const QString& text) {
    emptyText_ = text;
    changed();
}

void PlaneMaps::changed() {
    still_ = {};
    update();
}

void PlaneMaps::arrange() {
    layout_ = layoutFor(size(), font(), everyPlane);
    changed();
}

PicturePlace PlaneMaps::place() const {
    QRectF all;
    for (const QRectF& one : layout_.areas) all |= one;
    return {layout_.room, picture_ ? all : QRectF()};
}

double PlaneMaps::offset(Plane plane) const {
    return plane == Plane::xy ? grid_.z_of_xy : plane == Plane::xz ? grid_.y_of_xz : grid_.x_of_yz;
}

void PlaneMaps::setOffset(Plane plane, double at) {
    (plane == Plane::xy ? grid_.z_of_xy : plane == Plane::xz ? grid_.y_of_xz : grid_.x_of_yz) = at;
}

Place PlaneMaps::placeOf(const PlanePosition& position) const {
    const PlaneAxes axes = axesOf(position.plane);
    Place place{};
    place[static_cast<std::size_t>(axes.first)] = position.at.x();
    place[static_cast<std::size_t>(axes.second)] = position.at.y();
    place[static_cast<std::size_t>(axes.normal)] = offset(position.plane);
    return place;
}

QPointF PlaneMaps::toWidget(const PlanePosition& position) const {
    return view_.toScreen(position.plane, area(position.plane), position.at);
}

std::optional<PlanePosition> PlaneMaps::positionAt(const QPointF& widget) const {
    for (const Plane plane : allPlanes)
        if (area(plane).contains(widget))
            return PlanePosition{plane, view_.toPlane(plane, area(plane), widget)};
    return std::nullopt;
}

void PlaneMaps::fit() {
    view_.fit();
    changed();
}

void PlaneMaps::resizeEvent(QResizeEvent*) {
    arrange();
}

void PlaneMaps::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) arrange();
}

std::string PlaneMaps::csv() const {
    return csv(everyPlane);
}

std::string PlaneMaps::csv(const std::vector<Plane>& planes) const {
    std::string text = "plane,i,j,x,y,z,value\n";
    if (!picture_) return text;
    const auto number = [&text](double value) {
        char digits[32];
        text += ',';
        text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    };
    for (const Plane plane : planes) {
        const std::string name = nameOf(plane).toStdString();
        const PlaneAxes axes = axesOf(plane);
        for (std::size_t i = 0; i < picture_->grid.side; ++i)
            for (std::size_t j = 0; j < picture_->grid.side; ++j) {
                Place place{};
                place[static_cast<std::size_t>(axes.first)] = picture_->grid.at(i);
                place[static_cast<std::size_t>(axes.second)] = picture_->grid.at(j);
                place[static_cast<std::size_t>(axes.normal)] = picture_->field->offset(plane);
                text += name + ',' + std::to_string(i) + ',' + std::to_string(j);
                for (const double coordinate : place) number(coordinate);
                number(double{picture_->value({plane, i, j})});
                text += '\n';
            }
    }
    return text;
}

}  // namespace ks::ui::particles
