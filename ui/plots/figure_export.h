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

/// How a figure is drawn into a file. Values of 0 mean the plot's default.
struct FigureOptions {
    double width = 0, height = 0;  ///< mm; 0: ExportablePlot::figureSize(), in points
    int font = 0;                  ///< points; 0: as in the window
    int dpi = 144;                 ///< for PNG
    bool dark = false;
    bool legend = true;  ///< if the plot has one
    bool operator==(const FigureOptions&) const = default;
};

/// What a figure shows and how it was made, for the file's metadata.
struct FigureText {
    QString title;
    QStringList runs;      ///< "7", "8 (wrong)"
    QStringList variants;  ///< of the runs, each listed once
    QStringList devices, drivers;
    QStringList files;          ///< names, without folders unless two files have the same name
    QStringList measured = {};  ///< device and values of a measurement, in the place of all of these

    /// "Runs: 7, 8", one line per non-empty item, plus the program's version.
    QStringList lines() const;
};

/// Width and height in mm that result from the options.
QSizeF figureMillimetres(const ExportablePlot& plot, const FigureOptions& options);
/// The figure in pixels.
QImage drawnFigure(const ExportablePlot& plot, const FigureOptions& options, const FigureText& text = {});
/// Writes PNG, SVG, PDF or CSV according to the suffix of `path`, like exportPlot() of export_plot.h.
void exportFigure(const ExportablePlot& plot, const std::filesystem::path& path, bool overwrite,
                  const FigureOptions& options, const FigureText& text);

/// Pixels per unit of the painter, for images within a figure: those of the file; in PDF and SVG, which have
/// no pixels, 300 per inch.
double figureResolution(const QCPPainter& painter);
/// Light, or dark if the painter's background is dark.
QPalette figurePalette(const QCPPainter& painter);
/// Sets the painter's font on a plot that is drawn for an export.
void prepareFigure(QCustomPlot& printed, const QCPPainter& painter, const QSize& size);

}  // namespace ks::ui
