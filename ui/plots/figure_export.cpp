#include "ui/plots/figure_export.h"

#include <qcustomplot.h>
#include <QApplication>
#include <QBuffer>
#include <QFontInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>

#include "core/base/error.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/data_name.h"
#include "ui/base/palette.h"

namespace ks::ui {
namespace {

constexpr double millimetresPerInch = 25.4, pointsPerInch = 72;

/// Drawn in memory first, because Qt does not report a full disk.
using Draw = bool (*)(const ExportablePlot& plot, const FigureOptions& options, const FigureText& text,
                      QIODevice& into);

/// Size of the figure in the units in which it is painted: points.
QSize paintedSize(const ExportablePlot& plot, const FigureOptions& options) {
    const QSizeF points = figureMillimetres(plot, options) / millimetresPerInch * pointsPerInch;
    return {std::max(qRound(points.width()), 1), std::max(qRound(points.height()), 1)};
}

QString program() {
    return QStringLiteral("Kernelscope %1").arg(KERNELSCOPE_VERSION);
}

QString titleOf(const ExportablePlot& plot, const FigureText& text) {
    return text.title.isEmpty() ? plot.figureName() : text.title;
}

/// The plot gets font and background from the painter.
void paint(QCPPainter& painter, const ExportablePlot& plot, const FigureOptions& options) {
    QFont font = QApplication::font();
    font.setPixelSize(options.font > 0 ? options.font : QFontInfo(font).pixelSize());
    painter.setFont(font);
    if (options.dark) painter.setBackground(QColor(0x1e1f22));
    painter.setMode(QCPPainter::pmNoCaching);
    if (options.legend)
        plot.paintFigure(painter, paintedSize(plot, options));
    else
        plot.paintWithoutLegend(painter, paintedSize(plot, options));
}

bool drawPng(const ExportablePlot& plot, const FigureOptions& options, const FigureText& text,
             QIODevice& into) {
    return drawnFigure(plot, options, text).save(&into, "PNG");
}

bool drawSvg(const ExportablePlot& plot, const FigureOptions& options, const FigureText& text,
             QIODevice& into) {
    // In tenths of a point, so that the width is exactly as requested.
    constexpr int fine = 10;
    const QSizeF points = figureMillimetres(plot, options) / millimetresPerInch * pointsPerInch * fine;
    QSvgGenerator device;
    device.setOutputDevice(&into);
    device.setResolution(static_cast<int>(pointsPerInch) * fine);
    device.setSize(points.toSize());
    device.setViewBox(QRect(QPoint(), points.toSize()));
    device.setTitle(titleOf(plot, text));
    device.setDescription(text.lines().join(QLatin1Char('\n')));
    QCPPainter painter;
    if (!painter.begin(&device)) return false;
    painter.setMode(QCPPainter::pmVectorized);
    painter.scale(fine, fine);
    paint(painter, plot, options);
    return painter.end();
}

QByteArray xmp(const QString& title, const FigureText& text) {
    return QStringLiteral(
               "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>\n"
               "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
               "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" "
               "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">"
               "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">%1</rdf:li></rdf:Alt></dc:title>"
               "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">%2</rdf:li></rdf:Alt>"
               "</dc:description><xmp:CreatorTool>%3</xmp:CreatorTool>"
               "</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end='w'?>\n")
        .arg(title.toHtmlEscaped(), text.lines().join(QStringLiteral("; ")).toHtmlEscaped(),
             program().toHtmlEscaped())
        .toUtf8();
}

bool drawPdf(const ExportablePlot& plot, const FigureOptions& options, const FigureText& text,
             QIODevice& into) {
    QPdfWriter device(&into);
    device.setCreator(program());
    device.setTitle(titleOf(plot, text));
    device.setDocumentXmpMetadata(xmp(titleOf(plot, text), text));
    device.setPageSize(
        QPageSize(figureMillimetres(plot, options), QPageSize::Millimeter, {}, QPageSize::ExactMatch));
    device.setPageMargins(QMarginsF());
    device.setResolution(static_cast<int>(pointsPerInch));  // one unit of the painter is one point
    QCPPainter painter;
    if (!painter.begin(&device)) return false;
    painter.setMode(QCPPainter::pmVectorized);
    paint(painter, plot, options);
    return painter.end();
}

}  // namespace

QStringList FigureText::lines() const {
    QStringList all{QStringLiteral("Software: ") + program()};
    const auto add = [&all](const char* name, const QStringList& values) {
        if (!values.isEmpty())
            all << QLatin1String(name) + QStringLiteral(": ") + values.join(QStringLiteral(", "));
    };
    add("Runs", runs);
    add("Variant", variants);
    add("Device", devices);
    add("Driver", drivers);
    add("File", files);
    add("Measurement", measured);
    return all;
}

double figureResolution(const QCPPainter& painter) {
    constexpr double imageDpi = 300;
    return painter.modes().testFlag(QCPPainter::pmVectorized) ? imageDpi / pointsPerInch
                                                              : painter.combinedTransform().m11();
}

QSizeF figureMillimetres(const ExportablePlot& plot, const FigureOptions& options) {
    constexpr double point = millimetresPerInch / pointsPerInch;
    const double width = options.width > 0 ? options.width : plot.figureSize().width() * point;
    return {width, options.height > 0 ? options.height : plot.figureHeight(width / point) * point};
}

QImage drawnFigure(const ExportablePlot& plot, const FigureOptions& options, const FigureText& text) {
    const QSizeF pixels = figureMillimetres(plot, options) / millimetresPerInch * options.dpi;
    QImage image(std::max(qRound(pixels.width()), 1), std::max(qRound(pixels.height()), 1),
                 QImage::Format_RGB32);
    image.fill(options.dark ? QColor(0x1e1f22) : QColor(Qt::white));
    {
        QCPPainter painter(&image);
        painter.scale(options.dpi / pointsPerInch, options.dpi / pointsPerInch);
        paint(painter, plot, options);
    }
    const int perMetre = qRound(options.dpi * 1000 / millimetresPerInch);
    image.setDotsPerMeterX(perMetre);
    image.setDotsPerMeterY(perMetre);
    image.setText(QStringLiteral("Title"), titleOf(plot, text));
    for (const QString& line : text.lines())
        image.setText(line.section(QStringLiteral(": "), 0, 0), line.section(QStringLiteral(": "), 1));
    return image;
}

void exportFigure(const ExportablePlot& plot, const std::filesystem::path& path, bool overwrite,
                  const FigureOptions& options, const FigureText& text) {
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
    if (!draw(plot, options, text, drawn))
        throw Error(ErrorKind::run, "the plot could not be drawn", path.string());
    io::write_text(path, drawn.data().toStdString(), overwrite);
}

QPalette figurePalette(const QCPPainter& painter) {
    QPalette palette = printPalette();
    const QColor ground = painter.background().color();
    if (ground.lightness() >= 128) return palette;
    palette.setColor(QPalette::Window, ground);
    palette.setColor(QPalette::Base, ground);
    palette.setColor(QPalette::Text, QColor(0xdfe1e5));
    palette.setColor(QPalette::WindowText, QColor(0xdfe1e5));
    return palette;
}

void prepareFigure(QCustomPlot& printed, const QCPPainter& painter, const QSize& size) {
    printed.setFont(painter.font());
    printed.resize(size);
    printed.setViewport(QRect(QPoint(), size));
}

}  // namespace ks::ui
