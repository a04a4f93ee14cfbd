#include "ui/plots/curve_plot.h"

#include <algorithm>
#include <limits>

#include <QAction>
#include <QListWidget>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolButton>

#include "core/base/error.h"
#include "ui/base/count_text.h"
#include "ui/base/csv_field.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_keys.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/plot_view.h"

namespace ks::ui {
namespace {

constexpr int binRole = Qt::UserRole;
constexpr int runRole = Qt::UserRole + 1;
constexpr int widestLegend = 190;
constexpr int roomy = 600;   ///< narrower plots have small legend icons
constexpr int narrow = 260;  ///< plots this narrow have no room for a legend

/// Ticks the item of a bin or a run without emitting a signal.
void tick(QListWidget& legend, int role, const QVariant& value, bool on) {
    const QSignalBlocker quiet(&legend);
    for (int i = 0; i < legend.count(); ++i) {
        QListWidgetItem* item = legend.item(i);
        if (item->data(role) == value) item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    }
    legend.viewport()->update();
}

QPair<double, double> extent(const QVector<CurveSeries>& series) {
    QPair<double, double> range(0, 0);
    for (const CurveSeries& curve : series) {
        if (curve.x.isEmpty()) continue;
        range.first = std::min(range.first, curve.x.first());
        range.second = std::max(range.second, curve.x.last());
    }
    return range;
}

}  // namespace

CurvePlot::CurvePlot(QWidget* parent)
    : QWidget(parent),
      figure_(new CurveFigure(this)),
      legend_(new QListWidget(this)),
      view_(new PlotView(*figure_, *this, [this] { figure_->resetZoom(); })),
      logX_(view_->addSwitch(QStringLiteral("logX"), tr("Logarithmic &x axis"),
                             tr("Logarithmic horizontal axis; a delay of 0 appears only on the linear axis"),
                             [this](bool on) { setLogX(on); })),
      logY_(view_->addSwitch(QStringLiteral("logY"), tr("Logarithmic &y axis"),
                             tr("Logarithmic vertical axis"), [this](bool on) { setLogY(on); })) {
    legend_->setAccessibleName(tr("Legend"));
    legend_->setWhatsThis(tr("Tick a curve to draw it, untick to hide it"));
    legend_->setToolTip(tr("Tick the curves that are to be drawn"));
    legend_->setFrameShape(QFrame::NoFrame);
    legend_->viewport()->setAutoFillBackground(false);  // unticked boxes stand out from the window
    legend_->setSelectionMode(QAbstractItemView::NoSelection);
    legend_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    legend_->setTextElideMode(Qt::ElideMiddle);  // runs of one file differ at both ends of their names
    legend_->setIconSize(QSize(24, 12));
    legend_->setUniformItemSizes(true);
    view_->addCorner(logX_, tr("log x"));
    figure_->setAccessibleName(tr("Curves"));

    setLayout(inColumns({{figure_, 1}, legend_}, 8));
    figure_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);

    connect(figure_, &CurveFigure::pointHovered, this, &CurvePlot::pointHovered);
    connect(figure_, &CurveFigure::pointClicked, this,
            [this](qsizetype curve, qsizetype point, Qt::KeyboardModifiers modifiers) {
                emit pointClicked(drawn_[static_cast<std::size_t>(curve)], point, modifiers);
            });
    connect(figure_, &CurveFigure::edgeDragged, this, &CurvePlot::edgeDragged);
    connect(figure_, &CurveFigure::rangeDragged, this, &CurvePlot::rangeDragged);
    connect(legend_, &QListWidget::itemChanged, this, &CurvePlot::legendTicked);
    present(CurveContent(figure_->content()), false);
    layoutLegend();
    new Restyled(this, Restyled::By::paletteOrFont, [this] {
        present(CurveContent(figure_->content()), true);
        fillLegend();
    });
}

CurvePlot::~CurvePlot() = default;

void CurvePlot::present(const CurveContent& content, bool sameData) {
    view_->change([&] { figure_->present(content, palette(), true); });
    if (!sameData || !view_->byHand()) view_->fit();
    showSwitches();
}

template <class T>
void CurvePlot::set(T CurveContent::*part, const T& value, bool sameData) {
    if (figure_->content().*part == value) return;
    CurveContent content = figure_->content();
    content.*part = value;
    present(content, sameData);
}

void CurvePlot::showSwitches() {
    const CurveContent& content = figure_->content();
    logX_->setChecked(content.logX);
    logY_->setChecked(content.logY);
    logX_->setVisible(logOffered_);
    if (auto* corner = figure_->findChild<QToolButton*>(logX_->objectName()))
        corner->setVisible(logOffered_ && !content.hints());
}

void CurvePlot::setSeries(const QVector<CurveSeries>& series) {
    for (const CurveSeries& curve : series) {
        if (curve.x.size() != curve.y.size() ||
            (!curve.yerr.isEmpty() && curve.yerr.size() != curve.y.size()) ||
            (!curve.low.isEmpty() && curve.low.size() != curve.y.size()) ||
            curve.high.size() != curve.low.size() ||
            (!curve.leftOut.isEmpty() && curve.leftOut.size() != curve.y.size())) {
            throw Error(ErrorKind::run,
                        "expected as many y values and errors as x values, found " +
                            std::to_string(curve.x.size()) + " x, " + std::to_string(curve.y.size()) +
                            " y, " + std::to_string(std::max(curve.yerr.size(), curve.low.size())) +
                            " errors",
                        "curve " + curve.label.toStdString());
        }
    }
    CurveContent content = figure_->content();
    const bool same = !series_.isEmpty() && extent(series_) == extent(series);
    series_ = series;
    choose(content);
    QSet<int> bins;
    QSet<QString> runs;
    for (const CurveSeries& curve : series) {
        bins.insert(curve.bin);
        runs.insert(curve.run);
    }
    content.hiddenBins.unite(held_.bins).intersect(bins);
    content.hiddenRuns.unite(held_.runs).intersect(runs);
    present(content, same);
    fillLegend();
}

bool CurvePlot::choose(CurveContent& content) {
    const DrawnCurves chosen = drawnCurves(series_, content.pickedBin, mostCurves);
    content.series = chosen.series;
    limitedCurves_ = chosen.bins == chosen.of ? QString()
                     : ofBins_                ? tr("%1 of %2 bins are drawn").arg(chosen.bins).arg(chosen.of)
                               : tr("%1 of %2 curves are drawn").arg(chosen.bins).arg(chosen.of);
    content.limited = joinedTexts({limitedCurves_, limitedBands_}, QStringLiteral("\n"));
    const bool changed = chosen.positions != drawn_;
    drawn_ = chosen.positions;
    return changed;
}

void CurvePlot::setXAxis(const QString& title, const QString& unit) {
    CurveContent content = figure_->content();
    if (content.xTitle == title && content.xUnit == unit) return;
    const bool same = content.xUnit == unit;
    content.xTitle = title;
    content.xUnit = unit;
    present(content, same);
}

void CurvePlot::setYAxis(const QString& title, const QString& unit) {
    CurveContent content = figure_->content();
    if (content.yTitle == title && content.yUnit == unit) return;
    content.yTitle = title;
    content.yUnit = unit;
    present(content, false);
}

void CurvePlot::setLogX(bool logarithmic) {
    set(&CurveContent::logX, logarithmic, false);
}

bool CurvePlot::logX() const {
    return figure_->content().logX;
}

void CurvePlot::setLogOffered(bool offered) {
    if (!offered) setLogX(false);
    logOffered_ = offered;
    showSwitches();
}

void CurvePlot::setLogY(bool logarithmic) {
    set(&CurveContent::logY, logarithmic, false);
}

void CurvePlot::setDifferenceVisible(bool visible) {
    set(&CurveContent::difference, visible, false);
}

void CurvePlot::setPickedBin(std::optional<int> bin) {
    if (figure_->content().pickedBin == bin) return;
    CurveContent content = figure_->content();
    content.pickedBin = bin;
    const bool other = static_cast<qsizetype>(drawn_.size()) < series_.size() && choose(content);
    present(content, true);
    if (other) fillLegend();
}

void CurvePlot::setBands(const QVector<CurveBand>& bands) {
    CurveContent content = figure_->content();
    const bool draws = bands.size() <= mostBands;
    limitedBands_ = draws ? QString() : tr("%1 bands are too many to be drawn").arg(bands.size());
    content.limited = joinedTexts({limitedCurves_, limitedBands_}, QStringLiteral("\n"));
    content.bands = draws ? bands : QVector<CurveBand>();
    if (content.bands == figure_->content().bands && content.limited == figure_->content().limited) return;
    present(content, true);
}

void CurvePlot::setRangeTool(bool on) {
    figure_->setRangeTool(on);
}

void CurvePlot::setNote(const QString& note, const QString& brief) {
    figure_->setNote(note, brief, palette());
}

const QString& CurvePlot::note() const {
    return figure_->content().note;
}

void CurvePlot::setEmptyText(const QString& text) {
    set(&CurveContent::emptyText, text, true);
}

void CurvePlot::setBinVisible(int bin, bool visible) {
    if (binVisible(bin) == visible) return;
    CurveContent content = figure_->content();
    if (visible)
        content.hiddenBins.remove(bin);
    else
        content.hiddenBins.insert(bin);
    present(content, true);
    tick(*legend_, binRole, bin, visible);
    emit binVisibilityChanged(bin, visible);
}

bool CurvePlot::binVisible(int bin) const {
    return !figure_->content().hiddenBins.contains(bin);
}

HiddenCurves CurvePlot::hidden() const {
    return {figure_->content().hiddenBins | held_.bins, figure_->content().hiddenRuns | held_.runs};
}

void CurvePlot::holdHidden(const HiddenCurves& hidden) {
    held_ = hidden;
    const QVector<CurveSeries> shown = series();
    for (const CurveSeries& curve : shown) {
        setBinVisible(curve.bin, !hidden.bins.contains(curve.bin));
        setRunVisible(curve.run, !hidden.runs.contains(curve.run));
    }
}

void CurvePlot::setRunVisible(const QString& run, bool visible) {
    CurveContent content = figure_->content();
    if (content.hiddenRuns.contains(run) != visible) return;
    if (visible)
        content.hiddenRuns.remove(run);
    else
        content.hiddenRuns.insert(run);
    present(content, true);
    tick(*legend_, runRole, run, visible);
}

void CurvePlot::setLegendTitle(const QString& title) {
    CurveContent content = figure_->content();
    if (content.legendTitle == title) return;
    content.legendTitle = title;
    present(content, true);
    fillLegend();
}

void CurvePlot::setLegendVisible(bool visible) {
    legendWanted_ = visible;
    layoutLegend();
}

int CurvePlot::visibleCurves() const {
    return figure_->curves();
}

void CurvePlot::fillLegend() {
    const QSignalBlocker quiet(legend_);
    const int scrolled = legend_->verticalScrollBar()->value();
    legend_->clear();
    const CurveContent& content = figure_->content();
    const bool dark = isDark(palette());
    const auto add = [&](const QString& text, const QString& full, const QIcon& icon, bool on) {
        auto* item = new QListWidgetItem(icon, text, legend_);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
        item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
        item->setToolTip(full.isEmpty() ? text : full);
        return item;
    };
    const QStringList runs = content.runs();
    if (content.namesRuns()) {
        for (qsizetype i = 0; i < runs.size(); ++i) {
            const std::optional<qsizetype> hue = content.hueOf(runs[i]);
            const QColor line = content.isForeign(runs[i]) ? binColour(0, dark)
                                : hue                      ? runColour(*hue, dark)
                                                           : palette().color(QPalette::Text);
            QListWidgetItem* item = add(runs[i], content.inFull(runs[i]),
                                        curveSwatch(line, runPattern(i), false, devicePixelRatioF()),
                                        !content.hiddenRuns.contains(runs[i]));
            item->setData(runRole, runs[i]);
        }
    }
    if (!content.legendTitle.isEmpty() && !content.series.isEmpty()) {
        auto* title = new QListWidgetItem(content.legendTitle, legend_);
        title->setFlags(Qt::ItemIsEnabled);  // no box to tick, but as readable as the rest
        title->setToolTip(content.legendTitle);
    }
    QSet<int> seen;
    for (const CurveSeries& curve : content.series) {
        if (seen.contains(curve.bin)) continue;
        seen.insert(curve.bin);
        // Where each run has its colour, the entry of all runs has none of them.
        const QColor colour =
            curve.hue ? palette().color(QPalette::Text) : binColour(curve.foreign ? 0 : curve.bin, dark);
        QListWidgetItem* item =
            add(curve.legendLabel().isEmpty() ? tr("bin %1").arg(curve.bin) : curve.legendLabel(),
                curve.legendLabelInFull(),
                curveSwatch(curve.colour.value_or(colour), Qt::SolidLine, true, devicePixelRatioF()),
                !content.hiddenBins.contains(curve.bin));
        item->setData(binRole, curve.bin);
    }
    layoutLegend();
    legend_->verticalScrollBar()->setValue(scrolled);
}

void CurvePlot::layoutLegend() {
    legend_->setIconSize(QSize(width() < roomy ? 16 : 24, 12));
    // The first row may be a title, which is lower than rows with a box.
    const int row = std::max(legend_->sizeHintForRow(0), legend_->sizeHintForRow(legend_->count() - 1));
    const bool scrolls = legend_->count() * row > height();
    // Set explicitly: a bar that appears by itself would cut the names.
    legend_->setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    const int bar = scrolls ? legend_->verticalScrollBar()->sizeHint().width() : 0;
    const int wanted = legend_->count() ? legend_->sizeHintForColumn(0) + bar + 4 : 0;
    legend_->setVisible(legendWanted_ && legend_->count() > 0 && width() > narrow);
    legend_->setFixedWidth(std::clamp(wanted, 1, std::max(std::min(widestLegend, width() * 2 / 5), 1)));
}

void CurvePlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layoutLegend();
}

void CurvePlot::legendTicked(QListWidgetItem* item) {
    const bool on = item->checkState() == Qt::Checked;
    held_ = {};
    if (item->data(runRole).isValid())
        setRunVisible(item->data(runRole).toString(), on);
    else
        setBinVisible(item->data(binRole).toInt(), on);
}

void CurvePlot::resetZoom() {
    view_->fit();
}

void CurvePlot::paint(QCPPainter& painter, const QSize& size, FigureLegend legend) const {
    CurveFigure printed;
    prepareFigure(printed, painter, size);
    printed.present(figure_->content(), figurePalette(painter), true, legend);
    printed.copyRanges(*figure_);
    printed.toPainter(&painter, size.width(), size.height());
}

QString CurvePlot::whyEmpty() const {
    const CurveContent& content = figure_->content();
    return content.hints() ? content.emptyText : QString();
}

std::string CurvePlot::csv() const {
    return table(std::numeric_limits<qsizetype>::max());
}

std::string CurvePlot::csvBegin() const {
    return table(100);
}

std::string CurvePlot::table(qsizetype most) const {
    const CurveContent& content = figure_->content();
    const auto shown = [this, &content](const auto& holds) {
        return std::ranges::any_of(
            series_, [&](const CurveSeries& curve) { return content.shows(curve) && holds(curve); });
    };
    const auto runOf = [](const CurveSeries& one) {
        return one.runInFull.isEmpty() ? one.run : one.runInFull;
    };
    const auto labelOf = [](const CurveSeries& one) {
        return one.labelInFull.isEmpty() ? one.label : one.labelInFull;
    };
    // A column that would be empty says nothing; neither does the number of a colour.
    const bool runs = shown([&](const CurveSeries& one) { return !runOf(one).isEmpty(); });
    const bool labels = shown([&](const CurveSeries& one) { return !labelOf(one).isEmpty(); });
    // A plot of errors has no errors of errors.
    const bool errors = shown([](const CurveSeries& one) { return !one.yerr.isEmpty(); });
    const bool quartiles = shown([](const CurveSeries& one) { return !one.low.isEmpty(); });
    const bool noted = !note().isEmpty();
    QStringList titles;
    if (runs) titles << QStringLiteral("run");
    if (ofBins_) titles << QStringLiteral("bin");
    if (labels) titles << QStringLiteral("label");
    titles << titleWithUnit(content.xTitle, content.xUnit) << titleWithUnit(content.yTitle, content.yUnit);
    const auto ofY = [&content](const QString& title) { return titleWithUnit(title, content.yUnit); };
    if (errors) titles << ofY(tr("error of %1").arg(content.yTitle));
    if (quartiles)
        titles << ofY(tr("lower quartile of %1").arg(content.yTitle))
               << ofY(tr("upper quartile of %1").arg(content.yTitle));
    if (noted) titles << QStringLiteral("note");
    std::string text = csvHeader(titles);
    const std::string end = (noted ? ',' + csvField(note()) : std::string()) + '\n';
    for (const CurveSeries& curve : series()) {
        if (!content.shows(curve)) continue;
        std::string head;
        if (runs) head += csvField(runOf(curve)) + ',';
        if (ofBins_) head += std::to_string(curve.bin) + ',';
        if (labels) head += csvField(labelOf(curve)) + ',';
        for (qsizetype i = 0; i < curve.x.size() && most > 0; ++i, --most) {
            text += head + csvNumber(curve.x[i]) + ',' + csvNumber(curve.y[i]);
            if (errors) text += ',';
            if (!curve.yerr.isEmpty()) text += csvNumber(curve.yerr[i]);
            if (!curve.low.isEmpty())
                text += ',' + csvNumber(curve.low[i]) + ',' + csvNumber(curve.high[i]);
            else if (quartiles)
                text += ",,";
            text += end;
        }
    }
    return text;
}

}  // namespace ks::ui
