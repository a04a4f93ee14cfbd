#pragma once

#include <QComboBox>
#include <QWidget>
#include <optional>

#include "ui/plots/export_plot.h"
#include "ui/tune/ratio_cells.h"

class QCustomPlot;

namespace ks::ui {
class PlotView;
}

namespace ks::ui::tune {

/// The best ratio over the values of two defines, which are chosen above the map.
class RatioMap : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    explicit RatioMap(QWidget* parent = nullptr);
    ~RatioMap() override;

    void setConfigurations(SharedConfigurations all);
    void setEmptyText(const QString& text);
    QComboBox& xDefine() { return *x_; }
    QComboBox& yDefine() { return *y_; }
    const RatioCells& cells() const { return *cells_; }
    /// "WG=64 ITEMS=2, 3 tried, 1 failed; best ..."; empty: none was tried.
    QString describe(std::size_t row, std::size_t column) const;

    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    std::string csv() const override;
    QSize figureSize() const override { return {640, 480}; }
    QString figureName() const override { return QStringLiteral("ratios"); }
    QSize sizeHint() const override { return {420, 300}; }
    QSize minimumSizeHint() const override { return {240, 140}; }

  signals:
    /// The best configuration of a cell.
    void picked(std::size_t row);

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void showDefines();
    RatioGrid grid() const;
    QString emptyText() const;
    void present();
    void drawInto(QCustomPlot& plot, RatioCells& cells, const QPalette& palette) const;

    SharedConfigurations all_ = std::make_shared<const Configurations>();
    QString emptyText_;
    QComboBox *x_, *y_;
    QCustomPlot* plot_;
    RatioCells* cells_;
    PlotView* view_;
};

}  // namespace ks::ui::tune
