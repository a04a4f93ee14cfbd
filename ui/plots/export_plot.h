#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <QSize>
#include <QString>

class QCPPainter;
class QWidget;

namespace ks::ui {

/// What can be written to a file: every plot and the detector view.
class ExportablePlot {
  public:
    virtual ~ExportablePlot() = default;
    /// Paints what is shown now into a rectangle of `size` at the origin, in the light print palette.
    virtual void paintFigure(QCPPainter& painter, const QSize& size) const = 0;
    /// The data behind it: a header line, then one line a value or row.
    virtual std::string csv() const = 0;
    /// Size of an export in points.
    virtual QSize figureSize() const { return {800, 560}; }
    /// What its file is called where nobody says otherwise: "curves".
    virtual QString figureName() const = 0;
};

/// Writes PNG (twice the size in pixels), SVG, PDF or CSV by the suffix of `path`. The file appears only when
/// it is whole. Throws ks::Error(input) for another suffix, a folder that cannot be written, or a file that
/// exists while `overwrite` is false.
void exportPlot(const ExportablePlot& plot, const std::filesystem::path& path, bool overwrite);

/// Asks for a file name (the dialog asks before it replaces a file) and exports. `leaf` is proposed, without
/// suffix. False where the user gave up. Throws as exportPlot does, and ks::Error(input) where one of the
/// files that are read, by what they are read as, would be replaced.
bool exportPlotDialog(const ExportablePlot& plot, const QString& leaf, QWidget* parent,
                      const std::map<std::string, std::string>& read = {});

}  // namespace ks::ui
