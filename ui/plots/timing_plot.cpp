#include "ui/plots/timing_plot.h"

#include <algorithm>

#include <qcustomplot.h>
#include <QAction>

#include "ui/plots/axis_ticker.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/plot_view.h"
#include "ui/plots/timing_bars.h"

namespace ks::ui {
namespace {

constexpr int rowHeight = 24;
constexpr int frameHeight = 64;  ///< axis and its title

int heightFor(int rows) {
    return frameHeight + rowHeight * std::max(rows, 1);
}

}  // namespace

TimingPlot::TimingPlot(QWidget* parent)
    : PlotWidget(
          tr("Stage timings"), [this] { bars_->resetZoom(); }, parent),
      bars_(new TimingBars(plot_)),
      kernelsSwitch_(view_->addSwitch(QStringLiteral("kernelsOnly"), tr("&Kernels only"),
                                      tr("Hide reading, transfers and host work"),
                                      [this](bool on) { setKernelsOnly(on); })) {
    emptyText_ = tr("Tick runs in the table to see how their time is spent");
    // The plot is resized after this widget, and its margins are known only after a layout.
    connect(plot_, &QCustomPlot::afterLayout, this, [this, fittedWidth = 0]() mutable {
        if (runs_.isEmpty()) return;
        const QCPRange before = plot_->xAxis->range();
        const int width = plot_->viewport().width();
        if (width != fittedWidth) {
            fittedWidth = width;
            bars_->fitWidth();
            layOut(*plot_);
        }
        if (!view_->byHand()) view_->change([this] { bars_->resetZoom(); });
        if (plot_->xAxis->range() != before) layOut(*plot_);
    });
    setRuns({});
}

void TimingPlot::draw(QCustomPlot& plot, const QPalette& palette) const {
    marksIn(plot, bars_).present(runs_, palette, kernelsOnly_);
}

void TimingPlot::present() {
    PlotWidget::present();
    setMinimumHeight(runs_.isEmpty() ? 0 : bars_->leastHeight());
}

QString TimingPlot::describe(const QPointF& at) const {
    const auto [run, stage] = bars_->barAt(at);
    return run < 0 ? QString() : runs_[run].run + QLatin1Char('\n') + bars_->describe(run, stage);
}

void TimingPlot::setRuns(const QVector<TimingSeries>& runs) {
    runs_ = runs;
    present();
    updateGeometry();
    resetZoom();
}

void TimingPlot::setMarks(const QStringList& marks) {
    for (qsizetype i = 0; i < runs_.size(); ++i) runs_[i].mark = marks.value(i);
    present();
}

void TimingPlot::setMostOfShortest(double times) {
    mostOfShortest_ = times;
    bars_->setMostOfShortest(times);
    resetZoom();
}

void TimingPlot::setKernelsOnly(bool only) {
    if (kernelsOnly_ == only) return;
    kernelsOnly_ = only;
    kernelsSwitch_->setChecked(only);
    present();
    resetZoom();
    emit kernelsOnlyChanged(only);
}

QRectF TimingPlot::barRect(int run, int stage) const {
    return bars_->barRect(run, stage);
}

void TimingPlot::resetZoom() {
    view_->fit();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

QSize TimingPlot::sizeHint() const {
    return {420, heightFor(bars_->rows())};
}

QSize TimingPlot::figureSize() const {
    return {800, heightFor(bars_->rows())};
}

void TimingPlot::paintFigure(QCPPainter& painter, const QSize& size) const {
    QCustomPlot printed;
    prepareFigure(printed, painter, size);
    keepTicksApart(printed);
    drawAll(printed, figurePalette(painter));
    auto* const bars = printed.findChild<TimingBars*>();
    bars->fitWidth();
    printed.xAxis->setRange(plot_->xAxis->range());
    if (!view_->byHand()) {
        layOut(printed);
        if (mostOfShortest_) bars->setMostOfShortest(*mostOfShortest_);
        bars->resetZoom();
    }
    printed.toPainter(&painter, size.width(), size.height());
}

std::string TimingPlot::csv() const {
    std::string text = "run,stage,kind,start,nanoseconds,bytes,operations,launches\n";
    for (const TimingSeries& series : runs_) {
        QString run = series.run;
        run.replace(QStringLiteral("\""), QStringLiteral("\"\""));
        for (const Timing& row : series.stages) {
            if (kernelsOnly_ && row.kind != StageKind::kernel) continue;
            const std::string start = row.spans.empty() ? "" : std::to_string(row.spans.front().start);
            text += '"' + run.toStdString() + "\",\"" + row.stage + "\"," + name_of(row.kind) + ',' + start +
                    ',' + std::to_string(row.nanoseconds) + ',' + std::to_string(row.bytes) + ',' +
                    std::to_string(row.operations) + ',' + std::to_string(row.launches) + '\n';
        }
    }
    return text;
}

}  // namespace ks::ui
