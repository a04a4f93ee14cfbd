#pragma once

#include <QPalette>
#include <optional>
#include <vector>

#include "ui/plots/plot_widget.h"
#include "ui/tune/configurations.h"
#include "ui/tune/ratio_scale.h"

class QMouseEvent;

namespace ks::ui::tune {

/// The user's selection on an axis, as positions from 0, its lower end, to 1.
struct Brush {
    double low = 0, high = 1;
};

/// Input of ParallelLines.
struct ParallelContent {
    SharedConfigurations all = std::make_shared<const Configurations>();
    std::vector<std::optional<Brush>> brushes = {};  ///< by axis, the ratio last
    std::vector<bool> left = {};                     ///< rows that pass the brushes
    std::optional<std::size_t> marked = {};          ///< row under the cursor, or selected in the table
};

/// Parallel axes, one per define and a last one for the ratio, with one line per configuration. Lines with
/// the same value are spread around its position, the fastest lowest; a single one passes through it. Above
/// the ratios are positions for failed and for wrong configurations.
class ParallelLines : public PlotMarks {
    Q_OBJECT
  public:
    explicit ParallelLines(QCustomPlot* plot);

    void present(const ParallelContent& content, const QPalette& palette);
    /// Axes including the ratio.
    std::size_t axes() const { return content_.all->axes.size() + 1; }
    double axisX(std::size_t axis) const;
    /// In pixels, for a position from 0 to 1.
    double yOf(double place) const;
    double placeAt(double y) const;
    /// Position of a row on an axis, without spreading.
    double place(std::size_t row, std::size_t axis) const;
    /// Where its line crosses the axis, in pixels.
    QPointF pointAt(std::size_t row, std::size_t axis) const;
    /// The row with the nearest line, within a few pixels.
    std::optional<std::size_t> rowAt(const QPointF& at) const;
    /// The axis at a point, within a few pixels on either side.
    std::optional<std::size_t> axisAt(const QPointF& at) const;
    /// Whether a row is within the user's selection on an axis.
    bool isWithin(std::size_t row, std::size_t axis, const Brush& brush) const;

  protected:
    void draw(QCPPainter* painter) override;

  private:
    QRectF area() const;
    double ratioShare() const;  ///< of the last axis
    double ratioPlace(double ratio) const;
    double outcomePlace(Outcome outcome) const;
    void spreadRows();
    void drawAxis(QCPPainter& painter, std::size_t axis) const;
    void drawValues(QCPPainter& painter, std::size_t axis) const;
    void drawRatios(QCPPainter& painter) const;
    void drawLabel(QCPPainter& painter, const QRectF& place, const QString& text, bool strong) const;
    void drawRow(QCPPainter& painter, std::size_t row) const;
    std::vector<std::size_t> drawingOrder() const;

    ParallelContent content_;
    RatioScale scale_;
    QPalette palette_;
    std::vector<std::size_t> fastest_;         ///< rows, the fastest first
    std::vector<std::vector<double>> spread_;  ///< by axis and row, among the rows of its value: -0.5 to 0.5
    std::vector<Outcome> untimed_;             ///< that have a position above the ratios
};

/// Configurations as lines through parallel axes, coloured by their ratio. Dragging along an axis selects
/// values there and hides the other lines, clicking it clears the selection; clicking a line picks it.
class ParallelPlot : public PlotWidget {
    Q_OBJECT
  public:
    explicit ParallelPlot(QWidget* parent = nullptr);

    /// Selections are kept if the axes are the same.
    void setConfigurations(SharedConfigurations all);
    /// Marks a row; nothing: none.
    void mark(std::optional<std::size_t> row);
    std::optional<std::size_t> marked() const { return chosen_; }
    void clearBrushes();
    bool brushed() const;
    /// Whether a row passes the brushes.
    bool isLeft(std::size_t row) const;
    const ParallelLines& lines() const { return *lines_; }
    /// "WG=64 ITEMS=2: 0.81 x the default's time, 80 us against 99 us".
    QString describe(std::size_t row) const;

    std::string csv() const override;
    QSize figureSize() const override { return {800, 420}; }
    QString figureName() const override { return QStringLiteral("configurations"); }
    QSize sizeHint() const override { return {480, 300}; }
    QSize minimumSizeHint() const override { return {240, 140}; }

  signals:
    /// The set of rows that pass has changed.
    void brushesChanged();
    void picked(std::size_t row);

  private:
    struct Drag {
        std::size_t axis;
        double from;  ///< position
        bool moved = false;
    };
    void pressed(const QMouseEvent& event);
    void moved(const QMouseEvent& event);
    void released(const QMouseEvent& event);
    void chooseLeft();
    bool isEmpty() const override { return content_.all->rows.empty(); }
    void draw(QCustomPlot& plot, const QPalette& palette) const override;
    QString describe(const QPointF& at) const override;

    ParallelContent content_;
    std::optional<std::size_t> chosen_;  ///< marked if no line is under the cursor
    std::optional<Drag> drag_;
    ParallelLines* lines_;
};

}  // namespace ks::ui::tune
