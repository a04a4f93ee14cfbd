#include "ui/plots/histogram_plot.h"

#include <qcustomplot.h>
#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "ui/base/csv_field.h"
#include "ui/base/palette.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/plot_ticks.h"
#include "ui/plots/plot_view.h"

namespace ks::ui {
namespace {

QPair<double, double> extent(const QVector<HistogramSeries>& series) {
    QPair<double, double> range(0, 0);
    for (const HistogramSeries& one : series) {
        if (one.edges.isEmpty()) continue;
        range.first = std::min(range.first, one.edges.first());
        range.second = std::max(range.second, one.edges.last());
    }
    return range;
}

}  // namespace

HistogramPlot::HistogramPlot(QWidget* parent)
    : QWidget(parent),
      counted_(tr("Number")),
      plot_(new QCustomPlot(this)),
      view_(new PlotView(*plot_, *this, [this] { fit(*plot_); })),
      logXSwitch_(view_->addSwitch(QStringLiteral("logX"), tr("Logarithmic &x axis"),
                                   tr("Bins starting at 0 or below are not shown on a logarithmic axis"),
                                   [this](bool on) { setLogX(on); })),
      logYSwitch_(view_->addSwitch(QStringLiteral("logY"), tr("Logarithmic &y axis"),
                                   tr("Logarithmic counts"), [this](bool on) { setLogY(on); })) {
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->setNoAntialiasingOnDrag(true);
    plot_->setMinimumSize(80, 80);
    plot_->setAccessibleName(tr("Histogram"));
    plot_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    plot_->installEventFilter(this);
    keepTicksApart(*plot_);
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(plot_);
    connect(plot_, &QCustomPlot::mouseMove, this,
            [this](QMouseEvent* event) { hover(event->position().toPoint()); });
    refresh(false);
}

HistogramPlot::~HistogramPlot() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void HistogramPlot::setSeries(const QVector<HistogramSeries>& series) {
    for (const HistogramSeries& one : series) {
        const bool none = one.edges.isEmpty() && one.counts.isEmpty();
        if (!none && one.edges.size() != one.counts.size() + 1)
            throw Error(ErrorKind::run,
                        "a histogram needs one edge more than bins: " + std::to_string(one.edges.size()) +
                            " edges, " + std::to_string(one.counts.size()) + " bins",
                        "histogram " + one.label.toStdString());
        if (std::adjacent_find(one.edges.begin(), one.edges.end(),
                               [](double a, double b) { return !(a < b); }) != one.edges.end())
            throw Error(ErrorKind::run, "the edges of a histogram must ascend",
                        "histogram " + one.label.toStdString());
    }
    const bool keep = !series_.isEmpty() && extent(series_) == extent(series);
    series_ = series;
    refresh(keep);
}

void HistogramPlot::setXAxis(const QString& title, const QString& unit) {
    if (xTitle_ == title && xUnit_ == unit) return;
    xTitle_ = title;
    xUnit_ = unit;
    refresh(true);
}

void HistogramPlot::setCounted(const QString& what) {
    counted_ = what;
    refresh(true);
}

void HistogramPlot::setLogX(bool logarithmic) {
    if (logX_ == logarithmic) return;
    logX_ = logarithmic;
    refresh(false);
}

void HistogramPlot::setLogY(bool logarithmic) {
    if (logY_ == logarithmic) return;
    logY_ = logarithmic;
    refresh(false);
    emit logYChanged(logarithmic);
}

void HistogramPlot::setXTicker(QSharedPointer<QCPAxisTicker> ticker) {
    ticker_ = std::move(ticker);
    refresh(true);
}

void HistogramPlot::setBinText(std::function<QString(double, double)> text) {
    binText_ = std::move(text);
}

void HistogramPlot::setBands(const QVector<HistogramBand>& bands, const QString& name) {
    if (bands_ == bands && bandName_ == name) return;
    bands_ = bands;
    bandName_ = name;
    refresh(true);
}

void HistogramPlot::setMarks(const QVector<HistogramMark>& marks) {
    if (marks_ == marks) return;
    marks_ = marks;
    refresh(true);
}

void HistogramPlot::setEmptyText(const QString& text) {
    if (emptyText_ == text) return;
    emptyText_ = text;
    refresh(true);
}

void HistogramPlot::setFigureName(const QString& name) {
    name_ = name;
}

void HistogramPlot::setLegendVisible(bool visible) {
    legend_ = visible;
    refresh(true);
}

QStringList HistogramPlot::runs() const {
    QStringList names;
    for (const HistogramSeries& one : series_)
        if (!names.contains(one.run)) names << one.run;
    return names;
}

QString HistogramPlot::describe(double x) const {
    QString text, before;
    for (const HistogramSeries& one : series_) {
        const auto above = std::upper_bound(one.edges.begin(), one.edges.end(), x);
        if (above == one.edges.begin() || above == one.edges.end()) continue;
        const double from = *(above - 1), to = *above;
        const QString unit = xUnit_.isEmpty() ? QString() : QStringLiteral(" ") + xUnit_;
        const QString bin =
            binText_ ? binText_(from, to)
                     : tr("bin %1\u2013%2%3").arg(formatNumber(from, 4), formatNumber(to, 4), unit);
        QStringList who;
        if (series_.size() > 1 && !one.label.isEmpty()) who << one.label;
        if (!one.run.isEmpty()) who << one.run;
        const QString count = formatNumber(one.counts[above - one.edges.begin() - 1]);
        // The text names the bin again for series with other bins.
        if (bin != before)
            text += (text.isEmpty() ? QString() : QStringLiteral("; ")) + bin + QStringLiteral(": ");
        else
            text += QStringLiteral(", ");
        text += count + QLatin1Char(' ') + counted_.toLower();
        if (!who.isEmpty()) text += QStringLiteral(" (%1)").arg(who.join(QStringLiteral(", ")));
        before = bin;
    }
    for (const HistogramBand& band : bands_)
        if (!text.isEmpty() && !band.label.isEmpty() && band.from <= x && x <= band.to)
            text += QStringLiteral("; ") + band.label;
    return text;
}

void HistogramPlot::hover(const QPoint& at) {
    const bool inside = plot_->axisRect()->rect().contains(at);
    const QString text = inside ? describe(plot_->xAxis->pixelToCoord(at.x())) : QString();
    if (text == hovered_) return;
    hovered_ = text;
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(plot_->mapToGlobal(at), text, plot_);
    emit pointHovered(text);
}

bool HistogramPlot::eventFilter(QObject* object, QEvent* event) {
    if (object == plot_ && event->type() == QEvent::Leave) hover(QPoint(-1, -1));
    if (object == plot_ && dragMark(event)) return true;
    return QWidget::eventFilter(object, event);
}

void HistogramPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) refresh(true);
}

void HistogramPlot::resetZoom() {
    view_->fit();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void HistogramPlot::refresh(bool keepZoom) {
    view_->change([this] { draw(*plot_, palette(), false); });
    if (!keepZoom || !view_->byHand()) view_->fit();
    logXSwitch_->setChecked(logX_);
    logYSwitch_->setChecked(logY_);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void HistogramPlot::paintFigure(QCPPainter& painter, const QSize& size) const {
    paint(painter, size, true);
}

void HistogramPlot::paintWithoutLegend(QCPPainter& painter, const QSize& size) const {
    paint(painter, size, false);
}

void HistogramPlot::paint(QCPPainter& painter, const QSize& size, bool legend) const {
    QCustomPlot printed;
    prepareFigure(printed, painter, size);
    keepTicksApart(printed);
    draw(printed, figurePalette(painter), legend);
    if (!legend) printed.legend->setVisible(false);
    printed.xAxis->setRange(plot_->xAxis->range());
    printed.yAxis->setRange(plot_->yAxis->range());
    printed.toPainter(&painter, size.width(), size.height());
}

std::string HistogramPlot::csv() const {
    std::string text = "run,series,from,to,count\n";
    for (const HistogramSeries& one : series_)
        for (qsizetype i = 0; i < one.counts.size(); ++i)
            text += csvField(one.run) + ',' + csvField(one.label) + ',' + csvNumber(one.edges[i]) + ',' +
                    csvNumber(one.edges[i + 1]) + ',' + csvNumber(one.counts[i]) + '\n';
    return text;
}

}  // namespace ks::ui
