#pragma once

#include <optional>

#include "ui/tools/tool_plot.h"
#include "ui/tune/parallel_lines.h"

class QMouseEvent;

namespace ks::ui::tune {

/// Configurations as lines through parallel axes, coloured by their ratio. Dragging along an axis selects
/// values there and hides the other lines, clicking it clears the selection; clicking a line picks it.
class ParallelPlot : public ToolPlot {
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
    void draw(QCustomPlot& plot, const QPalette& palette) const override;
    QString describe(const QPointF& at) const override;

    ParallelContent content_;
    std::optional<std::size_t> chosen_;  ///< marked if no line is under the cursor
    std::optional<Drag> drag_;
    ParallelLines* lines_;
};

}  // namespace ks::ui::tune
