#pragma once

#include "ui/image/view/floating_card.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;

namespace ks::ui {

class BrushTool;
class FloodTool;
class ImageTool;
class ToolFields;

/// Options of the mask tool in use, at the upper left of the picture: the tool's settings, the drawing
/// target, the threshold of hot pixels, and the number of selected pixels. Hidden without a tool.
class ToolCard : public FloatingCard {
    Q_OBJECT
  public:
    /// The tools must outlive the card.
    ToolCard(BrushTool* brush, FloodTool* flood, QWidget* parent = nullptr);

    /// Null: no tool.
    void showFor(const ImageTool* tool);
    ToolFields* fields() const { return fields_; }
    QComboBox* targets() const { return targets_; }
    QDoubleSpinBox* sigma() const { return sigma_; }
    void setCount(const QString& text);

  private:
    void fitNow();

    ToolFields* fields_;
    QComboBox* targets_;
    QDoubleSpinBox* sigma_;
    QLabel* count_;
};

}  // namespace ks::ui
