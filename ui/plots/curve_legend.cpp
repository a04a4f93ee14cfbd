#include "ui/plots/curve_legend.h"

#include <algorithm>

namespace ks::ui {
namespace {

constexpr qsizetype fewEntries = 8;
constexpr double widestBeside = 0.3;   ///< of the figure
constexpr double highestBelow = 0.25;  ///< of the figure, for bins and for runs each

/// Sizes of the entries of one legend in pixels, from the font.
struct LegendSizes {
    explicit LegendSizes(const QCustomPlot& plot, bool brief)
        : metrics(plot.font()),
          line(metrics.height()),
          icon(brief ? line : 2 * line),
          gap(std::max(line / 3, 3)),
          between(line) {}

    int textWidth(const QVector<LegendEntry>& entries) const {
        int widest = 0;
        for (const LegendEntry& entry : entries)
            widest = std::max(widest, metrics.horizontalAdvance(entry.curve->name()) + 2);
        return widest;
    }
    int entryWidth(const QVector<LegendEntry>& entries) const { return icon + gap + textWidth(entries); }

    QFontMetrics metrics;
    int line, icon, gap, between;
};

void prepare(QCPLegend& legend, const QCustomPlot& plot, const LegendSizes& sizes) {
    legend.setFont(plot.font());
    legend.setTextColor(plot.legend->textColor());
    legend.setBrush(plot.legend->brush());
    legend.setBorderPen(Qt::NoPen);
    legend.setMargins(QMargins(sizes.gap, 2, sizes.gap, 2));
    legend.setIconSize(sizes.icon, sizes.line);
    legend.setIconTextPadding(sizes.gap);
    legend.setColumnSpacing(sizes.between);
    legend.setRowSpacing(sizes.line / 8);
}

void elideNames(const QVector<LegendEntry>& entries, const LegendSizes& sizes, int width) {
    for (const LegendEntry& entry : entries)
        entry.curve->setName(sizes.metrics.elidedText(entry.curve->name(), Qt::ElideMiddle, width));
}

/// A legend in columns in a new last row of the plot.
void placeBelow(QCustomPlot& plot, QCPLegend& legend, const QVector<LegendEntry>& entries) {
    const QSize room = plot.viewport().size();
    const auto columns = [&](const LegendSizes& sizes) {
        const int each = sizes.entryWidth(entries) + sizes.between;
        const qsizetype most = std::max((room.width() - 2 * sizes.gap + sizes.between) / each, 1);
        return std::min<qsizetype>(most, entries.size());
    };
    const auto rows = [&](const LegendSizes& sizes) {
        return (entries.size() + columns(sizes) - 1) / columns(sizes);
    };
    LegendSizes sizes(plot, false);
    elideNames(entries, sizes, room.width() / 2 - sizes.icon - sizes.between);
    const auto mostRows = std::max<qsizetype>(
        static_cast<qsizetype>(highestBelow * room.height() / (sizes.line + sizes.line / 8)), 1);
    if (rows(sizes) > mostRows && !entries.front().brief.isEmpty()) {
        sizes = LegendSizes(plot, true);
        for (const LegendEntry& entry : entries) entry.curve->setName(entry.brief);
        entries.front().curve->setName(QObject::tr("bin %1").arg(entries.front().brief));
    }
    prepare(legend, plot, sizes);
    const qsizetype wide = columns(sizes), cells = wide * mostRows;
    const qsizetype shown = entries.size() <= cells ? entries.size() : std::max<qsizetype>(cells - 1, 1);
    legend.setFillOrder(QCPLayoutGrid::foColumnsFirst);
    legend.setWrap(static_cast<int>(wide));
    const int row = plot.plotLayout()->rowCount();
    plot.plotLayout()->addElement(row, 0, &legend);
    plot.plotLayout()->setRowStretchFactor(row, 0.001);
    legend.setLayer(QStringLiteral("legend"));
    for (qsizetype i = 0; i < shown; ++i) entries[i].curve->addToLegend(&legend);
    if (shown < entries.size()) {
        auto* more =
            new QCPTextElement(&plot, QStringLiteral("+ %1").arg(entries.size() - shown), plot.font());
        more->setTextColor(legend.textColor());
        more->setLayer(QStringLiteral("legend"));
        more->setMargins(QMargins());
        legend.addElement(more);
    }
}

void placeBeside(QCustomPlot& plot, const QVector<LegendEntry>& entries, const LegendSizes& sizes) {
    auto* column = new QCPLayoutGrid;
    plot.plotLayout()->addElement(0, 1, column);
    column->addElement(0, 0, plot.legend);
    column->addElement(1, 0, new QCPLayoutElement(&plot));  // takes what is left below
    column->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->setColumnStretchFactor(1, 0.001);
    prepare(*plot.legend, plot, sizes);
    plot.legend->setFillOrder(QCPLayoutGrid::foRowsFirst);
    for (const LegendEntry& entry : entries) entry.curve->addToLegend(plot.legend);
}

}  // namespace

void placeLegend(QCustomPlot& plot, const QVector<LegendEntry>& bins, const QVector<LegendEntry>& runs) {
    const QVector<LegendEntry> all = bins + runs;
    if (all.isEmpty()) return;
    const QSize room = plot.viewport().size();
    const LegendSizes sizes(plot, false);
    plot.axisRect()->insetLayout()->take(plot.legend);
    const bool beside = all.size() <= fewEntries &&
                        sizes.entryWidth(all) + 2 * sizes.gap <= widestBeside * room.width() &&
                        static_cast<double>(all.size()) * sizes.line * 1.2 <= 0.6 * room.height();
    if (beside) return placeBeside(plot, all, sizes);
    plot.plotLayout()->setRowSpacing(0);
    // The panels give way, not the lines of the legend.
    for (QCPAxisRect* rect : plot.axisRects()) {
        rect->setMinimumSize(2 * sizes.line, 2 * sizes.line);
        rect->axis(QCPAxis::atBottom)->setPadding(1);
    }
    placeBelow(plot, *plot.legend, bins);
    if (runs.isEmpty()) return;
    placeBelow(plot, *new QCPLegend, runs);
}

}  // namespace ks::ui
