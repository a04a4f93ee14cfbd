#pragma once

#include <qcustomplot.h>
#include <QPalette>
#include <QRectF>
#include <QVector>

#include "ui/plots/timing_plot.h"

namespace ks::ui {

/// One piece of a bar.
struct TimingPart {
    Timing timing;
    bool rest = false;   ///< the time that is in no stage
    bool build = false;  ///< the building of kernels, which a second run is spared
};
/// The stages in their order, the rest of the total, and the building of kernels last; or the kernels alone.
std::vector<TimingPart> timingParts(const TimingSeries& series, bool kernelsOnly);

/// Colour of a kind of stage.
QColor stageColour(StageKind kind, bool dark = false);
/// "host", "read", "upload", "kernel", "download" in words for people.
QString stageTitle(StageKind kind);

/// Bars, names of stages, totals and the legend of a TimingPlot, drawn on the axes of a QCustomPlot in
/// nanoseconds.
class TimingBars : public QCPLayerable {
    Q_OBJECT
  public:
    explicit TimingBars(QCustomPlot* plot);

    void present(const QVector<TimingSeries>& runs, const QPalette& palette, const QString& emptyText,
                 bool kernelsOnly = false);
    void resetZoom();
    /// Cuts the names of the runs to the width that the plot has now.
    void fitWidth();
    /// Lines that the legend may take; what does not fit is told by the tool tips alone. 1 unless set.
    void setLegendLines(int most) { legendLines_ = most; }
    /// Pixels in which every bar is high enough for the text in it.
    int leastHeight() const;
    QRectF barRect(qsizetype run, qsizetype stage) const;
    /// Where the total stands: behind the bar, or over its end where that is at the right edge.
    QRectF totalRect(qsizetype run) const;
    /// Run and stage at a point, or -1 and -1.
    QPair<qsizetype, qsizetype> barAt(const QPointF& point) const;
    /// "gram_tiles (kind: kernel): 38.2 ms, 73 % of 52 ms, 12 launches, 1.5 GB/s, 160 Gop/s".
    QString describe(qsizetype run, qsizetype stage) const;

  protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

  private:
    struct Entry {
        QString name;
        QBrush brush;
        QPointF at;  ///< from the upper left corner of the legend
    };
    double begin(qsizetype run, qsizetype stage) const;
    /// End to end, or of the kernels alone.
    double total(qsizetype run) const;
    QString totalText(qsizetype run) const;
    QBrush brushOf(const TimingPart& part) const;
    /// Lines of the legend within a width, in pixels, and what stands where.
    int layoutLegend(int width);
    void drawLegend(QCPPainter* painter) const;

    QVector<TimingSeries> runs_;
    QVector<std::vector<TimingPart>> parts_;
    QVector<Entry> legend_;
    int legendLines_ = 1;
    bool kernelsOnly_ = false;
    QPalette palette_;
    QString emptyText_;
};

}  // namespace ks::ui
