#pragma once

#include <vector>

#include <QRectF>
#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>

#include "core/run/timing.h"
#include "ui/plots/plot_widget.h"

class QAction;

namespace ks::ui {

class TimingBars;

/// The stages of one run in the order of its rows.
struct TimingSeries {
    /// "7  gram.tiled": parts separated by two spaces. Of three or more, each is shortened by itself.
    QString run;
    std::vector<Timing> stages;
    std::uint64_t total = 0;   ///< end to end, in nanoseconds; 0: until the last stage ends
    QStringList devices = {};  ///< names of the devices that shared the run, indexed by Timing::device
    QString mark = {};         ///< before its times: "outdated (Size)"
};

/// How runs spend their time, on a common time axis. Each run has a lane for reading, host computation,
/// overhead, uploads, kernels and downloads, with a bar for each time a stage was active; overlapping bars
/// share the height. A run shared by devices has instead one lane per device with all of its stages. Time
/// spent on building kernels is left out and reported separately. The wheel zooms in time at the cursor,
/// dragging pans; the tooltip shows stage, time, share, bytes/s and operations/s.
class TimingPlot : public PlotWidget {
    Q_OBJECT
  public:
    explicit TimingPlot(QWidget* parent = nullptr);

    void setRuns(const QVector<TimingSeries>& runs);
    const QVector<TimingSeries>& runs() const { return runs_; }
    /// The marks of the runs, one each; the zoom stays.
    void setMarks(const QStringList& marks);
    /// With several runs, at most this multiple of the shortest one is shown until the user zooms out.
    void setMostOfShortest(double times);
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

  private:
    bool isEmpty() const override { return runs_.isEmpty(); }
    void draw(QCustomPlot& plot, const QPalette& palette) const override;
    void present() override;
    QString describe(const QPointF& at) const override;

    QVector<TimingSeries> runs_;
    std::optional<double> mostOfShortest_;
    bool kernelsOnly_ = false;
    TimingBars* bars_;
    QAction* kernelsSwitch_;
};

}  // namespace ks::ui
