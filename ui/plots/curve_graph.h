#pragma once

#include <memory>
#include <optional>

#include <qcustomplot.h>
#include <QVector>

#include "ui/plots/curve_envelope.h"

namespace ks::ui {

/// A curve of any number of points. While few are visible it is drawn with its markers, error bars and the
/// width of its pen; while many are, as a line one pixel wide with the least and the largest value of each
/// column of pixels, which is kept until the axes or the size change. Qt strokes a wider line as one polygon,
/// whose time grows faster than the number of points.
class CurveGraph : public QCPGraph {
    Q_OBJECT
  public:
    /// Up to so many points are also the data of the QCPGraph.
    static constexpr qsizetype fewPoints = 10'000;

    CurveGraph(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPGraph(keyAxis, valueAxis) {}

    /// `x` ascending and in the range of the axis (above 0 on a logarithmic one); NaN in `y` is a gap;
    /// `error` as many values or none. Shares them.
    void setCurve(const QVector<double>& x, const QVector<double>& y, const QVector<double>& error);
    qsizetype points() const { return x_.size(); }
    /// How many of them are between the ends of the x axis.
    qsizetype visiblePoints() const;
    struct Extent {
        QCPRange x, y;
    };
    /// Of the points with a value, without a look at each of them: of a curve of more than `fewPoints`
    /// without errors and infinite values only.
    std::optional<Extent> quickExtent() const;
    /// One pixel wide without markers and error bars, as described above; a curve of more than `fewPoints`
    /// always is, but has markers while it is not crowded.
    void setCrowded(bool crowded);
    bool crowded() const { return crowded_; }
    void setErrorBars(QCPErrorBars* bars) { bars_ = bars; }
    /// Thicker than the others where crowded.
    void setPicked(bool picked) { picked_ = picked; }
    /// For a figure, whose points of size are several pixels.
    void setPrinted(bool printed) { printed_ = printed; }

    QCPRange getKeyRange(bool& found, QCP::SignDomain sign = QCP::sdBoth) const override;

  protected:
    void draw(QCPPainter* painter) override;

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
    void drawMarks(QCPPainter* painter) const;
    QPointF place(qsizetype point) const;

    QVector<double> x_, y_, error_;
    std::unique_ptr<const CurveEnvelope> envelope_;
    QPointer<QCPErrorBars> bars_;
    bool crowded_ = false, picked_ = false, printed_ = false;
    View laid_;
    QVector<QPolygonF> lines_;  ///< for `laid_`
};

}  // namespace ks::ui
