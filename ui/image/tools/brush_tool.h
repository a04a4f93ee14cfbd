#pragma once

#include <optional>

#include "ui/image/tools/region_tool.h"

namespace ks::ui {

/// Paints with a round tip. A press paints at once; a stroke is one step.
class BrushTool : public RegionTool {
    Q_OBJECT
  public:
    static constexpr int largest = 1000;

    explicit BrushTool(QObject* parent = nullptr) : RegionTool(parent) {}

    QString title() const override { return tr("Brush"); }
    QString hint() const override;

    /// Diameter in pixels of the image, 1 to `largest`.
    int size() const { return size_; }
    void setSize(int pixels);

    bool press(const ToolEvent& event) override;
    bool move(const ToolEvent& event) override;
    bool release(const ToolEvent& event) override;
    bool keyPress(QKeyEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter, const QTransform& imageToWidget) const override;
    /// The cursor is no longer above the image.
    void hideTip();

  signals:
    void sizeChanged(int pixels);

  private:
    void paintTo(const QPointF& image);

    int size_ = 8;
    std::optional<QPointF> last_;  ///< where the stroke is; none: no stroke
    std::optional<QPointF> tip_;   ///< where the cursor is
    bool add_ = true;              ///< of the stroke
    bool inverse_ = false;         ///< Ctrl is held: the tip shows what a press would do
};

}  // namespace ks::ui
