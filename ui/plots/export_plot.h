#pragma once

#include <filesystem>
#include <string>

#include <QSize>
#include <QString>

class QCPPainter;

namespace ks::ui {

/// Anything that can be exported to a file: every plot and the detector view.
class ExportablePlot {
  public:
    virtual ~ExportablePlot() = default;
    /// Paints the current content into a rectangle of `size` at the origin, with the painter's font, and in
    /// light colours if its background is light.
    virtual void paintFigure(QCPPainter& painter, const QSize& size) const = 0;
    /// The figure has a legend that can be omitted, as paintWithoutLegend() does.
    virtual bool hasLegend() const { return false; }
    virtual void paintWithoutLegend(QCPPainter& painter, const QSize& size) const {
        paintFigure(painter, size);
    }
    /// The data behind it: a header line, then one line per value or row.
    virtual std::string csv() const = 0;
    /// The beginning of it, for a quick look; a plot with very many values writes only a part.
    virtual std::string csvBegin() const { return csv(); }
    /// Size of an export in points.
    virtual QSize figureSize() const { return {800, 560}; }
    /// Height in points of a figure of this width; for the width of figureSize() it is the height of
    /// figureSize(). By default the aspect ratio is kept.
    virtual double figureHeight(double width) const {
        return figureSize().height() * width / figureSize().width();
    }
    /// Why it shows nothing that could be exported, or what makes it show something; empty: it does.
    virtual QString whyEmpty() const { return {}; }
    /// Default name of its file: "curves".
    virtual QString figureName() const = 0;
};

/// Writes PNG (twice the size in pixels), SVG, PDF or CSV according to the suffix of `path`. The file appears
/// only when it is complete. Throws ks::Error(input) for another suffix, a folder that cannot be written, or
/// an existing file while `overwrite` is false.
void exportPlot(const ExportablePlot& plot, const std::filesystem::path& path, bool overwrite);

}  // namespace ks::ui
