#include "ui/lab/strip_plot.h"

#include <qcustomplot.h>
#include <QAction>
#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/base/csv_field.h"
#include "ui/lab/strip_marks.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/plot_ticks.h"
#include "ui/plots/plot_view.h"

namespace ks::ui::lab {

StripPlot::StripPlot(QWidget* parent)
    : QWidget(parent),
      plot_(new QCustomPlot(this)),
      marks_(new StripMarks(plot_)),
      view_(new PlotView(*plot_, *this, [this] { marks_->resetZoom(); })),
      logSwitch_(view_->addSwitch(QStringLiteral("logX"), tr("&Logarithmic times"),
                                  tr("Equal ratios of times are equally far apart"),
                                  [this](bool on) { setLogarithmic(on); })) {
    plot_->setAccessibleName(tr("Times of the variants"));
    plot_->setMinimumSize(80, 60);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        const QString text = event->buttons() ? QString() : marks_->describe(event->position());
        showAtCursor(text, *event, *plot_);
    });
    keepTicksApart(*plot_);
    present();
}

StripPlot::~StripPlot() = default;

void StripPlot::present() {
    view_->change([this] {
        marks_->present(strips_, ties_, palette(), title_, logarithmic_, emptyText_);
        if (!view_->byHand()) marks_->resetZoom();
    });
    setMinimumHeight(strips_.empty() ? 0 : marks_->leastHeight());
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void StripPlot::setStrips(std::vector<Strip> strips, std::vector<StripTie> ties) {
    strips_ = std::move(strips);
    ties_ = std::move(ties);
    present();
    updateGeometry();
}

void StripPlot::setTitle(const QString& title) {
    title_ = title;
    present();
}

void StripPlot::setEmptyText(const QString& text) {
    emptyText_ = text;
    present();
}

void StripPlot::setLogarithmic(bool on) {
    logSwitch_->setChecked(on);
    if (logarithmic_ == on) return;
    logarithmic_ = on;
    present();
    view_->fit();
    emit logarithmicChanged(on);
}

QPointF StripPlot::dotAt(std::size_t strip, std::size_t sample) const {
    return marks_->dotAt(strip, sample);
}

double StripPlot::medianAt(std::size_t strip) const {
    return marks_->medianAt(strip);
}

QSize StripPlot::sizeHint() const {
    return {420, marks_->leastHeight()};
}

QSize StripPlot::figureSize() const {
    return {800, std::max(marks_->leastHeight(), 160)};
}

void StripPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) present();
}

void StripPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate();
    present();
}

void StripPlot::paintFigure(QCPPainter& painter, const QSize& size) const {
    QCustomPlot printed;
    auto* marks = new StripMarks(&printed);  // a child of the plot
    prepareFigure(printed, painter, size);
    keepTicksApart(printed);
    marks->present(strips_, ties_, figurePalette(painter), title_, logarithmic_, emptyText_);
    marks->fitWidth();
    printed.xAxis->setRange(plot_->xAxis->range());
    printed.toPainter(&painter, size.width(), size.height());
}

std::string StripPlot::csv() const {
    const bool grouped =
        std::ranges::any_of(strips_, [](const Strip& one) { return !one.problem.isEmpty(); });
    std::string text = grouped ? "problem,variant,source,rank,sample,nanoseconds\n"
                               : "variant,source,rank,sample,nanoseconds\n";
    for (const Strip& one : strips_)
        for (std::size_t i = 0; i < one.samples.size(); ++i)
            text += (grouped ? csvField(one.problem) + ',' : std::string()) + csvField(one.name) + ',' +
                    csvField(one.source) + ',' + one.rank.toStdString() + ',' + std::to_string(i + 1) + ',' +
                    csvNumber(one.samples[i]) + '\n';
    return text;
}

}  // namespace ks::ui::lab
