#pragma once

#include <filesystem>
#include <string>

#include <QSize>
#include <QString>

class QCPPainter;

namespace ks::ui {

/// What can be written to a file: every plot and the detector view.
class ExportablePlot {
  public:
    virtual ~ExportablePlot() = default;
    /// Paints what is shown now into a rectangle of `size` at the origin, with the painter's font, and in
    /// light colours where its background is light.
    virtual void paintFigure(QCPPainter& painter, const QSize& size) const = 0;
    /// The figure has a legend that can be left out, as paintWithoutLegend() does.
    virtual bool hasLegend() const { return false; }
    virtual void paintWithoutLegend(QCPPainter& painter, const QSize& size) const {
        paintFigure(painter, size);
    }
    /// The data behind it: a header line, then one line a value or row.
    virtual std::string csv() const = 0;
    /// As much of it as a glance needs; a plot of very many values writes no more.
    virtual std::string csvBegin() const { return csv(); }
    /// Size of an export in points.
    virtual QSize figureSize() const { return {800, 560}; }
    /// Height in points of a figure of another width; that of figureSize() at its own. The shape stays unless
    /// the plot says otherwise.
    virtual double figureHeight(double width) const {
        return figureSize().height() * width / figureSize().width();
    }
    /// What its file is called where nobody says otherwise: "curves".
    virtual QString figureName() const = 0;
};

/// Writes PNG (twice the size in pixels), SVG, PDF or CSV by the suffix of `path`. The file appears only when
/// it is whole. Throws ks::Error(input) for another suffix, a folder that cannot be written, or a file that
/// exists while `overwrite` is false.
void exportPlot(const ExportablePlot& plot, const std::filesystem::path& path, bool overwrite);

}  // namespace ks::ui
