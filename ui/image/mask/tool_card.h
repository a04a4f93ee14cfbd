#pragma once

#include "ui/image/view/floating_card.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace ks::ui {

class BrushTool;
class FloodTool;
class ImageTool;

/// Options of the mask tool in use, at the upper left of the picture: the brush size or the flood tool's
/// selection, the drawing target, the threshold of hot pixels, and the number of selected pixels. Hidden
/// without a tool.
class ToolCard : public FloatingCard {
    Q_OBJECT
  public:
    /// The tools must outlive the card.
    ToolCard(BrushTool* brush, FloodTool* flood, QWidget* parent = nullptr);

    /// Null: no tool.
    void showFor(const ImageTool* tool);

    QSpinBox* brushSize() const { return size_; }
    QComboBox* reach() const { return reach_; }
    /// For similar values: the offsets below and above; for a value range: its limits.
    QDoubleSpinBox* lower() const { return lower_; }
    QDoubleSpinBox* upper() const { return upper_; }
    QComboBox* targets() const { return targets_; }
    QDoubleSpinBox* sigma() const { return sigma_; }
    void setCount(const QString& text);

  signals:
    /// Select the whole range without a click on the image.
    void rangeAsked(double low, double high);

  private:
    QWidget* makeFields();
    void settingsToFields();
    void fieldsToSettings();
    void fitNow();

    BrushTool* brush_;
    FloodTool* flood_;
    QLabel *sizeText_, *lowerText_, *upperText_;
    QSpinBox* size_;
    QComboBox* reach_;
    QDoubleSpinBox *lower_, *upper_;
    QToolButton* take_;
    QWidget* fields_;  ///< all of these
    QComboBox* targets_;
    QDoubleSpinBox* sigma_;
    QLabel* count_;
};

}  // namespace ks::ui
