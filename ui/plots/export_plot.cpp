#include "ui/plots/export_plot.h"

#include <qcustomplot.h>
#include <QBuffer>
#include <QFileDialog>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include "core/base/error.h"
#include "core/input/input_files.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/data_name.h"
#include "ui/base/palette.h"

namespace ks::ui {
namespace {

/// Drawn in memory, where what Qt leaves unsaid of a full disk cannot happen.
using Draw = bool (*)(const ExportablePlot& plot, QIODevice& into);

bool drawPng(const ExportablePlot& plot, QIODevice& into) {
    constexpr int scale = 2;
    QImage image(plot.figureSize() * scale, QImage::Format_RGB32);
    image.fill(Qt::white);
    {
        QCPPainter painter(&image);
        painter.scale(scale, scale);
        painter.setMode(QCPPainter::pmNoCaching);
        plot.paintFigure(painter, plot.figureSize());
    }
    image.setDotsPerMeterX(5669);  // 144 dots per inch: one point of the figure is two pixels
    image.setDotsPerMeterY(5669);
    return image.save(&into, "PNG");
}

bool drawVector(QPaintDevice& device, const ExportablePlot& plot) {
    QCPPainter painter;
    if (!painter.begin(&device)) return false;
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    plot.paintFigure(painter, plot.figureSize());
    return painter.end();
}

bool drawSvg(const ExportablePlot& plot, QIODevice& into) {
    QSvgGenerator device;
    device.setOutputDevice(&into);
    device.setSize(plot.figureSize());
    device.setViewBox(QRect(QPoint(), plot.figureSize()));
    device.setTitle(plot.figureName());
    device.setDescription(QStringLiteral("Kernelscope %1").arg(KERNELSCOPE_VERSION));
    return drawVector(device, plot);
}

bool drawPdf(const ExportablePlot& plot, QIODevice& into) {
    QPdfWriter device(&into);
    device.setCreator(QStringLiteral("Kernelscope %1").arg(KERNELSCOPE_VERSION));
    device.setTitle(plot.figureName());
    device.setPageSize(QPageSize(QSizeF(plot.figureSize()), QPageSize::Point, {}, QPageSize::ExactMatch));
    device.setPageMargins(QMarginsF());
    device.setResolution(72);  // one unit of the painter is one point
    return drawVector(device, plot);
}

}  // namespace

void exportPlot(const ExportablePlot& plot, const std::filesystem::path& path, bool overwrite) {
    const std::string suffix = io::suffix_of(path);
    if (suffix == ".csv") return io::write_text(path, plot.csv(), overwrite);

    Draw draw = nullptr;
    if (suffix == ".png") draw = drawPng;
    if (suffix == ".svg") draw = drawSvg;
    if (suffix == ".pdf") draw = drawPdf;
    if (!draw) {
        throw Error(ErrorKind::input, "the suffix must be .png, .svg, .pdf or .csv, not \"" + suffix + "\"",
                    path.string());
    }
    io::require_writable(path, overwrite);
    QBuffer drawn;
    drawn.open(QIODevice::WriteOnly);
    if (!draw(plot, drawn)) throw Error(ErrorKind::run, "the plot could not be drawn", path.string());
    io::write_text(path, drawn.data().toStdString(), overwrite);
}

bool exportPlotDialog(const ExportablePlot& plot, const QString& leaf, QWidget* parent,
                      const std::map<std::string, std::string>& read) {
    QFileDialog dialog(parent, QObject::tr("Export plot"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setNameFilters({QObject::tr("PNG image (*.png)"), QObject::tr("SVG drawing (*.svg)"),
                           QObject::tr("PDF document (*.pdf)"), QObject::tr("CSV table (*.csv)")});
    dialog.setDefaultSuffix(QStringLiteral("png"));
    // The suffix that is added follows the chosen filter.
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&dialog](const QString& filter) {
        dialog.setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1));
    });
    dialog.selectFile(leaf + QStringLiteral(".png"));
    if (dialog.exec() != QDialog::Accepted) return false;
    const std::string chosen = dialog.selectedFiles().constFirst().toStdString();
    io::require_not_read("exporting", chosen, read);
    exportPlot(plot, chosen, true);
    return true;
}

}  // namespace ks::ui
