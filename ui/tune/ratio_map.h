#pragma once

#include <QComboBox>
#include <QPalette>
#include <optional>
#include <utility>
#include <vector>

#include "ui/plots/plot_widget.h"
#include "ui/tune/configurations.h"
#include "ui/tune/ratio_scale.h"

namespace ks::ui::tune {

/// All configurations with the same values of two defines.
struct RatioCell {
    std::size_t tried = 0, failed = 0, wrong = 0;
    std::optional<std::size_t> best = {};  ///< row of the smallest ratio; nothing: none was timed
    bool holdsDefault = false;             ///< the default, which is not a row, is one of them

    /// The smallest ratio, including the default's; nothing: none was timed.
    std::optional<double> ratio(const Configurations& all) const;
};

/// [value of y][value of x]
struct RatioGrid {
    std::size_t x = 0, y = 0;  ///< axes
    std::size_t columns = 0, rows = 0;
    std::vector<RatioCell> cells = {};

    const RatioCell& at(std::size_t row, std::size_t column) const { return cells[row * columns + column]; }
};
RatioGrid gridOf(const Configurations& all, std::size_t x, std::size_t y);

/// The best ratio for each pair of values of two defines as a coloured cell with its number. A cell in which
/// nothing could be timed is hatched: it has no place on the colour scale.
class RatioCells : public PlotMarks {
    Q_OBJECT
  public:
    explicit RatioCells(QCustomPlot* plot);

    void present(SharedConfigurations all, RatioGrid grid, const QPalette& palette);
    const RatioGrid& grid() const { return grid_; }
    QRectF cellRect(std::size_t row, std::size_t column) const;
    /// Row and column; nothing: no cell there.
    std::optional<std::pair<std::size_t, std::size_t>> cellAt(const QPointF& at) const;

  protected:
    void draw(QCPPainter* painter) override;

  private:
    QRectF area() const;
    const DefineAxis& axis(std::size_t number) const { return all_->axes[number]; }
    void drawCell(QCPPainter& painter, std::size_t row, std::size_t column) const;
    void drawAxes(QCPPainter& painter) const;
    void drawScale(QCPPainter& painter) const;

    SharedConfigurations all_ = std::make_shared<const Configurations>();
    RatioGrid grid_;
    RatioScale scale_;
    QPalette palette_;
};

/// The best ratio over the values of two defines, which are chosen above the map.
class RatioMap : public PlotWidget {
    Q_OBJECT
  public:
    explicit RatioMap(QWidget* parent = nullptr);

    void setConfigurations(SharedConfigurations all);
    QComboBox& xDefine() { return *x_; }
    QComboBox& yDefine() { return *y_; }
    const RatioCells& cells() const { return *cells_; }
    /// "WG=64 ITEMS=2, 3 tried, 1 failed; best ..."; empty: none was tried.
    QString describe(std::size_t row, std::size_t column) const;

    std::string csv() const override;
    QSize figureSize() const override { return {640, 480}; }
    QString figureName() const override { return QStringLiteral("ratios"); }
    QSize sizeHint() const override { return {420, 300}; }
    QSize minimumSizeHint() const override { return {240, 140}; }

  signals:
    /// The best configuration of a cell.
    void picked(std::size_t row);

  private:
    void showDefines();
    RatioGrid grid() const;
    bool isEmpty() const override { return grid().cells.empty(); }
    QString hint() const override;
    void draw(QCustomPlot& plot, const QPalette& palette) const override;
    QString describe(const QPointF& at) const override;

    SharedConfigurations all_ = std::make_shared<const Configurations>();
    QComboBox *x_, *y_;
    RatioCells* cells_;
};

}  // namespace ks::ui::tune
