#pragma once

#include <QPalette>
#include <QString>
#include <vector>

#include "ui/plots/plot_widget.h"

class QAction;

namespace ks::ui::lab {

/// The samples of one variant.
struct Strip {
    QString name;                 ///< "blocks.16"
    QString source;               ///< "NVIDIA H100": in the legend, if strips have several
    int colour = 1;               ///< of binColour(), one per source
    QString rank;                 ///< "1", "2-3" or empty
    bool wrong;                   ///< its result differs from the reference
    QString note;                 ///< instead of samples: "running"; beside them: why they are few
    std::vector<double> samples;  ///< nanoseconds, in the order in which they were taken
    QString problem = {};         ///< heading of a group of consecutive strips; empty: no group
};

/// Strips whose order may be due to chance, in one colour.
struct StripTie {
    int colour = 1;
    std::vector<std::size_t> strips;  ///< from above
};

/// Dots, boxes, ranks and ties of a StripPlot, drawn on the axes of a QCustomPlot in nanoseconds.
class StripMarks : public PlotMarks {
    Q_OBJECT
  public:
    explicit StripMarks(QCustomPlot* plot);

    void present(const std::vector<Strip>& strips, const std::vector<StripTie>& ties, const QPalette& palette,
                 const QString& title, bool logarithmic, int topMargin);
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
    void draw(QCPPainter* painter) override;

  private:
    int tieWidth() const;
    void drawStrip(QCPPainter& painter, std::size_t strip) const;
    void drawTies(QCPPainter& painter) const;
    void drawHeadings(QCPPainter& painter) const;
    void placeRows();
    bool hasHeading(std::size_t strip) const;  ///< it is the first of a group
    double rowAt(std::size_t strip) const;
    double rowHeight() const;

    std::vector<Strip> strips_;
    std::vector<StripTie> ties_;
    std::vector<int> rows_;  ///< row of each strip from above, counting the headings
    int rowCount_ = 0;
    QPalette palette_;
    QString title_;
    int topMargin_ = 0;
    int fitted_ = 0;  ///< width of the plot that the names fit
};

/// Every sample as a dot, one strip per variant, with the median as a line and the quartiles as a box. Tied
/// strips are joined at the right. The wheel zooms time at the cursor, dragging pans (see PlotView).
class StripPlot : public PlotWidget {
    Q_OBJECT
  public:
    explicit StripPlot(QWidget* parent = nullptr);

    void setStrips(std::vector<Strip> strips, std::vector<StripTie> ties = {});
    const std::vector<Strip>& strips() const { return strips_; }
    const std::vector<StripTie>& ties() const { return ties_; }
    /// Name of the plotted time: "Kernels".
    void setTitle(const QString& title);
    void setLogarithmic(bool on);
    bool logarithmic() const { return logarithmic_; }

    PlotLegend legend() const override;
    std::string csv() const override;
    QSize figureSize() const override;
    double figureHeight(double) const override { return figureSize().height(); }
    QString figureName() const override { return QStringLiteral("times"); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, 120}; }

  signals:
    void logarithmicChanged(bool on);

  private:
    bool isEmpty() const override { return strips_.empty(); }
    void draw(QCustomPlot& plot, const QPalette& palette) const override;
    void present() override;
    QString describe(const QPointF& at) const override;

    std::vector<Strip> strips_;
    std::vector<StripTie> ties_;
    QString title_;
    bool logarithmic_ = false;
    StripMarks* marks_;
    QAction* logSwitch_;
};

}  // namespace ks::ui::lab
