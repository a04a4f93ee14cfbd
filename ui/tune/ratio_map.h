#pragma once

#include <QComboBox>

#include "ui/tools/tool_plot.h"
#include "ui/tune/ratio_cells.h"

namespace ks::ui::tune {

/// The best ratio over the values of two defines, which are chosen above the map.
class RatioMap : public ToolPlot {
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
    QString emptyText() const;
    void draw(QCustomPlot& plot, const QPalette& palette) const override;
    QString describe(const QPointF& at) const override;

    SharedConfigurations all_ = std::make_shared<const Configurations>();
    QComboBox *x_, *y_;
    RatioCells* cells_;
};

}  // namespace ks::ui::tune
