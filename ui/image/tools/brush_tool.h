#pragma once

#include <optional>

#include "ui/image/tools/region_tool.h"

namespace ks::ui {

/// Paints with a round tip, starting at the press. A stroke is one step.
class BrushTool : public RegionTool {
    Q_OBJECT
  public:
    static constexpr int largest = 1000;

    explicit BrushTool(QObject* parent = nullptr) : RegionTool(parent) {}

    QString title() const override { return tr("Brush"); }
    QString hint() const override;

    /// Diameter in image pixels, 1 to `largest`.
    int size() const { return size_; }
    void setSize(int pixels);

    bool press(const ToolEvent& event) override;
    bool move(const ToolEvent& event) override;
    bool release(const ToolEvent& event) override;
    bool keyPress(QKeyEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter, const QTransform& imageToWidget) const override;
    /// The cursor has left the image.
    void hideTip();

  signals:
    void sizeChanged(int pixels);

  private:
    void paintTo(const QPointF& image);

    int size_ = 8;
    std::optional<QPointF> last_;  ///< end of the stroke; none: no stroke
    std::optional<QPointF> tip_;   ///< cursor position
    bool add_ = true;              ///< of the stroke
    bool inverse_ = false;         ///< Ctrl is held: the tip previews the effect of a press
};

}  // namespace ks::ui
