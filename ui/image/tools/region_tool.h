#pragma once

#include <cstddef>
#include <functional>

#include <QPainterPath>

#include "core/data/regions/pixel_region.h"
#include "core/data/regions/region_shapes.h"
#include "ui/image/tools/image_tool.h"

namespace ks::ui {

/// What becomes of the pixels that a tool has chosen: the tools themselves know neither masks nor bins.
class RegionSink {
  public:
    virtual ~RegionSink() = default;
    /// What is applied until end() is one step with this name ("Brush").
    virtual void begin(const QString& name) = 0;
    /// Adds the pixels or takes them away; a step of its own where none was begun.
    virtual void apply(const PixelRegion& region, bool add, const QString& name) = 0;
    virtual void end() = 0;
    /// Takes back what was applied since begin().
    virtual void abandon() = 0;
    /// As apply, for a region that takes long to find: the sink may call `find` on another thread.
    virtual void applyFound(std::function<PixelRegion()> find, bool add, const QString& name) {
        apply(find(), add, name);
    }
};

/// A tool that chooses pixels for a RegionSink. Ctrl held at the first press turns adding into taking away,
/// and the other way round.
class RegionTool : public ImageTool {
    Q_OBJECT
  public:
    using ImageTool::ImageTool;

    /// Null: nothing is chosen. It must outlive its use here.
    void setSink(RegionSink* sink) { sink_ = sink; }
    /// Of the frame, in pixels; what is half drawn on a frame of another size is forgotten.
    void setImageSize(std::size_t height, std::size_t width);
    std::size_t imageHeight() const { return height_; }
    std::size_t imageWidth() const { return width_; }
    /// Whether pixels are added (the default) or taken away.
    void setAdding(bool adding);
    bool adding() const { return adding_; }

  protected:
    bool ready() const { return sink_ && height_ > 0 && width_ > 0; }
    RegionSink& sink() { return *sink_; }
    bool addsWith(Qt::KeyboardModifiers modifiers) const {
        return adding_ != modifiers.testFlag(Qt::ControlModifier);
    }
    /// A line that shows on dark and light ground; warm where pixels are taken away.
    static void haloPath(QPainter& painter, const QPainterPath& path, bool add, bool dashed = false);
    /// Beside `at` (widget), on the side where there is room.
    static void haloLabel(QPainter& painter, const QPointF& at, const QString& text, bool add);
    static ImagePoint pointOf(const QPointF& image) { return {image.x(), image.y()}; }

  private:
    RegionSink* sink_ = nullptr;
    std::size_t height_ = 0, width_ = 0;
    bool adding_ = true;
};

}  // namespace ks::ui
