#pragma once

#include <qcustomplot.h>
#include <QVector>
#include <memory>
#include <optional>

#include "ui/plots/crowd/line_raster.h"

namespace ks::ui {

/// Minimum and maximum of a curve over any range of its points, without visiting each of them.
/// Shares the values.
class CurveEnvelope {
  public:
    struct Range {
        double low, high;  ///< low > high: there is no finite value
    };

    explicit CurveEnvelope(QVector<double> values);
    /// Of the points [from, to); NaN is ignored.
    Range of(qsizetype from, qsizetype to) const;

  private:
    QVector<double> values_;
    QVector<Range> blocks_;
};

/// A curve of any number of points. While few are visible it is drawn with its markers, error bars and pen
/// width. While many are, it is drawn as a line one pixel wide through the minimum and maximum of each pixel
/// column, which is cached until the axes or the size change. Qt strokes wider lines as one polygon, which
/// takes time that grows faster than the number of points.
class CurveGraph : public QCPGraph {
    Q_OBJECT
  public:
    /// Up to this many points are also the data of the QCPGraph.
    static constexpr qsizetype fewPoints = 10'000;

    CurveGraph(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPGraph(keyAxis, valueAxis) {}

    /// `x` ascending and in the range of the axis (above 0 on a logarithmic one); NaN in `y` is a gap;
    /// `below` and `above`, the lengths of the error bars, have as many values or none. Shares the values.
    void setCurve(const QVector<double>& x, const QVector<double>& y, const QVector<double>& below,
                  const QVector<double>& above);
    qsizetype points() const { return x_.size(); }
    /// Number of points between the ends of the x axis.
    qsizetype visiblePoints() const;
    struct Extent {
        QCPRange x, y;
    };
    /// Extent of the points with a value, without visiting each of them. Only for a curve of more than
    /// `fewPoints` without errors and infinite values.
    std::optional<Extent> quickExtent() const;
    /// One pixel wide without markers and error bars, by a CurveCrowd. A curve of more than `fewPoints` is
    /// always drawn as described above, but has markers while it is not crowded.
    void setCrowded(bool crowded);
    bool crowded() const { return crowded_; }
    /// A CurveCrowd draws its line, together with others.
    bool inCrowd() const { return crowded_ && !dense() && !printed_; }
    /// The line as a CurveCrowd draws it; refers to this curve.
    /// @param ratio of device pixels
    RasterLine rasterLine(double ratio) const;
    void setErrorBars(QCPErrorBars* bars) { bars_ = bars; }
    /// Drawn thicker than the others when crowded.
    void setPicked(bool picked) { picked_ = picked; }
    /// For a figure, in which one point of size is several pixels.
    void setPrinted(bool printed) { printed_ = printed; }

    /// An arrow at the frame for each point above or below the range of the value axis. A curve of more than
    /// `fewPoints` has none.
    void setMarksBeyond(bool marks) { marksBeyond_ = marks; }
    /// Number of points that have an arrow.
    qsizetype pointsBeyond() const;

    /// Nothing can be selected; a test of each point would delay every turn of the wheel.
    double selectTest(const QPointF& /*at*/, bool /*onlySelectable*/, QVariant* /*details*/) const override {
        return -1;
    }
    QCPRange getKeyRange(bool& found, QCP::SignDomain sign = QCP::sdBoth) const override;

  protected:
    void draw(QCPPainter* painter) override;
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override;

  private:
    struct View {
        QCPRange x, y;
        QRect rect;
        double columns = 0;  ///< per pixel
        bool logX = false, logY = false;
        bool operator==(const View&) const = default;
    };
    bool dense() const { return x_.size() > fewPoints; }
    QPair<qsizetype, qsizetype> visible() const;
    QVector<QPolygonF> linesIn(const View& view) const;
    void drawLine(QCPPainter& painter, const QPolygonF& line) const;
    void drawDense(QCPPainter& painter);
    void drawMarks(QCPPainter* painter) const;
    bool isBeyond(qsizetype point) const;
    void drawBeyond(QCPPainter& painter) const;
    QPointF place(qsizetype point) const;

    QVector<double> x_, y_, below_, above_;
    std::unique_ptr<const CurveEnvelope> envelope_;
    QPointer<QCPErrorBars> bars_;
    bool crowded_ = false, picked_ = false, printed_ = false, marksBeyond_ = false;
    View laid_;
    QVector<QPolygonF> lines_;  ///< for `laid_`
};

}  // namespace ks::ui
