#pragma once

#include <qcustomplot.h>
#include <QPalette>
#include <QRectF>
#include <QVector>
#include <optional>
#include <vector>

#include "ui/plots/timing_plot.h"

namespace ks::ui {

/// A stage as it is drawn.
struct TimingPart {
    Timing timing;
    std::vector<Span> spans;  ///< without what was spent on building kernels before; never empty
};
/// The stages but the building of kernels, or the kernels alone: these, and those of a run that does not tell
/// when its stages were under way, stand one after another.
std::vector<TimingPart> timingParts(const TimingSeries& series, bool kernelsOnly);

/// Colour of a kind of stage.
QColor stageColour(StageKind kind, bool dark = false);
/// "host", "read", "upload", "kernel", "download", "overhead" in words for people.
QString stageTitle(StageKind kind);

/// Lanes, names of stages and totals of a TimingPlot, drawn on the axes of a QCustomPlot in
/// nanoseconds. A run has a row with its name and total, and a lane below it for each kind of stage.
class TimingBars : public QCPLayerable {
    Q_OBJECT
  public:
    explicit TimingBars(QCustomPlot* plot);

    void present(const QVector<TimingSeries>& runs, const QPalette& palette, const QString& emptyText,
                 bool kernelsOnly = false);
    void resetZoom();
    /// Of several runs resetZoom() shows no more than so many times the shortest one: longer bars go on
    /// beyond the axis, whose totals stand in words.
    void setMostOfShortest(double times) { mostOfShortest_ = times; }
    /// Cuts the names of the runs to the width that the plot has now.
    void fitWidth();
    /// Pixels in which every bar is high enough for the text in it.
    int leastHeight() const;
    /// Rows of all runs together, each as high as a line of text and some room.
    int rows() const;
    /// Of the first span of a stage.
    QRectF barRect(qsizetype run, qsizetype stage) const;
    /// Where the total stands.
    QRectF totalRect(qsizetype run) const;
    /// Run and stage at a point, or -1 and -1.
    QPair<qsizetype, qsizetype> barAt(const QPointF& point) const;
    /// "gram_tiles (kind: kernel): 38.2 ms, 73 % of 52 ms, 12 launches, 1.5 GB/s, 160 Gop/s".
    QString describe(qsizetype run, qsizetype stage) const;

  protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

  private:
    /// A span in its lane, which has several rows where spans overlap.
    struct Piece {
        std::size_t part;
        double from, to;
        int lane, row;
    };
    struct Lane {
        StageKind kind;
        int rows;
        std::optional<std::uint32_t> device = {};  ///< whose stages of all kinds it has
    };
    struct Lanes {
        int first = 0;  ///< row of the run's name
        std::vector<TimingPart> parts;
        std::vector<Lane> lanes;
        std::vector<Piece> pieces;  ///< by start
    };
    static Lanes lanesOf(std::vector<TimingPart> parts);
    QString laneTitle(qsizetype run, const Lane& lane) const;
    QRectF rectOf(const Lanes& run, const Piece& piece) const;
    /// End to end without the building of kernels, or of the kernels alone.
    double total(qsizetype run) const;
    std::optional<double> mostOfShortest_;
    QString totalText(qsizetype run) const;
    QVector<TimingSeries> runs_;
    std::vector<Lanes> lanes_;
    bool kernelsOnly_ = false;
    QPalette palette_;
    QString emptyText_;
};

}  // namespace ks::ui
