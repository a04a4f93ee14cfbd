#pragma once

#include <qcustomplot.h>
#include <QPalette>
#include <QRectF>
#include <QVector>
#include <optional>
#include <vector>

#include "ui/plots/timing_plot.h"

namespace ks::ui {

/// A stage as drawn.
struct TimingPart {
    Timing timing;
    std::vector<Span> spans;  ///< without earlier time spent on building kernels; never empty
};
/// All stages except the building of kernels, or only the kernels. Kernels alone, and stages of a run that
/// does not report when they ran, are placed one after another.
std::vector<TimingPart> timingParts(const TimingSeries& series, bool kernelsOnly);

/// Colour of a kind of stage.
QColor stageColour(StageKind kind, bool dark = false);
/// User-visible names of "host", "read", "upload", "kernel", "download", "overhead".
QString stageTitle(StageKind kind);

/// Lanes, names of stages and totals of a TimingPlot, drawn on the axes of a QCustomPlot in nanoseconds. Each
/// run has a row with its name and total and, below it, one lane per kind of stage.
class TimingBars : public QCPLayerable {
    Q_OBJECT
  public:
    explicit TimingBars(QCustomPlot* plot);

    void present(const QVector<TimingSeries>& runs, const QPalette& palette, bool kernelsOnly = false);
    void resetZoom();
    /// With several runs, resetZoom() shows at most this multiple of the shortest one. Longer bars extend
    /// beyond the axis; their totals are given as text.
    void setMostOfShortest(double times) { mostOfShortest_ = times; }
    /// Cuts the names of the runs to the current width of the plot.
    void fitWidth();
    /// Height in pixels at which every bar has room for its text.
    int leastHeight() const;
    /// Rows of all runs together, each slightly higher than a line of text.
    int rows() const;
    /// The first span of a stage.
    QRectF barRect(qsizetype run, qsizetype stage) const;
    /// Where the total is drawn.
    QRectF totalRect(qsizetype run) const;
    /// Run and stage at a point, or -1 and -1.
    QPair<qsizetype, qsizetype> barAt(const QPointF& point) const;
    /// "gram_tiles (kind: kernel): 38.2 ms, 73 % of 52 ms, 12 launches, 1.5 GB/s, 160 Gop/s".
    QString describe(qsizetype run, qsizetype stage) const;

  protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

  private:
    /// A span in its lane, which has several rows if spans overlap.
    struct Piece {
        std::size_t part;
        double from, to;
        int lane, row;
    };
    struct Lane {
        StageKind kind;
        int rows;
        std::optional<std::uint32_t> device = {};  ///< a device lane has its stages of all kinds
    };
    struct Lanes {
        int first = 0;  ///< row of the run's name
        std::vector<TimingPart> parts;
        std::vector<Lane> lanes;
        std::vector<Piece> pieces;  ///< ordered by start
    };
    static Lanes lanesOf(std::vector<TimingPart> parts);
    QString laneTitle(qsizetype run, const Lane& lane) const;
    QRectF rectOf(const Lanes& run, const Piece& piece) const;
    /// End to end without building kernels, or the kernels only.
    double total(qsizetype run) const;
    std::optional<double> mostOfShortest_;
    QString totalText(qsizetype run) const;
    QVector<TimingSeries> runs_;
    std::vector<Lanes> lanes_;
    bool kernelsOnly_ = false;
    QPalette palette_;
};

}  // namespace ks::ui
