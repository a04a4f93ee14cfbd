#pragma once

#include <optional>

#include <qcustomplot.h>
#include <QHash>
#include <QPointer>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QVector>
#include <cstddef>
#include <utility>
#include <vector>

#include "ui/plots/curve_plot.h"

namespace ks::ui {

class CurveCrowd;
class CurveGraph;

/// Which lines are fits: those of a bin and run that also have points. Refers to the series.
class CurveFits {
  public:
    CurveFits() = default;
    explicit CurveFits(const QVector<CurveSeries>& series);

    bool any() const;
    /// A line through the points of its bin and run.
    bool has(const CurveSeries& curve) const;
    /// The first line of the curve's bin and run; null: there is none.
    const CurveSeries* lineOf(const CurveSeries& curve) const;

  private:
    using Key = std::pair<int, QString>;  ///< bin and run
    static Key keyOf(const CurveSeries& curve) { return {curve.bin, curve.run}; }

    QSet<Key> points_;
    QHash<Key, const CurveSeries*> lines_;
};

/// What a CurveFigure draws.
struct CurveContent {
    QVector<CurveSeries> series;
    QVector<CurveBand> bands;
    QString xTitle, xUnit, yTitle, yUnit, emptyText, note, legendTitle;
    QString briefNote = {};  ///< drawn instead of the note; empty: the note itself
    bool logX = true, logY = false, difference = false;
    std::optional<int> pickedBin = {};  ///< whose curves are drawn thicker on screen
    QSet<int> hiddenBins;
    QSet<QString> hiddenRuns;
    QString limited = {};  ///< what is left out of the series and the bands, since it is too much to draw

    /// There is no curve, and a text says why.
    bool hints() const { return series.isEmpty() && !emptyText.isEmpty(); }
    bool shows(const CurveSeries& curve) const {
        return !hiddenBins.contains(curve.bin) && !hiddenRuns.contains(curve.run);
    }
    QStringList runs() const;  ///< in order of first appearance
    /// Whether the legend names the runs.
    bool namesRuns() const;
    bool isForeign(const QString& run) const;
    QString inFull(const QString& run) const;
    /// CurveSeries::hue of a run.
    std::optional<qsizetype> hueOf(const QString& run) const;
    /// Whether differences are divided by errors: at least one curve has them.
    bool hasErrors() const;
    /// Title of the difference panel.
    QString differenceTitle() const;
    /// The same where there is little room: "res. / \u03c3".
    QString briefDifferenceTitle() const;
    /// Edges of the bands; touching edges are listed once.
    QVector<double> edges() const;
    /// If there are any, the difference panel shows their residuals.
    CurveFits fits() const { return CurveFits(series); }
    /// Curves of the difference panel: bin and run as in the series.
    QVector<CurveSeries> differences() const;
    /// "399 of 400 values are NaN, not drawn", one line per run with such values in its shown curves, see
    /// Undrawn; fits are not counted. Empty: all values can be drawn.
    QString undrawn() const;
};

/// The points of a curve from the first to before the second one are at places that can be drawn.
std::pair<qsizetype, qsizetype> drawnPlaces(const CurveSeries& curve);

/// Those of many curves that are drawn.
struct DrawnCurves {
    QVector<CurveSeries> series;
    std::vector<qsizetype> positions;  ///< of each of them among all
    std::size_t bins = 0, of = 0;      ///< bins that are drawn, and all of them; 0: all are drawn
};
/// All curves, or those of bins at equal distances among the bins with values, so that there are not more
/// than `most` of them, not counting lines.
/// @param picked the bin that is drawn in any case
DrawnCurves drawnCurves(const QVector<CurveSeries>& all, std::optional<int> picked, qsizetype most);

/// Line pattern of the n-th run.
Qt::PenStyle runPattern(qsizetype run);
QString titleWithUnit(const QString& title, const QString& unit);
/// "0.5 s", "3 frames", "1 frame"; without a unit the number alone. Units that are words are plurals.
QString numberWithUnit(const QString& number, const QString& unit);

/// The drawing area of a CurvePlot; exports use a second one with a legend inside.
class CurveFigure : public QCustomPlot {
    Q_OBJECT
  public:
    explicit CurveFigure(QWidget* parent = nullptr);

    /// Redraws everything; keeps the zoom if `keepZoom`. On screen the legend is outside the figure.
    void present(const CurveContent& content, const QPalette& palette, bool keepZoom,
                 FigureLegend legend = FigureLegend::elsewhere);
    const CurveContent& content() const { return content_; }
    /// Changes the note without redrawing the curves.
    /// @param brief as CurveContent::briefNote
    void setNote(const QString& note, const QString& brief, const QPalette& palette);
    QCPAxisRect& mainRect() const { return *main_; }
    QCPAxisRect* differenceRect() const { return below_; }
    /// As CurvePlot::setRangeTool().
    void setRangeTool(bool on) { rangeTool_ = on; }
    /// Where the note is drawn; empty: there is none.
    QRectF noteRect() const;
    void copyRanges(const CurveFigure& from);
    void resetZoom();
    int curves() const { return curves_; }

  signals:
    void pointHovered(const QString& text);
    void edgeDragged(int edge, double x, bool final);
    void rangeDragged(double from, double to, bool final);
    void pointClicked(qsizetype curve, qsizetype point, Qt::KeyboardModifiers modifiers);

  protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void setPanels(bool difference);
    /// What draws the curves of each panel and layer while they are crowded.
    void addCrowds();
    /// With many visible points, curves are drawn without markers and error bars.
    void thinOut();
    void setAxes();
    /// Returns how many of them are shown.
    int addCurves(QCPAxisRect& rect, const QVector<CurveSeries>& curves);
    void addCurve(QCPAxisRect& rect, const CurveSeries& curve);
    /// The points of a curve that are left out.
    void addHollow(const CurveSeries& curve);
    CurveGraph* addGraphOf(QCPAxisRect& rect, const CurveSeries& curve, bool leftOut);
    QColor colourOf(const CurveSeries& curve) const;
    void addTracer(const QColor& colour);
    void addLegend(const QColor& text);
    void addBands(const QPalette& palette);
    void addNote(const QPalette& palette);
    /// Breaks the note into few lines and makes room for them above the axes.
    void placeNote(const QSize& size);
    /// The edge under the cursor.
    std::optional<int> edgeAt(const QPointF& cursor) const;
    struct Point {
        qsizetype curve, point;
    };
    /// The visible point next to the cursor.
    std::optional<Point> pointAt(const QPointF& cursor) const;
    void hoverPoint(QMouseEvent* event);
    /// Says it again if the point under a cursor that rests is described otherwise now.
    void hoverAgain();
    QString describe(const CurveSeries& curve, qsizetype point) const;

    CurveContent content_;
    CurveFits fits_;  ///< of content_
    bool dark_ = false, printed_ = false;
    double markerSize_ = 5;
    QCPAxisRect* main_;
    QCPAxisRect* below_ = nullptr;
    QCPMarginGroup* margins_;
    std::vector<QPointer<CurveCrowd>> crowds_;
    QPointer<QCPItemTracer> tracer_;
    QPointer<QCPItemText> empty_, note_;
    int curves_ = 0;
    QString undrawn_;                   ///< of content_
    QStringList runs_;                  ///< of content_
    QVector<CurveSeries> differences_;  ///< of content_, while they are shown
    QString wholeNote_;                 ///< if more than what is drawn of it
    bool hoversNote_ = false;           ///< it is shown as a tooltip
    QString hovered_;                   ///< the point under the cursor, in words
    QPointF hoveredAt_;                 ///< the cursor then
    std::optional<int> draggedEdge_;
    bool rangeTool_ = false;
    std::optional<double> rangeFrom_;  ///< x where a range began
    std::optional<QPointF> pressed_;   ///< where the left button went down, unless on an edge
};

}  // namespace ks::ui
