#include "ui/plots/timing_plot.h"

#include <algorithm>

#include <qcustomplot.h>
#include <QToolTip>
#include <QVBoxLayout>

#include "ui/base/palette.h"
#include "ui/plots/timing_bars.h"

namespace ks::ui {
namespace {

constexpr int runHeight = 34;
constexpr int frameHeight = 84;  ///< legend, axis and its title

int heightFor(qsizetype runs) {
    return frameHeight + runHeight * static_cast<int>(std::max<qsizetype>(runs, 1));
}

}  // namespace

QColor stageColour(StageKind kind, bool dark) {
    // Okabe and Ito's colours again: the kernel, which is what people look for, is the strongest of them.
    switch (kind) {
        case StageKind::host:
            return dark ? QColor(0x8c, 0x8c, 0x8c) : QColor(0x99, 0x99, 0x99);
        case StageKind::read:
            return binColour(4, dark);
        case StageKind::upload:
            return binColour(5, dark);
        case StageKind::kernel:
            return binColour(1, dark);
        case StageKind::download:
            return binColour(3, dark);
    }
    return {};
}

QString stageTitle(StageKind kind) {
    switch (kind) {
        case StageKind::host:
            return TimingPlot::tr("host");
        case StageKind::read:
            return TimingPlot::tr("read");
        case StageKind::upload:
            return TimingPlot::tr("upload");
        case StageKind::kernel:
            return TimingPlot::tr("kernel");
        case StageKind::download:
            return TimingPlot::tr("download");
    }
    return {};
}

TimingPlot::TimingPlot(QWidget* parent)
    : QWidget(parent),
      emptyText_(tr("Tick runs in the table to see where their time goes")),
      plot_(new QCustomPlot(this)),
      bars_(new TimingBars(plot_)) {
    plot_->setAccessibleName(tr("Stage timings"));
    plot_->setMinimumSize(80, 60);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    connect(plot_, &QCustomPlot::mouseDoubleClick, this, [this] { resetZoom(); });
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        const auto [run, stage] = bars_->barAt(event->position());
        const QString text =
            run < 0 ? QString() : runs_[run].run + QStringLiteral("\n") + bars_->describe(run, stage);
        if (text.isEmpty() || event->buttons())
            QToolTip::hideText();
        else
            QToolTip::showText(event->globalPosition().toPoint(), text, plot_);
    });
    setRuns({});
}

TimingPlot::~TimingPlot() = default;

void TimingPlot::setRuns(const QVector<TimingSeries>& runs) {
    runs_ = runs;
    bars_->present(runs_, palette(), emptyText_);
    updateGeometry();
    resetZoom();
}

void TimingPlot::setEmptyText(const QString& text) {
    emptyText_ = text;
    bars_->present(runs_, palette(), emptyText_);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

QRectF TimingPlot::barRect(int run, int stage) const {
    return bars_->barRect(run, stage);
}

void TimingPlot::resetZoom() {
    bars_->resetZoom();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

QSize TimingPlot::sizeHint() const {
    return {420, heightFor(runs_.size())};
}

QSize TimingPlot::figureSize() const {
    return {800, std::max(heightFor(runs_.size()), 160)};
}

void TimingPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
    bars_->present(runs_, palette(), emptyText_);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void TimingPlot::paintFigure(QCPPainter& painter, const QSize& size) const {
    QCustomPlot printed;
    auto* bars = new TimingBars(&printed);  // a child of the plot
    printed.resize(size);
    bars->present(runs_, printPalette(), emptyText_);
    printed.xAxis->setRange(plot_->xAxis->range());
    printed.toPainter(&painter, size.width(), size.height());
}

std::string TimingPlot::csv() const {
    std::string text = "run,stage,kind,nanoseconds,bytes,operations,launches\n";
    for (const TimingSeries& series : runs_) {
        QString run = series.run;
        run.replace(QStringLiteral("\""), QStringLiteral("\"\""));
        for (const Timing& row : series.stages) {
            text += '"' + run.toStdString() + "\",\"" + row.stage + "\"," + name_of(row.kind) + ',' +
                    std::to_string(row.nanoseconds) + ',' + std::to_string(row.bytes) + ',' +
                    std::to_string(row.operations) + ',' + std::to_string(row.launches) + '\n';
        }
    }
    return text;
}

}  // namespace ks::ui
