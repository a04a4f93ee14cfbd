#include "ui/plots/plot_widget.h"

#include <QEvent>
#include <algorithm>

#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/plots/axis_ticker.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/plot_text.h"
#include "ui/plots/plot_view.h"

namespace ks::ui {
namespace {

constexpr int legendHeight = 22, usualMargin = 6;

/// A row of names above the axes.
class LegendRow : public PlotMarks {
  public:
    LegendRow(QCustomPlot* plot, PlotLegend entries, const QPalette& palette)
        : PlotMarks(plot, QStringLiteral("overlay")), entries_(std::move(entries)), palette_(palette) {}

  protected:
    void draw(QCPPainter* painter) override {
        painter->setFont(parentPlot()->font());
        const QFontMetricsF metrics(parentPlot()->font());
        double x = parentPlot()->axisRect()->rect().left();
        const double room =
            (parentPlot()->viewport().right() - x) / static_cast<double>(entries_.size()) - 27;
        for (const auto& [name, colour] : entries_) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(binColour(colour, isDark(palette_)));
            painter->drawEllipse(QPointF(x + 5, legendHeight / 2.0), 4, 4);
            const QString shown = metrics.elidedText(name, Qt::ElideMiddle, room);
            painter->setPen(palette_.color(QPalette::Text));
            painter->drawText(QRectF(x + 13, 0, room + 2, legendHeight), Qt::AlignLeft | Qt::AlignVCenter,
                              shown);
            x += 13 + metrics.horizontalAdvance(shown) + 14;
        }
    }

  private:
    PlotLegend entries_;
    QPalette palette_;
};

}  // namespace

void addSource(PlotLegend& legend, const QString& name, int colour) {
    if (std::ranges::find(legend, name, &PlotLegend::value_type::first) == legend.end())
        legend.emplace_back(name, colour);
}

PlotWidget::PlotWidget(const QString& name, std::function<void()> fit, QWidget* parent)
    : QWidget(parent),
      plot_(named(new QCustomPlot(this), name)),
      view_(new PlotView(*plot_, *this, fit)),
      rows_(inRows({{plot_, 1}}, 0)),
      fit_(std::move(fit)) {
    plot_->setMinimumSize(80, 60);
    setLayout(rows_);
    new HoverText(
        *plot_, [this](const QPointF& at) { return describe(at); }, nullptr);
    keepTicksApart(*plot_);
}

void PlotWidget::setEmptyText(const QString& text) {
    if (std::exchange(emptyText_, text) != text) present();
}

void PlotWidget::present() {
    view_->change([this] {
        drawAll(*plot_, palette());
        if (!view_->byHand()) fit_();
    });
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotWidget::drawAll(QCustomPlot& plot, const QPalette& palette) const {
    plot.clearItems();
    plot.clearPlottables();
    for (QCPLayerable* one : plot.layer(QStringLiteral("overlay"))->children())
        if (dynamic_cast<PlotMarks*>(one)) delete one;
    applyPalette(plot, palette);
    draw(plot, palette);
    const bool empty = isEmpty();
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) axis->setVisible(hasAxes_ && !empty);
    if (empty) new WrappedText(plot, hint(), palette);  // of the plot
    const PlotLegend sources = legend();
    if (!empty && sources.size() > 1) new LegendRow(&plot, sources, palette);  // of the plot
}

int PlotWidget::topMargin() const {
    return legend().size() > 1 ? legendHeight : usualMargin;
}

void PlotWidget::paintFigure(QCPPainter& painter, const QSize& size) const {
    QCustomPlot printed;
    prepareFigure(printed, painter, size);
    keepTicksApart(printed);
    drawAll(printed, figurePalette(painter));
    printed.xAxis->setRange(plot_->xAxis->range());
    printed.yAxis->setRange(plot_->yAxis->range());
    printed.toPainter(&painter, size.width(), size.height());
}

void PlotWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) present();
}

void PlotWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate();
    present();
}

}  // namespace ks::ui
