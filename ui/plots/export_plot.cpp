#include "ui/plots/export_plot.h"


#include <qcustomplot.h>
#include <QFileDialog>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include "core/io/atomic_file.h"
#include "core/io/data_name.h"
#include "core/run/error.h"
#include "ui/plots/palette.h"

namespace ks::ui {
namespace {

[[noreturn]] void failed(const std::filesystem::path& path) {
    throw Error(ErrorKind::run, "the plot could not be written", path.string(), "is the disk full?");
}

void writePng(const ExportablePlot& plot, const std::filesystem::path& path) {
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
    if (!image.save(QString::fromStdString(path.string()), "PNG")) failed(path);
}

void writeVector(QPaintDevice& device, const ExportablePlot& plot, const std::filesystem::path& path) {
    QCPPainter painter;
    if (!painter.begin(&device)) failed(path);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    plot.paintFigure(painter, plot.figureSize());
    if (!painter.end()) failed(path);
}

void writeSvg(const ExportablePlot& plot, const std::filesystem::path& path) {
    QSvgGenerator device;
    device.setFileName(QString::fromStdString(path.string()));
    device.setSize(plot.figureSize());
    device.setViewBox(QRect(QPoint(), plot.figureSize()));
    device.setTitle(plot.figureName());
    device.setDescription(QStringLiteral("Kernelscope %1").arg(KERNELSCOPE_VERSION));
    writeVector(device, plot, path);
}

void writePdf(const ExportablePlot& plot, const std::filesystem::path& path) {
    QPdfWriter device(QString::fromStdString(path.string()));
    device.setCreator(QStringLiteral("Kernelscope %1").arg(KERNELSCOPE_VERSION));
    device.setTitle(plot.figureName());
    device.setPageSize(QPageSize(QSizeF(plot.figureSize()), QPageSize::Point, {}, QPageSize::ExactMatch));
    device.setPageMargins(QMarginsF());
    device.setResolution(72);  // one unit of the painter is one point
    writeVector(device, plot, path);
}

}  // namespace

void exportPlot(const ExportablePlot& plot, const std::filesystem::path& path, bool overwrite) {
    const std::string suffix = io::suffix_of(path);
    if (suffix == ".csv") return io::write_text(path, plot.csv(), overwrite);

    void (*write)(const ExportablePlot&, const std::filesystem::path&) = nullptr;
    if (suffix == ".png") write = writePng;
    if (suffix == ".svg") write = writeSvg;
    if (suffix == ".pdf") write = writePdf;
    if (!write) {
        throw Error(ErrorKind::input, "the suffix must be .png, .svg, .pdf or .csv, not \"" + suffix + "\"",
                    path.string());
    }
    io::AtomicFile file(path, overwrite);
    write(plot, file.temporary());
    file.commit();
}

bool exportPlotDialog(const ExportablePlot& plot, const QString& leaf, QWidget* parent) {
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
    exportPlot(plot, dialog.selectedFiles().constFirst().toStdString(), true);
    return true;
}

}  // namespace ks::ui
