#pragma once

#include <filesystem>

#include <QImage>
#include <QPalette>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include "ui/plots/export_plot.h"

class QCustomPlot;

namespace ks::ui {

/// How a figure is drawn into a file. What is 0 is as the plot itself has it.
struct FigureOptions {
    double width = 0, height = 0;  ///< mm; 0: ExportablePlot::figureSize(), in points
    int font = 0;                  ///< points; 0: as large as in the window
    int dpi = 144;                 ///< of PNG
    bool dark = false;
    bool legend = true;  ///< where the plot has one
    bool operator==(const FigureOptions&) const = default;
};

/// What a figure shows and how that was made, for the file's metadata.
struct FigureText {
    QString title;
    QStringList runs;      ///< "7"
    QStringList variants;  ///< of the runs, each once
    QStringList devices, drivers;
    QStringList files;  ///< without folders

    /// "Runs: 7, 8", a line each; what is empty is left out. With the program's version.
    QStringList lines() const;
};

/// Width and height in mm that the options mean.
QSizeF figureMillimetres(const ExportablePlot& plot, const FigureOptions& options);
/// The figure in pixels.
QImage drawnFigure(const ExportablePlot& plot, const FigureOptions& options, const FigureText& text = {});
/// Writes PNG, SVG, PDF or CSV by the suffix of `path`, as exportPlot() of export_plot.h does.
void exportFigure(const ExportablePlot& plot, const std::filesystem::path& path, bool overwrite,
                  const FigureOptions& options, const FigureText& text);

/// Light, or dark where the painter's background is.
QPalette figurePalette(const QCPPainter& painter);
/// Gives a plot that is drawn for an export the painter's font.
void prepareFigure(QCustomPlot& printed, const QCPPainter& painter, const QSize& size);

}  // namespace ks::ui
