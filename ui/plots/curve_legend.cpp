#include "ui/plots/curve_legend.h"
#include "ui/base/count_text.h"

#include <QStringList>
#include <algorithm>

namespace ks::ui {
namespace {

constexpr qsizetype fewEntries = 8;
constexpr double widestBeside = 0.3;  ///< share of the figure's width
constexpr double highestOfBins = 0.25,
                 highestOfRuns = 0.08;  ///< share of the figure's height, below the axes
constexpr double smallFont = 0.75;
constexpr int smallestFont = 6;
constexpr int markHeight = 8;  ///< height of a point in an entry, in pixels

enum class LegendForm { full, brief, small };

QFont fontOf(const QCustomPlot& plot, LegendForm form) {
    QFont font = plot.font();
    if (form != LegendForm::small) return font;
    const int pixels = QFontInfo(font).pixelSize();
    font.setPixelSize(std::max(static_cast<int>(pixels * smallFont), std::min(smallestFont, pixels)));
    return font;
}

/// Sizes of the entries of one legend in pixels, derived from the font.
struct LegendSizes {
    LegendSizes(const QCustomPlot& plot, LegendForm form_)
        : form(form_),
          font(fontOf(plot, form_)),
          metrics(font),
          line(std::max(metrics.height(), markHeight)),
          icon(form == LegendForm::full ? 2 * line : line + 1),
          gap(std::max(line / 3, 3)),
          between(form == LegendForm::full ? line : line / 2) {}

    bool inFull() const { return form == LegendForm::full; }
    QString textOf(const LegendEntry& entry) const {
        return inFull() || entry.brief.isEmpty() ? entry.curve->name() : entry.brief;
    }
    int entryWidth(const QVector<LegendEntry>& entries) const {
        int widest = 0;
        for (const LegendEntry& entry : entries)
            widest = std::max(widest, metrics.horizontalAdvance(textOf(entry)) + 2);
        return icon + gap + widest;
    }

    LegendForm form;
    QFont font;
    QFontMetrics metrics;
    int line, icon, gap, between;
};

/// A legend in columns of a figure.
struct LegendGrid {
    LegendGrid(const LegendSizes& sizes, const QSize& room, const QVector<LegendEntry>& entries,
               const QString& heading_, double highest)
        : heading(heading_), cells(entries.size() + (heading.isEmpty() ? 0 : 1)) {
        const int each =
            std::max(sizes.entryWidth(entries), sizes.metrics.horizontalAdvance(heading) + 2) + sizes.between;
        columns = std::max((room.width() - 2 * sizes.gap + sizes.between) / each, 1);
        columns = std::min(columns, cells);
        mostRows =
            std::max(static_cast<qsizetype>(highest * room.height() / (1.125 * sizes.line)), qsizetype{1});
    }
    bool fits() const { return cells <= columns * mostRows; }
    /// Number of listed entries. If not all fit, one line is reserved for the note on the rest.
    qsizetype listed() const {
        const qsizetype headings = heading.isEmpty() ? 0 : 1;
        if (fits()) return cells - headings;
        return std::max<qsizetype>(columns * std::max<qsizetype>(mostRows - 1, 1) - headings, 1);
    }

    QString heading;
    qsizetype cells, columns = 1, mostRows = 1;
};

void prepare(QCPLegend& legend, const QCustomPlot& plot, const LegendSizes& sizes) {
    legend.setFont(sizes.font);
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

QCPTextElement* legendText(QCustomPlot& plot, const QString& text, const LegendSizes& sizes) {
    auto* element = new QCPTextElement(&plot, text, sizes.font);
    element->setTextColor(plot.legend->textColor());
    element->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    element->setLayer(QStringLiteral("legend"));
    element->setMargins(QMargins());
    return element;
}

/// A new last row of the plot, no higher than its content.
void addRow(QCustomPlot& plot, QCPLayoutElement* element) {
    const int row = plot.plotLayout()->rowCount();
    plot.plotLayout()->addElement(row, 0, element);
    plot.plotLayout()->setRowStretchFactor(row, 0.001);
}

/// A legend in columns in a new last row of the plot.
/// @param highest share of the figure's height
void placeBelow(QCustomPlot& plot, QCPLegend& legend, const QVector<LegendEntry>& entries,
                const QString& heading, bool always, double highest) {
    const QSize room = plot.viewport().size();
    LegendSizes sizes(plot, LegendForm::full);
    // Entries without a brief name are cut so that two fit next to each other.
    const int borders = entries.front().brief.isEmpty() ? 2 * sizes.gap + 2 : 0;
    elideNames(entries, sizes, room.width() / 2 - sizes.icon - sizes.between - borders);
    LegendGrid grid(sizes, room, entries, always ? heading : QString(), highest);
    for (const LegendForm form : {LegendForm::brief, LegendForm::small}) {
        if (grid.fits() || entries.front().brief.isEmpty()) break;
        sizes = LegendSizes(plot, form);
        grid = LegendGrid(sizes, room, entries, heading, highest);
    }
    for (const LegendEntry& entry : entries) entry.curve->setName(sizes.textOf(entry));
    prepare(legend, plot, sizes);
    legend.setFillOrder(QCPLayoutGrid::foColumnsFirst);
    legend.setWrap(static_cast<int>(grid.columns));
    addRow(plot, &legend);
    legend.setLayer(QStringLiteral("legend"));
    if (!grid.heading.isEmpty()) legend.addElement(legendText(plot, grid.heading, sizes));
    const qsizetype listed = grid.listed();
    for (qsizetype i = 0; i < listed; ++i) entries[i].curve->addToLegend(&legend);
    if (listed == entries.size()) return;
    QVector<int> left;
    for (const LegendEntry& entry : entries.mid(listed))
        if (entry.bin) left << *entry.bin;
    QString text = left.isEmpty() ? QObject::tr("not listed: %1")
                                        .arg(counted(static_cast<std::size_t>(entries.size() - listed),
                                                     QObject::tr("1 run"), QObject::tr("%1 runs")))
                                  : QObject::tr("not listed: bins %1").arg(rangesText(left));
    text = sizes.metrics.elidedText(text, Qt::ElideRight, room.width() - 2 * sizes.gap);
    QCPTextElement* const more = legendText(plot, text, sizes);
    more->setMargins(QMargins(sizes.gap, 0, sizes.gap, 0));
    addRow(plot, more);
}

void placeBeside(QCustomPlot& plot, const QVector<LegendEntry>& entries, const QString& heading,
                 const LegendSizes& sizes) {
    moveLegendBeside(plot);
    prepare(*plot.legend, plot, sizes);
    plot.legend->setFillOrder(QCPLayoutGrid::foRowsFirst);
    if (!heading.isEmpty()) plot.legend->addElement(legendText(plot, heading, sizes));
    for (const LegendEntry& entry : entries) entry.curve->addToLegend(plot.legend);
}

}  // namespace

void moveLegendBeside(QCustomPlot& plot) {
    auto* column = new QCPLayoutGrid;
    plot.plotLayout()->addElement(0, 1, column);
    column->addElement(0, 0, plot.legend);
    column->addElement(1, 0, new QCPLayoutElement(&plot));  // takes the remaining space below
    column->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->setColumnStretchFactor(1, 0.001);
}

QString rangesText(const QVector<int>& numbers) {
    QStringList ranges;
    for (qsizetype from = 0, to = 0; from < numbers.size(); from = to) {
        to = from + 1;
        while (to < numbers.size() && numbers[to] == numbers[to - 1] + 1) ++to;
        ranges << (to - from == 1 ? QString::number(numbers[from])
                                  : QStringLiteral("%1\u2013%2").arg(numbers[from]).arg(numbers[to - 1]));
    }
    return ranges.join(QStringLiteral(", "));
}

void placeLegend(QCustomPlot& plot, const QVector<LegendEntry>& bins, const QVector<LegendEntry>& runs,
                 const QString& heading, bool always) {
    const QVector<LegendEntry> all = bins + runs;
    if (all.isEmpty()) return;
    const QSize room = plot.viewport().size();
    const LegendSizes sizes(plot, LegendForm::full);
    plot.axisRect()->insetLayout()->take(plot.legend);
    const QString shown = always ? heading : QString();
    const qsizetype lines = all.size() + (shown.isEmpty() ? 0 : 1);
    const int widest = std::max(sizes.entryWidth(all), sizes.metrics.horizontalAdvance(shown) + 2);
    // For a single entry, a line below the axes takes less room than a column.
    const bool beside = lines > 1 && all.size() <= fewEntries &&
                        widest + 2 * sizes.gap <= widestBeside * room.width() &&
                        static_cast<double>(lines) * sizes.line * 1.2 <= 0.6 * room.height();
    if (beside) return placeBeside(plot, all, shown, sizes);
    plot.plotLayout()->setRowSpacing(0);
    // The panels shrink, not the lines of the legend.
    for (QCPAxisRect* rect : plot.axisRects()) {
        rect->setMinimumSize(2 * sizes.line, 2 * sizes.line);
        rect->axis(QCPAxis::atBottom)->setPadding(1);
    }
    placeBelow(plot, *plot.legend, bins, heading, always, highestOfBins);
    if (runs.isEmpty()) return;
    placeBelow(plot, *new QCPLegend, runs, {}, false, highestOfRuns);
}

}  // namespace ks::ui
