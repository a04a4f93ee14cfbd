#pragma once

#include <qcustomplot.h>
#include <QPalette>
#include <QRectF>
#include <QVector>

#include "ui/plots/timing_plot.h"

namespace ks::ui {

/// Bars, names of stages, totals and the legend of a TimingPlot, drawn on the axes of a QCustomPlot in
/// nanoseconds.
class TimingBars : public QCPLayerable {
    Q_OBJECT
  public:
    explicit TimingBars(QCustomPlot* plot);

    void present(const QVector<TimingSeries>& runs, const QPalette& palette, const QString& emptyText);
    void resetZoom();
    QRectF barRect(qsizetype run, qsizetype stage) const;
    /// Run and stage at a point, or -1 and -1.
    QPair<qsizetype, qsizetype> barAt(const QPointF& point) const;
    /// "gram_tiles (kernel): 38.2 ms, 73 % of 52 ms, 12 launches, 1.5 GB/s, 160 Gop/s".
    QString describe(qsizetype run, qsizetype stage) const;

  protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

  private:
    double begin(qsizetype run, qsizetype stage) const;
    void drawLegend(QCPPainter* painter) const;

    QVector<TimingSeries> runs_;
    QPalette palette_;
    QString emptyText_;
};

}  // namespace ks::ui
