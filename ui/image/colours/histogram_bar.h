#pragma once

#include <limits>
#include <optional>
#include <vector>

#include <QWidget>

#include "ui/base/colour_map.h"

namespace ks::ui {

/// Small histogram of a frame's values (logarithmic counts) with the colours below it and a handle at each
/// limit of the colour scale. Handles are dragged or moved with the keys: Left and Right move the chosen one
/// by a pixel, Page Up and Page Down by ten, Up and Down choose the upper or the lower one. The value axis is
/// linear for the linear scale and an asinh axis for all others.
class HistogramBar : public QWidget {
    Q_OBJECT
  public:
    explicit HistogramBar(QWidget* parent = nullptr);

    /// @param largest largest value of the whole frame, where `values` is a sample; NaN: unknown. The axis
    /// extends to it.
    void setValues(std::vector<double> values, double largest = std::numeric_limits<double>::quiet_NaN());
    /// Moves the handles without emitting a signal.
    void setColourScale(const ColourScale& scale);
    void setColourMap(const ColourMap& map);

    enum class Handle { low, high };
    double limit(Handle handle) const { return handle == Handle::low ? scale_.low : scale_.high; }
    Handle chosen() const { return chosen_; }
    /// x of a value, in pixels of the widget.
    double positionOf(double value) const;
    double valueAt(double x) const;

    QSize sizeHint() const override { return {200, 68}; }
    QSize minimumSizeHint() const override { return {120, 52}; }

  signals:
    void limitsEdited(double low, double high);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    /// Values at the left and right border, and the unit of the asinh.
    struct Axis {
        double first = 0, last = 1, unit = 1;
        bool linear = true;
        double place(double value) const;  ///< 0 to 1 along the axis
        double value(double place) const;
    };
    Axis axis() const;
    void count();
    void choose(Handle handle);
    void moveTo(double x);
    std::optional<Handle> near(double x) const;
    void tellName();
    QRectF plot() const;

    std::vector<double> values_;
    double min_ = 0, max_ = 1, minUsual_ = 0, maxUsual_ = 1;
    ColourScale scale_;
    ColourMap colours_;
    Axis dragAxis_;
    std::optional<double>
        dragged_;  ///< offset of the grab point from the handle's middle, while it is dragged
    Handle chosen_ = Handle::high;
    std::vector<int> counts_;
    bool stale_ = true;
};

}  // namespace ks::ui
