#include "ui/tools/tool_plot.h"

#include <qcustomplot.h>
#include <QEvent>
#include <utility>

#include "ui/base/layouts.h"
#include "ui/plots/axis_ticker.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/plot_view.h"

namespace ks::ui {

ToolPlot::ToolPlot(const QString& name, std::function<void()> fit, QWidget* parent)
    : QWidget(parent),
      plot_(named(new QCustomPlot(this), name)),
      view_(new PlotView(*plot_, *this, fit)),
      rows_(inRows({{plot_, 1}}, 0)),
      fit_(std::move(fit)) {
    plot_->setMinimumSize(80, 60);
    setLayout(rows_);
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        showAtCursor(event->buttons() ? QString() : describe(event->position()), *event, *plot_);
    });
    keepTicksApart(*plot_);
}

void ToolPlot::setEmptyText(const QString& text) {
    if (std::exchange(emptyText_, text) != text) present();
}

void ToolPlot::present() {
    view_->change([this] {
        draw(*plot_, palette());
        if (!view_->byHand()) fit_();
    });
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ToolPlot::paintFigure(QCPPainter& painter, const QSize& size) const {
    QCustomPlot printed;
    prepareFigure(printed, painter, size);
    keepTicksApart(printed);
    draw(printed, figurePalette(painter));
    printed.xAxis->setRange(plot_->xAxis->range());
    printed.yAxis->setRange(plot_->yAxis->range());
    printed.toPainter(&painter, size.width(), size.height());
}

void ToolPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) present();
}

void ToolPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate();
    present();
}

}  // namespace ks::ui
