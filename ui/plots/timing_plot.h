#pragma once

#include <vector>

#include <QRectF>
#include <QString>
#include <QVector>
#include <QWidget>

#include "core/run/timing.h"
#include "ui/plots/export_plot.h"

class QCustomPlot;

namespace ks::ui {

class TimingBars;

/// The stages of one run in the order of its rows.
struct TimingSeries {
    QString run;  ///< "7  gram.tiled"
    std::vector<Timing> stages;
};

/// Colour of a kind of stage.
QColor stageColour(StageKind kind, bool dark = false);
/// "host", "read", "upload", "kernel", "download" in words for people.
QString stageTitle(StageKind kind);

/// Stage timings of runs as stacked horizontal bars on one time axis, first run on top. Wheel zooms time at
/// the cursor, drag pans, double click resets; the tool tip names stage, time, share, bytes/s and
/// operations/s.
class TimingPlot : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    explicit TimingPlot(QWidget* parent = nullptr);
    ~TimingPlot() override;

    void setRuns(const QVector<TimingSeries>& runs);
    const QVector<TimingSeries>& runs() const { return runs_; }
    void setEmptyText(const QString& text);
    /// Where the bar of a stage is drawn, in pixels of the plot.
    QRectF barRect(int run, int stage) const;

    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    std::string csv() const override;
    QSize figureSize() const override;
    QString figureName() const override { return QStringLiteral("timing"); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {220, 110}; }

  public slots:
    void resetZoom();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    QVector<TimingSeries> runs_;
    QString emptyText_;
    QCustomPlot* plot_;
    TimingBars* bars_;
};

}  // namespace ks::ui
