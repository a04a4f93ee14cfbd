#include "ui/image/tools/edge_tool.h"

#include <QPainter>

#include "ui/base/palette.h"

namespace ks::ui {

void EdgeTool::setRecipe(std::optional<PartitionRecipe> recipe) {
    recipe_ = std::move(recipe);
    if (held_) return;  // the drag continues with these edges
    near_.reset();
    emit changed();
}

bool EdgeTool::press(const ToolEvent& event) {
    if (event.button != Qt::LeftButton || !recipe_) return false;
    held_ = edge_near(*recipe_, event.image.x(), event.image.y(), reach / event.zoom);
    if (!held_) return false;
    before_ = *recipe_;
    return true;
}

bool EdgeTool::move(const ToolEvent& event) {
    if (!recipe_) return false;
    if (!held_) {
        const auto found = edge_near(*recipe_, event.image.x(), event.image.y(), reach / event.zoom);
        if (found != near_) {
            near_ = found;
            emit changed();
        }
        return false;
    }
    PartitionRecipe moved = *recipe_;
    move_edge(moved, *held_, event.image.x(), event.image.y());
    if (moved == *recipe_) return true;
    recipe_ = moved;
    emit changed();
    emit dragged(moved, false);
    return true;
}

bool EdgeTool::release(const ToolEvent& event) {
    if (!held_ || event.button != Qt::LeftButton) return false;
    held_.reset();
    emit changed();
    if (recipe_ && *recipe_ != before_) emit dragged(*recipe_, true);
    return true;
}

void EdgeTool::cancel() {
    if (!held_) return;
    held_.reset();
    recipe_ = before_;
    emit changed();
    emit dragged(before_, true);
}

void EdgeTool::paint(QPainter& painter, const QTransform& imageToWidget) const {
    const auto edge = held_ ? held_ : near_;
    if (!edge || !recipe_) return;
    const std::vector<double> all = edges(*recipe_);
    if (*edge >= all.size()) return;
    const double value = all[*edge];
    const Geometry& g = recipe_->geometry;
    const RingAxes ring = recipe_->in_q ? g.ring_of_q(value).value_or(RingAxes()) : RingAxes{value, value};
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const QPointF centre = imageToWidget.map(QPointF(g.beam_x, g.beam_y));
    const RingAxes axes{ring.x * imageToWidget.m11(), ring.y * imageToWidget.m22()};
    painter.setPen(QPen(QColor(0, 0, 0, 140), 4.5));
    painter.drawEllipse(centre, axes.x, axes.y);
    painter.setPen(QPen(Qt::white, 2.2));
    painter.drawEllipse(centre, axes.x, axes.y);
    if (!held_) return;
    const QString text = recipe_->in_q ? tr("q %1 1/\u00c5").arg(formatNumber(value, 4))
                                       : tr("r %1 px").arg(formatNumber(value, 4));
    const QPointF at = centre + QPointF(axes.x * 0.7071 + 8, -axes.y * 0.7071);
    painter.setPen(Qt::black);
    painter.drawText(at + QPointF(1, 1), text);
    painter.setPen(Qt::white);
    painter.drawText(at, text);
}

}  // namespace ks::ui
