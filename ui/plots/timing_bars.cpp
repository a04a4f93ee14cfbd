#include "ui/plots/timing_bars.h"

#include <algorithm>
#include <cmath>

#include "ui/base/palette.h"

namespace ks::ui {
namespace {

constexpr double halfBar = 0.34;  ///< of the distance from run to run
constexpr StageKind kinds[] = {StageKind::host, StageKind::read, StageKind::upload, StageKind::kernel,
                               StageKind::download};

double total(const TimingSeries& series) {
    double sum = 0;
    for (const Timing& row : series.stages) sum += static_cast<double>(row.nanoseconds);
    return sum;
}

/// Labels of a time axis in the unit that suits its range; the unit is told by unit().
class TimeTicker : public QCPAxisTicker {
  public:
    static QPair<double, QString> unit(double largest) {
        if (largest < 1e3) return {1, QStringLiteral("ns")};
        if (largest < 1e6) return {1e3, QStringLiteral("\u00b5s")};
        if (largest < 1e9) return {1e6, QStringLiteral("ms")};
        return {1e9, QStringLiteral("s")};
    }
    void setScale(double scale) { scale_ = scale; }

  protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return formatNumber(std::abs(tick / scale_) < 1e-9 ? 0 : tick / scale_, 6);
    }

  private:
    double scale_ = 1;
};

}  // namespace

TimingBars::TimingBars(QCustomPlot* plot) : QCPLayerable(plot, QStringLiteral("main")) {
    plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot->axisRect()->setRangeDrag(Qt::Horizontal);
    plot->axisRect()->setRangeZoom(Qt::Horizontal);
    plot->axisRect()->setupFullAxesBox(false);
    for (QCPAxis* axis : {plot->xAxis2, plot->yAxis2}) axis->setVisible(false);
    const QSharedPointer<TimeTicker> ticker(new TimeTicker);
    plot->xAxis->setTicker(ticker);
    connect(plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
            [plot, ticker](const QCPRange& range) {
                // Time before the start means nothing.
                if (range.lower < 0) return plot->xAxis->setRange(0, range.size());
                const auto [scale, unit] = TimeTicker::unit(range.upper * 0.9999);
                ticker->setScale(scale);
                plot->xAxis->setLabel(tr("time (%1)").arg(unit));
            });
}

void TimingBars::present(const QVector<TimingSeries>& runs, const QPalette& palette,
                         const QString& emptyText) {
    runs_ = runs;
    palette_ = palette;
    emptyText_ = emptyText;
    QCustomPlot& plot = *parentPlot();
    applyPalette(plot, palette);
    const QFontMetrics metrics(plot.font());
    const QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    for (qsizetype i = 0; i < runs_.size(); ++i) {
        names->addTick(static_cast<double>(-i), metrics.elidedText(runs_[i].run, Qt::ElideRight, 150));
    }
    plot.yAxis->setTicker(names);
    plot.yAxis->setTickPen(Qt::NoPen);
    plot.yAxis->setSubTicks(false);
    plot.yAxis->grid()->setVisible(false);
    plot.yAxis->setRange(-std::max<double>(static_cast<double>(runs_.size()) - 1, 0) - 0.5, 0.5);
    plot.axisRect()->setMinimumMargins(QMargins(8, metrics.height() + 14, 8, 4));
    plot.xAxis->setVisible(!runs_.isEmpty());
    plot.yAxis->setVisible(!runs_.isEmpty());
}

void TimingBars::resetZoom() {
    double largest = 0;
    for (const TimingSeries& series : runs_) largest = std::max(largest, total(series));
    // Room at the right for the total.
    parentPlot()->xAxis->setRange(0, largest > 0 ? largest * 1.18 : 1e6);
}

double TimingBars::begin(qsizetype run, qsizetype stage) const {
    double sum = 0;
    for (qsizetype i = 0; i < stage; ++i)
        sum += static_cast<double>(runs_[run].stages[static_cast<std::size_t>(i)].nanoseconds);
    return sum;
}

QRectF TimingBars::barRect(qsizetype run, qsizetype stage) const {
    const QCustomPlot& plot = *parentPlot();
    const double from = begin(run, stage), to = begin(run, stage + 1), y = static_cast<double>(-run);
    return {QPointF(plot.xAxis->coordToPixel(from), plot.yAxis->coordToPixel(y + halfBar)),
            QPointF(plot.xAxis->coordToPixel(to), plot.yAxis->coordToPixel(y - halfBar))};
}

QPair<qsizetype, qsizetype> TimingBars::barAt(const QPointF& point) const {
    if (!QRectF(parentPlot()->axisRect()->rect()).contains(point)) return {-1, -1};
    for (qsizetype run = 0; run < runs_.size(); ++run) {
        for (qsizetype stage = 0; stage < static_cast<qsizetype>(runs_[run].stages.size()); ++stage) {
            // A bar thinner than a pixel can still be pointed at.
            if (barRect(run, stage).adjusted(-1, 0, 1, 0).contains(point)) return {run, stage};
        }
    }
    return {-1, -1};
}

QString TimingBars::describe(qsizetype run, qsizetype stage) const {
    const Timing& row = runs_[run].stages[static_cast<std::size_t>(stage)];
    const double seconds = static_cast<double>(row.nanoseconds) * 1e-9, all = total(runs_[run]);
    QString text = tr("%1 (%2): %3")
                       .arg(QString::fromStdString(row.stage), stageTitle(row.kind),
                            formatDuration(static_cast<double>(row.nanoseconds)));
    if (all > 0) {
        text +=
            tr(", %1 % of %2")
                .arg(formatNumber(100 * static_cast<double>(row.nanoseconds) / all, 3), formatDuration(all));
    }
    if (row.launches > 1) text += tr(", %1 launches").arg(row.launches);
    if (row.bytes && seconds > 0)
        text +=
            QStringLiteral(", ") + formatSi(static_cast<double>(row.bytes) / seconds, QStringLiteral("B/s"));
    if (row.operations && seconds > 0) {
        text += QStringLiteral(", ") + formatSi(static_cast<double>(row.operations) / seconds, tr("op/s"));
    }
    return text;
}

void TimingBars::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

void TimingBars::draw(QCPPainter* painter) {
    const QRectF area(parentPlot()->axisRect()->rect());
    const bool dark = isDark(palette_);
    const QColor text = palette_.color(QPalette::Text), base = palette_.color(QPalette::Base);
    painter->setFont(parentPlot()->font());
    const QFontMetricsF metrics(parentPlot()->font());
    if (runs_.isEmpty()) {
        painter->setPen(mixed(text, base, 0.7));
        painter->drawText(QRectF(parentPlot()->viewport()), Qt::AlignCenter | Qt::TextWordWrap, emptyText_);
        return;
    }
    drawLegend(painter);
    painter->save();
    painter->setClipRect(area.adjusted(0, 0, 1, 0));
    for (qsizetype run = 0; run < runs_.size(); ++run) {
        const auto& stages = runs_[run].stages;
        for (qsizetype stage = 0; stage < static_cast<qsizetype>(stages.size()); ++stage) {
            const Timing& row = stages[static_cast<std::size_t>(stage)];
            const QRectF bar = barRect(run, stage).intersected(area.adjusted(-2, 0, 2, 0));
            if (bar.width() <= 0) continue;
            const QColor colour = stageColour(row.kind, dark);
            painter->fillRect(bar, colour);
            // A line of the background parts neighbours of the same kind.
            if (bar.width() > 4) {
                painter->setPen(QPen(base, 1));
                painter->drawLine(bar.topRight(), bar.bottomRight());
            }
            const QRectF inside = bar.adjusted(5, 0, -5, 0);
            const QString name =
                metrics.elidedText(QString::fromStdString(row.stage), Qt::ElideRight, inside.width());
            if (name.size() < 3 || bar.height() < metrics.height()) continue;
            painter->setPen(textOn(colour));
            painter->drawText(inside, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, name);
        }
        if (stages.empty()) continue;
        const QRectF last = barRect(run, static_cast<qsizetype>(stages.size()) - 1);
        painter->setPen(text);
        painter->drawText(QRectF(last.right() + 6, last.top(), 200, last.height()),
                          Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          formatDuration(total(runs_[run])));
    }
    painter->restore();
}

void TimingBars::drawLegend(QCPPainter* painter) const {
    const QRectF area(parentPlot()->axisRect()->rect());
    const QFontMetricsF metrics(parentPlot()->font());
    double x = parentPlot()->viewport().left() + 10.0;
    const double y = area.top() - metrics.height() - 8, side = metrics.capHeight() + 2;
    for (const StageKind kind : kinds) {
        const bool used = std::any_of(runs_.begin(), runs_.end(), [kind](const TimingSeries& series) {
            return std::any_of(series.stages.begin(), series.stages.end(),
                               [kind](const Timing& row) { return row.kind == kind; });
        });
        if (!used) continue;
        painter->fillRect(QRectF(x, y + (metrics.height() - side) / 2, side, side),
                          stageColour(kind, isDark(palette_)));
        x += side + 5;
        painter->setPen(palette_.color(QPalette::Text));
        painter->drawText(QPointF(x, y + metrics.ascent()), stageTitle(kind));
        x += metrics.horizontalAdvance(stageTitle(kind)) + 14;
    }
}

}  // namespace ks::ui
