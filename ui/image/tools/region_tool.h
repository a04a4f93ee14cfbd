#pragma once

#include <cstddef>
#include <functional>

#include <QPainterPath>

#include "core/data/regions/pixel_region.h"
#include "core/data/regions/region_shapes.h"
#include "ui/image/tools/image_tool.h"

namespace ks::ui {

/// Receives the pixels that a tool has selected; the tools themselves know neither masks nor bins.
class RegionSink {
  public:
    virtual ~RegionSink() = default;
    /// Everything applied until end() is one step with this name ("Brush").
    virtual void begin(const QString& name) = 0;
    /// Adds or removes the pixels; a separate step if none is open.
    virtual void apply(const PixelRegion& region, bool add, const QString& name) = 0;
    virtual void end() = 0;
    /// Reverts what was applied since begin().
    virtual void abandon() = 0;
    /// As apply(), for a region that takes long to find: the sink may call `find` on another thread.
    virtual void applyFound(std::function<PixelRegion()> find, bool add, const QString& name) {
        apply(find(), add, name);
    }
};

/// A tool that selects pixels for a RegionSink. Holding Ctrl at the first press swaps adding and removing.
class RegionTool : public ImageTool {
    Q_OBJECT
  public:
    using ImageTool::ImageTool;

    /// Null: selections are discarded. The sink must outlive its use here.
    void setSink(RegionSink* sink) { sink_ = sink; }
    /// Size of the frame in pixels; an unfinished shape on a frame of another size is discarded.
    void setImageSize(std::size_t height, std::size_t width);
    std::size_t imageHeight() const { return height_; }
    std::size_t imageWidth() const { return width_; }
    /// Whether pixels are added (the default) or removed.
    void setAdding(bool adding);
    bool adding() const { return adding_; }

  protected:
    bool ready() const { return sink_ && height_ > 0 && width_ > 0; }
    RegionSink& sink() { return *sink_; }
    bool addsWith(Qt::KeyboardModifiers modifiers) const {
        return adding_ != modifiers.testFlag(Qt::ControlModifier);
    }
    /// A line visible on dark and light ground; in a warm colour where pixels are removed.
    static void haloPath(QPainter& painter, const QPainterPath& path, bool add, bool dashed = false);
    /// Next to `at` (widget), on the side with more room.
    static void haloLabel(QPainter& painter, const QPointF& at, const QString& text, bool add);
    static ImagePoint pointOf(const QPointF& image) { return {image.x(), image.y()}; }

  private:
    RegionSink* sink_ = nullptr;
    std::size_t height_ = 0, width_ = 0;
    bool adding_ = true;
};

}  // namespace ks::ui
