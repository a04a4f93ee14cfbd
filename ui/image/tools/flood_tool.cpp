#include "ui/image/tools/flood_tool.h"

#include <cmath>
#include <utility>

#include "core/data/regions/region_fill.h"

namespace ks::ui {

QString FloodTool::title() const {
    return settings_.reach == FloodSettings::Reach::similar ? tr("Flood fill") : tr("Value range");
}

QString FloodTool::hint() const {
    if (settings_.reach == FloodSettings::Reach::similar)
        return tr(
            "Click a pixel to select it and its neighbours with similar values; Ctrl: switch between add and "
            "remove");
    return tr(
        "Click to select all pixels of the frame whose values are in the range; Ctrl: switch between add and "
        "remove");
}

void FloodTool::setSettings(const FloodSettings& settings) {
    if (settings == settings_) return;
    settings_ = settings;
    emit settingsChanged();
}

void FloodTool::setFrame(std::shared_ptr<const Array> frame) {
    frame_ = std::move(frame);
    if (frame_ && frame_->rank() == 2)
        setImageSize(frame_->shape()[0], frame_->shape()[1]);
    else
        setImageSize(0, 0);
}

bool FloodTool::press(const ToolEvent& event) {
    if (event.button != Qt::LeftButton || !ready() || !frame_) return false;
    pressed_ = true;
    const double column = std::floor(event.image.x()), row = std::floor(event.image.y());
    const bool inside = column >= 0 && row >= 0 && column < static_cast<double>(imageWidth()) &&
                        row < static_cast<double>(imageHeight());
    if (!inside) return true;
    const bool add = addsWith(event.modifiers);
    if (settings_.reach == FloodSettings::Reach::range) {
        sink().applyFound([frame = frame_, low = settings_.low,
                           high = settings_.high] { return value_region(*frame, low, high); },
                          add, title());
        return true;
    }
    const auto x = static_cast<std::size_t>(column), y = static_cast<std::size_t>(row);
    const double value = visit_element(frame_->type(), [&]<class T>(T) {
        return static_cast<double>(frame_->as<T>()[y * imageWidth() + x]);
    });
    sink().applyFound([frame = frame_, x, y, low = value - settings_.below,
                       high = value + settings_.above] { return flood_region(*frame, x, y, low, high); },
                      add, title());
    return true;
}

bool FloodTool::release(const ToolEvent&) {
    return std::exchange(pressed_, false);
}

}  // namespace ks::ui
