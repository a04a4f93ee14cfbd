#pragma once

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace ks::ui {

class BrushTool;
class FloodTool;
class ImageTool;

/// The settings of the tool in use: the brush size, or the flood tool's selection. Hidden for
/// tools without settings.
class ToolFields : public QWidget {
    Q_OBJECT
  public:
    /// The tools must outlive the fields.
    ToolFields(BrushTool* brush, FloodTool* flood, QWidget* parent = nullptr);

    /// Null: no tool.
    void showFor(const ImageTool* tool);
    QSpinBox* brushSize() const { return size_; }
    QComboBox* reach() const { return reach_; }
    /// For similar values: the offsets below and above; for a value range: its limits.
    QDoubleSpinBox* lower() const { return lower_; }
    QDoubleSpinBox* upper() const { return upper_; }

  signals:
    /// Select the whole range without a click on the image.
    void rangeAsked(double low, double high);

  private:
    void settingsToFields();
    void fieldsToSettings();

    BrushTool* brush_;
    FloodTool* flood_;
    QLabel *sizeText_, *lowerText_, *upperText_;
    QSpinBox* size_;
    QComboBox* reach_;
    QDoubleSpinBox *lower_, *upper_;
    QToolButton* take_;
};

}  // namespace ks::ui
