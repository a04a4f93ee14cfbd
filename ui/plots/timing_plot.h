#pragma once

#include <vector>

#include <QRectF>
#include <QString>
#include <QStringList>
#include <QVector>
#include <QWidget>
#include <optional>

#include "core/run/timing.h"
#include "ui/plots/export_plot.h"

class QAction;
class QCustomPlot;

namespace ks::ui {

class PlotView;
class TimingBars;

/// The stages of one run in the order of its rows.
struct TimingSeries {
    QString run;  ///< "7  gram.tiled"
    std::vector<Timing> stages;
    std::uint64_t total = 0;   ///< end to end, nanoseconds; 0: until the last stage ends
    QStringList devices = {};  ///< names of those that shared the run, by Timing::device
};

/// Where the time of runs goes, on one time axis: each has a lane for reading, the host's computations, what
/// the host does around them, uploads, kernels and downloads, with a bar for each time that a stage was under
/// way; those that overlap share the height. Of a run that devices shared, each device has a lane with all of
/// its stages instead. What was spent on building kernels is left out and told. Wheel
/// zooms time at the cursor, drag pans; the tool tip names stage, time, share, bytes/s and operations/s.
class TimingPlot : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    explicit TimingPlot(QWidget* parent = nullptr);
    ~TimingPlot() override;

    void setRuns(const QVector<TimingSeries>& runs);
    const QVector<TimingSeries>& runs() const { return runs_; }
    void setEmptyText(const QString& text);
    /// Of several runs no more than so many times the shortest one is shown until a hand zooms out.
    void setMostOfShortest(double times);
    PlotView& view() { return *view_; }
    bool kernelsOnly() const { return kernelsOnly_; }
    /// Where the first bar of a stage is drawn, in pixels of the plot.
    QRectF barRect(int run, int stage) const;

    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    std::string csv() const override;
    QSize figureSize() const override;
    /// Its rows need the same height at every width.
    double figureHeight(double) const override { return figureSize().height(); }
    QString figureName() const override { return QStringLiteral("timing"); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, 110}; }

  public slots:
    void resetZoom();
    void setKernelsOnly(bool only);

  signals:
    void kernelsOnlyChanged(bool only);

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void present();

    QVector<TimingSeries> runs_;
    QString emptyText_;
    std::optional<double> mostOfShortest_;
    bool kernelsOnly_ = false;
    QCustomPlot* plot_;
    TimingBars* bars_;
    PlotView* view_;
    QAction* kernelsSwitch_;
};

}  // namespace ks::ui
