#include "ui/plots/timing_bars.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/run/build_stage.h"
#include "ui/base/palette.h"
#include "ui/plots/axis_ticker.h"

namespace ks::ui {
namespace {

constexpr double halfBar = 0.4;  ///< of the distance from run to run
constexpr StageKind kinds[] = {StageKind::host, StageKind::read, StageKind::upload, StageKind::kernel,
                               StageKind::download};

/// Labels of a time axis in the unit that suits its range; the unit is told by unit().
class TimeTicker : public LinearTicker {
  public:
    static QPair<double, QString> unit(double largest) {
        if (largest < 1e3) return {1, QStringLiteral("ns")};
        if (largest < 1e6) return {1e3, QStringLiteral("\u00b5s")};
        if (largest < 1e9) return {1e6, QStringLiteral("ms")};
        return {1e9, QStringLiteral("s")};
    }
    void setScale(double scale) { scale_ = scale; }

  protected:
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar,
                                       int) override {
        QVector<double> scaled = ticks;
        for (double& one : scaled) one /= scale_;
        return axisNumbers(scaled, locale);
    }

  private:
    double scale_ = 1;
};

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

std::vector<TimingPart> timingParts(const TimingSeries& series, bool kernelsOnly) {
    std::vector<TimingPart> parts, builds;
    std::uint64_t sum = 0;
    for (const Timing& row : series.stages) {
        sum += row.nanoseconds;
        if (kernelsOnly && row.kind != StageKind::kernel) continue;
        const bool build = row.stage == build_stage;
        (build ? builds : parts).push_back({row, false, build});
    }
    if (!kernelsOnly && series.total > sum)
        parts.push_back({{"rest", StageKind::host, series.total - sum}, true, false});
    parts.insert(parts.end(), builds.begin(), builds.end());
    return parts;
}

TimingBars::TimingBars(QCustomPlot* plot) : QCPLayerable(plot, QStringLiteral("main")) {
    plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot->axisRect()->setRangeDrag(Qt::Horizontal);
    plot->axisRect()->setRangeZoom(Qt::Horizontal);
    plot->axisRect()->setupFullAxesBox(false);
    for (QCPAxis* axis : {plot->xAxis2, plot->yAxis2}) axis->setVisible(false);
    auto* const ticker = new TimeTicker;  // the axis'
    plot->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(ticker));
    connect(plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
            [plot, ticker](const QCPRange& range) {
                // Time before the start means nothing.
                if (range.lower < 0) return plot->xAxis->setRange(0, range.size());
                const auto [scale, unit] = TimeTicker::unit(range.upper * 0.9999);
                ticker->setScale(scale);
                plot->xAxis->setLabel(tr("time (%1)").arg(unit));
            });
}

void TimingBars::present(const QVector<TimingSeries>& runs, const QPalette& palette, const QString& emptyText,
                         bool kernelsOnly) {
    runs_ = runs;
    kernelsOnly_ = kernelsOnly;
    palette_ = palette;
    emptyText_ = emptyText;
    parts_.clear();
    for (const TimingSeries& series : runs_) parts_ << timingParts(series, kernelsOnly_);
    QCustomPlot& plot = *parentPlot();
    applyPalette(plot, palette);
    fitWidth();
    plot.yAxis->setTickPen(Qt::NoPen);
    plot.yAxis->setSubTicks(false);
    plot.yAxis->grid()->setVisible(false);
    plot.yAxis->setRange(-std::max<double>(static_cast<double>(runs_.size()) - 1, 0) - 0.5, 0.5);
    plot.xAxis->setVisible(!runs_.isEmpty());
    plot.yAxis->setVisible(!runs_.isEmpty());
}

void TimingBars::fitWidth() {
    QCustomPlot& plot = *parentPlot();
    const QFontMetrics metrics(plot.font());
    const int width = plot.viewport().width();
    const QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    for (qsizetype i = 0; i < runs_.size(); ++i) {
        names->addTick(static_cast<double>(-i),
                       metrics.elidedText(runs_[i].run, Qt::ElideRight, std::clamp(width * 2 / 5, 40, 150)));
    }
    plot.yAxis->setTicker(names);
    plot.axisRect()->setMinimumMargins(QMargins(8, layoutLegend(width - 20) + 10, 8, 4));
}

int TimingBars::leastHeight() const {
    const int line = QFontMetrics(parentPlot()->font()).height();
    const int frame = line + 10 + 2 * line + 18;  // legend, tick labels and the title of the time axis
    return frame +
           static_cast<int>(std::ceil(static_cast<double>(runs_.size()) * (line + 6) / (2 * halfBar)));
}

double TimingBars::total(qsizetype run) const {
    if (!kernelsOnly_ && runs_[run].total > 0) return static_cast<double>(runs_[run].total);
    return begin(run, static_cast<qsizetype>(parts_[run].size()));
}

QString TimingBars::totalText(qsizetype run) const {
    const QString text = formatDuration(total(run));
    const double stages = begin(run, static_cast<qsizetype>(parts_[run].size()));
    return stages > 1.0005 * total(run) ? tr("%1, stages overlap").arg(text) : text;
}

void TimingBars::resetZoom() {
    // Room at the right for the totals.
    const QFontMetrics metrics(parentPlot()->font());
    const double area = parentPlot()->axisRect()->width();
    double end = 0;
    for (qsizetype run = 0; run < runs_.size(); ++run) {
        const double bar = begin(run, static_cast<qsizetype>(parts_[run].size()));
        const double text = metrics.horizontalAdvance(totalText(run)) + 12;
        end = std::max(end, bar / (1 - std::clamp(text / std::max(area, 1.0), 0.05, 0.6)));
    }
    parentPlot()->xAxis->setRange(0, end > 0 ? end : 1e6);
}

double TimingBars::begin(qsizetype run, qsizetype stage) const {
    double sum = 0;
    for (qsizetype i = 0; i < stage; ++i)
        sum += static_cast<double>(parts_[run][static_cast<std::size_t>(i)].timing.nanoseconds);
    return sum;
}

QRectF TimingBars::barRect(qsizetype run, qsizetype stage) const {
    const QCustomPlot& plot = *parentPlot();
    const double from = begin(run, stage), to = begin(run, stage + 1), y = static_cast<double>(-run);
    return {QPointF(plot.xAxis->coordToPixel(from), plot.yAxis->coordToPixel(y + halfBar)),
            QPointF(plot.xAxis->coordToPixel(to), plot.yAxis->coordToPixel(y - halfBar))};
}

QRectF TimingBars::totalRect(qsizetype run) const {
    const QRectF last = barRect(run, static_cast<qsizetype>(parts_[run].size()) - 1);
    const double width = QFontMetricsF(parentPlot()->font()).horizontalAdvance(totalText(run)) + 2;
    const double right = parentPlot()->axisRect()->rect().right();
    return {std::min(last.right() + 6, right - width), last.top(), width, last.height()};
}

QPair<qsizetype, qsizetype> TimingBars::barAt(const QPointF& point) const {
    if (!QRectF(parentPlot()->axisRect()->rect()).contains(point)) return {-1, -1};
    for (qsizetype run = 0; run < runs_.size(); ++run) {
        for (qsizetype stage = 0; stage < static_cast<qsizetype>(parts_[run].size()); ++stage) {
            // A bar thinner than a pixel can still be pointed at.
            if (barRect(run, stage).adjusted(-1, 0, 1, 0).contains(point)) return {run, stage};
        }
    }
    return {-1, -1};
}

QString TimingBars::describe(qsizetype run, qsizetype stage) const {
    const TimingPart& part = parts_[run][static_cast<std::size_t>(stage)];
    const Timing& row = part.timing;
    const double seconds = static_cast<double>(row.nanoseconds) * 1e-9, all = total(run);
    QString text = tr("%1 (%2): %3")
                       .arg(QString::fromStdString(row.stage),
                            part.rest    ? tr("in no stage")
                            : part.build ? tr("kind of its own")
                                         : tr("kind: %1").arg(stageTitle(row.kind)),
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
    const QColor text = palette_.color(QPalette::Text), base = palette_.color(QPalette::Base);
    painter->setFont(parentPlot()->font());
    const QFontMetricsF metrics(parentPlot()->font());
    if (runs_.isEmpty()) {
        painter->setPen(mixed(text, base, 0.7));
        painter->drawText(QRectF(parentPlot()->viewport()).adjusted(6, 4, -6, -4),
                          Qt::AlignCenter | Qt::TextWordWrap, emptyText_);
        return;
    }
    drawLegend(painter);
    painter->save();
    painter->setClipRect(area.adjusted(0, 0, 1, 0));
    for (qsizetype run = 0; run < runs_.size(); ++run) {
        const auto& parts = parts_[run];
        for (qsizetype stage = 0; stage < static_cast<qsizetype>(parts.size()); ++stage) {
            const TimingPart& part = parts[static_cast<std::size_t>(stage)];
            const QRectF bar = barRect(run, stage).intersected(area.adjusted(-2, 0, 2, 0));
            if (bar.width() <= 0) continue;
            const QBrush brush = brushOf(part);
            painter->fillRect(bar, brush);
            // A line of the background parts neighbours of the same kind.
            if (bar.width() > 4) {
                painter->setPen(QPen(base, 1));
                painter->drawLine(bar.topRight(), bar.bottomRight());
            }
            const QRectF inside = bar.adjusted(5, 0, -5, 0);
            const QString name =
                metrics.elidedText(QString::fromStdString(part.timing.stage), Qt::ElideRight, inside.width());
            if (name.size() < 3 || bar.height() < metrics.height()) continue;
            if (part.rest) {
                // Words on hatching cannot be read.
                QRectF behind = metrics.boundingRect(inside, Qt::AlignLeft | Qt::AlignVCenter, name);
                painter->fillRect(behind.adjusted(-2, 0, 2, 0), base);
            }
            painter->setPen(part.rest ? text : textOn(brush.color()));
            painter->drawText(inside, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, name);
        }
        if (parts.empty()) continue;
        const QRectF said = totalRect(run);
        if (said.left() < barRect(run, static_cast<qsizetype>(parts.size()) - 1).right())
            painter->fillRect(said.adjusted(-4, 0, 2, 0), base);
        painter->setPen(text);
        painter->drawText(said, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, totalText(run));
    }
    painter->restore();
}

QBrush TimingBars::brushOf(const TimingPart& part) const {
    const bool dark = isDark(palette_);
    const QColor host = stageColour(StageKind::host, dark);
    if (part.rest) return {host, Qt::BDiagPattern};
    return part.build ? binColour(2, dark) : stageColour(part.timing.kind, dark);
}

int TimingBars::layoutLegend(int width) {
    legend_.clear();
    const auto anyPart = [this](auto is) {
        return std::ranges::any_of(parts_, [&](const auto& parts) { return std::ranges::any_of(parts, is); });
    };
    for (const StageKind kind : kinds)
        if (anyPart([&](const TimingPart& p) { return p.timing.kind == kind && !p.rest && !p.build; }))
            legend_.push_back({stageTitle(kind), stageColour(kind, isDark(palette_)), {}});
    TimingPart rest, build;
    rest.rest = build.build = true;
    if (anyPart([](const TimingPart& p) { return p.rest; }))
        legend_.push_back({tr("rest"), brushOf(rest), {}});
    if (anyPart([](const TimingPart& p) { return p.build; }))
        legend_.push_back({QString::fromLatin1(build_stage), brushOf(build), {}});
    const QFontMetricsF metrics(parentPlot()->font());
    const double box = metrics.capHeight() + 7, between = 14;
    Entry title{tr("kinds of stages:"), Qt::NoBrush, {}};
    double all = metrics.horizontalAdvance(title.name) + between;
    for (const Entry& entry : std::as_const(legend_))
        all += box + metrics.horizontalAdvance(entry.name) + between;
    if (!legend_.isEmpty() && all <= width) legend_.prepend(title);
    // A second line where the bars have room beside it.
    const bool high = parentPlot()->viewport().height() >= leastHeight() + 2 * metrics.height();
    const int lines = std::max(legendLines_, high ? 2 : 1);
    double x = 0, y = 0;
    for (qsizetype i = 0; i < legend_.size(); ++i) {
        Entry& entry = legend_[i];
        const double wide = (entry.brush == Qt::NoBrush ? 0 : box) + metrics.horizontalAdvance(entry.name);
        if (x > 0 && x + wide > width) {
            if (y + metrics.height() > (lines - 0.5) * metrics.height()) {
                legend_.resize(i);
                legend_.back().name += QStringLiteral(" \u2026");
                break;
            }
            x = 0;
            y += metrics.height();
        }
        entry.at = {x, y};
        x += wide + between;
    }
    return static_cast<int>(std::ceil(y + metrics.height()));
}

void TimingBars::drawLegend(QCPPainter* painter) const {
    const QFontMetricsF metrics(parentPlot()->font());
    const QPointF corner = QPointF(parentPlot()->viewport().topLeft()) + QPointF(10, 4);
    const double side = metrics.capHeight() + 2;
    for (const Entry& entry : legend_) {
        const QPointF at = corner + entry.at;
        if (entry.brush == Qt::NoBrush) {
            painter->setPen(palette_.color(QPalette::Text));
            painter->drawText(QPointF(at.x(), at.y() + metrics.ascent()), entry.name);
            continue;
        }
        const QRectF box(at.x(), at.y() + (metrics.height() - side) / 2, side, side);
        painter->fillRect(box, entry.brush);
        if (entry.brush.style() != Qt::SolidPattern) {
            painter->setPen(entry.brush.color());
            painter->drawRect(box);
        }
        painter->setPen(palette_.color(QPalette::Text));
        painter->drawText(QPointF(at.x() + side + 5, at.y() + metrics.ascent()), entry.name);
    }
}

}  // namespace ks::ui
