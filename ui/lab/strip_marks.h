#pragma once

#include <qcustomplot.h>
#include <QPalette>
#include <vector>

#include "ui/lab/strip_plot.h"

namespace ks::ui::lab {

/// Dots, boxes, ranks and ties of a StripPlot, drawn on the axes of a QCustomPlot in nanoseconds.
class StripMarks : public QCPLayerable {
    Q_OBJECT
  public:
    explicit StripMarks(QCustomPlot* plot);

    void present(const std::vector<Strip>& strips, const std::vector<StripTie>& ties, const QPalette& palette,
                 const QString& title, bool logarithmic, const QString& emptyText);
    /// Shows all samples.
    void resetZoom();
    /// Shortens the names to the current width of the plot.
    void fitWidth();
    int leastHeight() const;
    /// Position of a sample, in pixels of the plot.
    QPointF dotAt(std::size_t strip, std::size_t sample) const;
    /// x of the median line.
    double medianAt(std::size_t strip) const;
    /// Tool tip of the dot or strip at a point; empty: there is none.
    QString describe(const QPointF& point) const;

  protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

  private:
    /// Names of the sources with their colours, if there are several.
    std::vector<std::pair<QString, int>> sources() const;
    int tieWidth() const;
    void drawStrip(QCPPainter& painter, std::size_t strip) const;
    void drawTies(QCPPainter& painter) const;
    void drawHeadings(QCPPainter& painter) const;
    void drawLegend(QCPPainter& painter) const;
    void placeRows();
    bool hasHeading(std::size_t strip) const;  ///< it is the first of a group
    double rowAt(std::size_t strip) const;
    double rowHeight() const;

    std::vector<Strip> strips_;
    std::vector<StripTie> ties_;
    std::vector<int> rows_;  ///< row of each strip from above, counting the headings
    int rowCount_ = 0;
    QPalette palette_;
    QString title_, emptyText_;
};

}  // namespace ks::ui::lab
