#include "ui/plots/histogram_plot.h"

#include <qcustomplot.h>
#include <QAction>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "ui/base/csv_field.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/plots/axis_ticker.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/plot_text.h"
#include "ui/plots/plot_view.h"

namespace ks::ui {
namespace {

constexpr double reach = 6;  ///< logical pixels on either side of a mark

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
      content_({.counted = tr("Number")}),
      plot_(new QCustomPlot(this)),
      view_(new PlotView(*plot_, *this, [this] { content_.fit(*plot_); })),
      logXSwitch_(view_->addSwitch(QStringLiteral("logX"), tr("Logarithmic &x axis"),
                                   tr("Bins that start at 0 or below are not shown on a logarithmic axis"),
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
    keepTitlesInside(*plot_);
    setLayout(inRows({plot_}));
    new HoverText(
        *plot_,
        [this](const QPointF& at) {
            const bool inside = plot_->axisRect()->rect().contains(at.toPoint());
            return inside ? describe(plot_->xAxis->pixelToCoord(at.x())) : QString();
        },
        [this](const QString& text) { emit pointHovered(text); });
    refresh(false);
    new Restyled(this, Restyled::By::paletteOrFont, [this] { refresh(true); });
}

HistogramPlot::~HistogramPlot() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void HistogramPlot::setSeries(const QVector<HistogramSeries>& series) {
    for (const HistogramSeries& one : series) {
        const bool none = one.edges.isEmpty() && one.counts.isEmpty();
        if (!none && one.edges.size() != one.counts.size() + 1)
            throw Error(ErrorKind::run,
                        "a histogram needs one more edge than bins: " + std::to_string(one.edges.size()) +
                            " edges, " + std::to_string(one.counts.size()) + " bins",
                        "histogram " + one.label.toStdString());
        if (std::adjacent_find(one.edges.begin(), one.edges.end(),
                               [](double a, double b) { return !(a < b); }) != one.edges.end())
            throw Error(ErrorKind::run, "the edges of a histogram must ascend",
                        "histogram " + one.label.toStdString());
    }
    const bool keep = !content_.series.isEmpty() && extent(content_.series) == extent(series);
    content_.series = series;
    refresh(keep);
}

void HistogramPlot::setXAxis(const QString& title, const QString& unit) {
    set(&HistogramContent::xTitle, title);
    set(&HistogramContent::xUnit, unit);
}

void HistogramPlot::setLogY(bool logarithmic) {
    if (content_.logY == logarithmic) return;
    set(&HistogramContent::logY, logarithmic, false);
    emit logYChanged(logarithmic);
}

void HistogramPlot::setBands(const QVector<HistogramBand>& bands, const QString& name) {
    set(&HistogramContent::bands, bands);
    set(&HistogramContent::bandName, name);
}

QString HistogramPlot::describe(double x) const {
    QString text, before;
    for (const HistogramSeries& one : content_.series) {
        const auto above = std::upper_bound(one.edges.begin(), one.edges.end(), x);
        if (above == one.edges.begin() || above == one.edges.end()) continue;
        const double from = *(above - 1), to = *above;
        const QString unit = content_.xUnit.isEmpty() ? QString() : QStringLiteral(" ") + content_.xUnit;
        const QString bin =
            binText_ ? binText_(from, to)
                     : tr("bin %1\u2013%2%3").arg(formatNumber(from, 4), formatNumber(to, 4), unit);
        QStringList who;
        if (content_.series.size() > 1 && !one.label.isEmpty()) who << one.label;
        if (!one.run.isEmpty()) who << one.run;
        const double number = one.counts[above - one.edges.begin() - 1];
        const QString count = formatNumber(number);
        // The text names the bin again for series with other bins.
        if (bin != before)
            text += (text.isEmpty() ? QString() : QStringLiteral("; ")) + bin + QStringLiteral(": ");
        else
            text += QStringLiteral(", ");
        text += count + QLatin1Char(' ') +
                (number == 1 && !oneOf_.isEmpty() ? oneOf_ : content_.counted.toLower());
        if (!who.isEmpty()) text += QStringLiteral(" (%1)").arg(who.join(QStringLiteral(", ")));
        before = bin;
    }
    for (const HistogramBand& band : content_.bands)
        if (!text.isEmpty() && !band.label.isEmpty() && band.from <= x && x <= band.to)
            text += QStringLiteral("; ") + band.label;
    return text;
}

std::optional<int> HistogramPlot::markAt(const QPointF& at) const {
    if (!plot_->axisRect()->rect().contains(at.toPoint())) return std::nullopt;
    std::optional<int> nearest;
    double away = reach;
    for (int i = 0; i < content_.marks.size(); ++i) {
        const double distance = std::abs(plot_->xAxis->coordToPixel(content_.marks[i].x) - at.x());
        if (distance > away) continue;
        nearest = i;
        away = distance;
    }
    return nearest;
}

// A press on a line must not reach the plot, whose range would be dragged as well.
bool HistogramPlot::dragMark(QEvent* event) {
    const bool press = event->type() == QEvent::MouseButtonPress, move = event->type() == QEvent::MouseMove,
               release = event->type() == QEvent::MouseButtonRelease;
    if (!press && !move && !release) return false;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (press && mouse->button() == Qt::LeftButton) {
        dragged_ = markAt(mouse->position());
        return dragged_.has_value();
    }
    if (!dragged_) {
        if (move && mouse->buttons() == Qt::NoButton)
            plot_->setCursor(markAt(mouse->position()) ? Qt::SplitHCursor : Qt::ArrowCursor);
        return false;
    }
    const int mark = *dragged_;
    if (release) dragged_.reset();
    emit markDragged(mark, plot_->xAxis->pixelToCoord(mouse->position().x()), release);
    return true;
}

bool HistogramPlot::eventFilter(QObject* object, QEvent* event) {
    // The lines of a note and the room for the legend depend on the size.
    if (object == plot_ && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(
            this, [this] { refresh(true); }, Qt::QueuedConnection);
    if (object == plot_ && dragMark(event)) return true;
    return QWidget::eventFilter(object, event);
}

void HistogramPlot::resetZoom() {
    view_->fit();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void HistogramPlot::refresh(bool keepZoom) {
    view_->change([this] { content_.draw(*plot_, palette(), false); });
    if (!keepZoom || !view_->byHand()) view_->fit();
    logXSwitch_->setChecked(content_.logX);
    logYSwitch_->setChecked(content_.logY);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void HistogramPlot::paint(QCPPainter& painter, const QSize& size, bool legend) const {
    QCustomPlot printed;
    prepareFigure(printed, painter, size);
    keepTicksApart(printed);
    content_.draw(printed, figurePalette(painter), legend);
    if (!legend) printed.legend->setVisible(false);
    printed.xAxis->setRange(plot_->xAxis->range());
    printed.yAxis->setRange(plot_->yAxis->range());
    printed.toPainter(&painter, size.width(), size.height());
}

std::string HistogramPlot::csv() const {
    const bool runs =
        std::ranges::any_of(content_.series, [](const auto& one) { return !one.run.isEmpty(); });
    const bool labels =
        std::ranges::any_of(content_.series, [](const auto& one) { return !one.label.isEmpty(); });
    QStringList titles;
    if (runs) titles << QStringLiteral("run");
    if (labels) titles << QStringLiteral("series");
    const QString title = edgeTitle_.isEmpty() ? content_.xTitle : edgeTitle_,
                  unit = edgeTitle_.isEmpty() ? content_.xUnit : edgeUnit_;
    titles << titleWithUnit(tr("%1 from").arg(title).trimmed(), unit)
           << titleWithUnit(tr("%1 to").arg(title).trimmed(), unit)
           << (content_.counted.isEmpty() ? QStringLiteral("count") : content_.counted);
    if (!content_.note.isEmpty()) titles << QStringLiteral("note");
    std::string text = csvHeader(titles);
    const std::string end = content_.note.isEmpty() ? "\n" : ',' + csvField(content_.note) + '\n';
    for (const HistogramSeries& one : content_.series)
        for (qsizetype i = 0; i < one.counts.size(); ++i) {
            if (runs) text += csvField(one.run) + ',';
            if (labels) text += csvField(one.label) + ',';
            text += csvNumber(one.edges[i]) + ',' + csvNumber(one.edges[i + 1]) + ',' +
                    csvNumber(one.counts[i]) + end;
        }
    return text;
}

}  // namespace ks::ui
