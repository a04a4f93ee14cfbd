#pragma once

#include <qcustomplot.h>
#include <QVector>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/spots/spot.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/histogram_plot.h"
#include "ui/runs/run_table_model.h"
#include "ui/shell/page.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QStackedWidget;

namespace ks::ui::spots {

/// What the plots need of a run.
struct RunSpots {
    int number = 0;      ///< of the run; 0: of a preview
    QString name;        ///< "run 7", or "preview"
    bool wrong = false;  ///< its check failed: then it is named even if it is the only run
    std::vector<ks::spots::Spot> spots;
    QVector<double> frame, signal, count, sum, resolution;  ///< one value per frame; NaN: missing or unknown
};
/// nullopt if the run has no complete table of spots and frames.
std::optional<RunSpots> runSpots(const RunRow& row);

/// "1 spot", "2,912 spots".
QString spotsText(std::size_t n);

/// Ticks of an axis of 1/d^2 labelled with d: "3", "2.1"; equidistant as far as short numbers allow.
class ResolutionTicker : public QCPAxisTicker {
  protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

/// Plots of the spots of the ticked runs, one at a time: per frame, by intensity, size and resolution. While
/// a preview is shown, the histograms show only the preview, since it has fewer frames, and its frames are
/// plotted next to those of the runs.
class SpotPlots : public QWidget {
    Q_OBJECT
  public:
    enum class Plot { frames, intensities, sizes, resolution };
    enum class PerFrame { spots, signal, sum, resolution };

    explicit SpotPlots(QWidget* parent = nullptr);
    ~SpotPlots() override;

    /// Runs in the page's order, newest first; none: the plots say what to do. Runs without a table of
    /// spots are ignored.
    /// @param missing what the plots say if there are none; empty: how to get one
    void setRuns(const std::vector<RunRow>& runs, const QString& missing = {});
    /// Null: no preview.
    void setPreview(std::shared_ptr<const Run> run);
    /// A note in all plots that show runs: "computed with other settings (Mask)"; empty: none.
    void setOutdated(const QString& note);
    /// Marks the frame (number in the file) in the plot over frames; -1: none.
    void setFrame(int frame);
    /// Bands in the plot over resolution: centres in 1/d^2 (1/angstrom^2) and half-width. Empty: none.
    void setIceRings(std::vector<double> centres, double halfWidth);

    using QWidget::show;
    void show(Plot plot);
    Plot shown() const;
    void setPerFrame(PerFrame what);
    PerFrame perFrame() const;

    /// All plots for the export menu.
    std::vector<NamedPlot> plots() const;
    CurvePlot& frames() { return *frames_; }
    HistogramPlot& histogram(Plot plot);  ///< of intensities, sizes or resolution
    /// What a plot covers and omits: "Preview of frame 4; 12 spots without d left out".
    QString note() const;
    QSize sizeHint() const override { return {560, 260}; }

  signals:
    /// The plot over frames was clicked or its mark was dragged. Number in the file.
    void framePicked(int frame);
    /// Text for what is under the cursor; empty: nothing.
    void pointHovered(const QString& text);

  private:
    void build();
    void watchFrames();
    void fill();
    void fillFrames();
    void fillHistograms();
    void showIce();
    void showNote();
    void showOutdated();
    void pick(double x);

    /// The runs that the histograms cover.
    std::vector<RunSpots> counted() const;
    QString previewText() const;

    std::vector<RunSpots> runs_;  ///< oldest first
    std::optional<RunSpots> preview_;
    std::vector<double> rings_;
    double ringWidth_ = 0;
    int frame_ = -1;
    QString outdated_, missing_;
    QPoint pressed_;
    QComboBox *which_, *what_;
    QCheckBox *ice_, *logCounts_;
    QStackedWidget* stack_;
    CurvePlot* frames_;
    HistogramPlot *intensities_, *sizes_, *resolution_;
    QLabel* note_;
};

}  // namespace ks::ui::spots
