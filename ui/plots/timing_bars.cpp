#include "ui/plots/timing_bars.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/run/build_stage.h"
#include "ui/base/palette.h"
#include "ui/plots/axis_ticker.h"

namespace ks::ui {
namespace {

constexpr double halfBar = 0.42;  ///< share of the distance betweenParts rows
constexpr int mostRows = 4;       ///< of a lane with overlapping spans
/// Lanes from top to bottom.
constexpr StageKind kinds[] = {StageKind::read,   StageKind::host,   StageKind::overhead,
                               StageKind::upload, StageKind::kernel, StageKind::download};

std::uint64_t endOf(const Span& span) {
    return span.start + span.nanoseconds;
}

/// Whether the stage is left out. In a run shared by devices it is drawn, as other devices
/// were working meanwhile.
bool isLeftOut(const Timing& row) {
    return row.stage == build_stage && !row.device;
}

/// Times as if kernels had not been built.
class WithoutBuilding {
  public:
    explicit WithoutBuilding(const std::vector<Timing>& stages) {
        for (const Timing& row : stages)
            if (isLeftOut(row)) builds_.insert(builds_.end(), row.spans.begin(), row.spans.end());
    }
    std::uint64_t operator()(std::uint64_t time) const {
        std::uint64_t before = 0;
        for (const Span& build : builds_)
            if (build.start < time) before += std::min(build.nanoseconds, time - build.start);
        return time - std::min(before, time);
    }
    Span operator()(const Span& span) const {
        const std::uint64_t from = (*this)(span.start);
        return {from, (*this)(endOf(span)) - from};
    }

  private:
    std::vector<Span> builds_;
};

std::uint64_t building(const TimingSeries& series) {
    std::uint64_t sum = 0;
    for (const Timing& row : series.stages)
        if (isLeftOut(row)) sum += row.nanoseconds;
    return sum;
}

bool tellsWhen(const TimingSeries& series) {
    return std::ranges::any_of(series.stages, [](const Timing& row) { return !row.spans.empty(); });
}

const QString betweenParts = QStringLiteral("  ");  ///< parts of a name

/// A name shortened to a width in pixels. Its beginning and its end stay. Names of more than two parts may
/// differ only in one between them, so there each part keeps its own, and the longest ones lose most.
QString shortened(const QString& name, const QFontMetrics& metrics, int width) {
    if (metrics.horizontalAdvance(name) <= width) return name;
    QStringList parts = name.split(betweenParts);
    if (parts.size() < 3) return metrics.elidedText(name, Qt::ElideMiddle, width);
    const auto count = static_cast<int>(parts.size());
    std::vector<int> widths;
    for (const QString& part : parts) widths.push_back(metrics.horizontalAdvance(part));
    std::ranges::sort(widths);
    // The same limit for all parts; what the shorter ones do not use is left to the others.
    int room = std::max(0, width - (count - 1) * metrics.horizontalAdvance(betweenParts)), limit = room;
    for (int i = 0; i < count; ++i) {
        limit = room / (count - i);
        if (widths[static_cast<std::size_t>(i)] > limit) break;
        room -= widths[static_cast<std::size_t>(i)];
    }
    for (QString& part : parts) part = metrics.elidedText(part, Qt::ElideMiddle, limit);
    return parts.join(betweenParts);
}

/// Labels of a time axis in the unit that suits its range; see unit().
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
    if (kind == StageKind::overhead) return dark ? QColor(0x8c, 0x8c, 0x8c) : QColor(0x99, 0x99, 0x99);
    // Of host, read, upload, kernel, download: the kernel, which people look for, has the strongest one.
    constexpr int labels[] = {2, 4, 5, 1, 3};
    return binColour(labels[static_cast<std::size_t>(kind)], dark);
}

QString stageTitle(StageKind kind) {
    return TimingPlot::tr(name_of(kind));
}

std::vector<TimingPart> timingParts(const TimingSeries& series, bool kernelsOnly) {
    std::vector<TimingPart> parts;
    const WithoutBuilding folded(series.stages);
    const bool inOrder = kernelsOnly || !tellsWhen(series);
    std::map<std::optional<std::uint32_t>, std::uint64_t> ends;  // devices work concurrently
    for (const Timing& row : series.stages) {
        if (isLeftOut(row) || row.nanoseconds == 0) continue;
        if (kernelsOnly && row.kind != StageKind::kernel) continue;
        TimingPart& part = parts.emplace_back(TimingPart{row, {}});
        std::uint64_t& end = ends[row.device];
        if (inOrder)
            part.spans.push_back({end, row.nanoseconds});
        else
            for (const Span& span : row.spans) part.spans.push_back(folded(span));
        end += row.nanoseconds;
        if (part.spans.empty()) parts.pop_back();
    }
    return parts;
}

TimingBars::TimingBars(QCustomPlot* plot) : QCPLayerable(plot, QStringLiteral("main")) {
    plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot->axisRect()->setRangeDrag(Qt::Horizontal);
    plot->axisRect()->setRangeZoom(Qt::Horizontal);
    plot->axisRect()->setupFullAxesBox(false);
    for (QCPAxis* axis : {plot->xAxis2, plot->yAxis2}) axis->setVisible(false);
    auto* const ticker = new TimeTicker;  // owned by the axis
    plot->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(ticker));
    connect(plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
            [plot, ticker](const QCPRange& range) {
                // Times before the start are meaningless.
                if (range.lower < 0) return plot->xAxis->setRange(0, range.size());
                const auto [scale, unit] = TimeTicker::unit(range.upper * 0.9999);
                ticker->setScale(scale);
                plot->xAxis->setLabel(tr("time (%1)").arg(unit));
            });
}

void TimingBars::present(const QVector<TimingSeries>& runs, const QPalette& palette, bool kernelsOnly) {
    runs_ = runs;
    kernelsOnly_ = kernelsOnly;
    palette_ = palette;
    lanes_.clear();
    int row = 0;
    for (const TimingSeries& series : runs_) {
        Lanes& run = lanes_.emplace_back(lanesOf(timingParts(series, kernelsOnly_)));
        run.first = row;
        row += 1 + static_cast<int>(run.lanes.size());
    }
    QCustomPlot& plot = *parentPlot();
    fitWidth();
    plot.yAxis->setTickPen(Qt::NoPen);
    plot.yAxis->setSubTicks(false);
    plot.yAxis->grid()->setVisible(false);
    plot.yAxis->setRange(-std::max(rows() - 1, 0) - 0.5, 0.5);
}

void TimingBars::fitWidth() {
    QCustomPlot& plot = *parentPlot();
    const QFontMetrics metrics(plot.font());
    const int width = plot.viewport().width();
    // A wide plot shows long names in full; names of many parts need more room.
    const bool many = std::ranges::any_of(
        runs_, [](const TimingSeries& series) { return series.run.count(betweenParts) > 1; });
    const int room = std::clamp(width * 2 / 5, 40, std::max(many ? 250 : 150, width / 4));
    const QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    for (qsizetype i = 0; i < runs_.size(); ++i) {
        const Lanes& run = lanes_[static_cast<std::size_t>(i)];
        names->addTick(-run.first, shortened(runs_[i].run, metrics, room));
        // Names are cut in the middle: devices of the same name differ in the number at the end.
        for (std::size_t lane = 0; lane < run.lanes.size(); ++lane)
            names->addTick(-(run.first + 1 + static_cast<double>(lane)),
                           metrics.elidedText(laneTitle(i, run.lanes[lane]), Qt::ElideMiddle, room));
    }
    plot.yAxis->setTicker(names);
    plot.axisRect()->setMinimumMargins(QMargins(8, 4, 8, 4));
}

int TimingBars::leastHeight() const {
    const int line = QFontMetrics(parentPlot()->font()).height();
    const int frame = 4 + 2 * line + 18;  // tick labels and title of the time axis
    return frame + static_cast<int>(std::ceil(static_cast<double>(rows()) * (line + 6) / (2 * halfBar)));
}

int TimingBars::rows() const {
    return lanes_.empty() ? 0 : lanes_.back().first + 1 + static_cast<int>(lanes_.back().lanes.size());
}

TimingBars::Lanes TimingBars::lanesOf(std::vector<TimingPart> parts) {
    Lanes run;
    std::vector<Lane> wanted;
    for (const StageKind kind : kinds) wanted.push_back({kind, 0});
    std::set<std::uint32_t> devices;
    for (const TimingPart& part : parts)
        if (part.timing.device) devices.insert(*part.timing.device);
    for (const std::uint32_t device : devices) wanted.push_back({StageKind::kernel, 0, device});
    for (const Lane& of : wanted) {
        std::vector<Piece> pieces;
        const auto lane = static_cast<int>(run.lanes.size());
        for (std::size_t i = 0; i < parts.size(); ++i)
            for (const Span& span : parts[i].spans)
                if (parts[i].timing.device == of.device && (of.device || parts[i].timing.kind == of.kind))
                    pieces.push_back(
                        {i, static_cast<double>(span.start), static_cast<double>(endOf(span)), lane, 0});
        if (pieces.empty()) continue;
        std::ranges::stable_sort(pieces, {}, &Piece::from);
        std::vector<double> ends;  // one per row
        for (Piece& piece : pieces) {
            auto free = std::ranges::find_if(ends, [&](double end) { return end <= piece.from; });
            if (free == ends.end() && ends.size() < mostRows) free = ends.insert(ends.end(), 0);
            if (free == ends.end()) free = std::ranges::min_element(ends);
            *free = std::max(*free, piece.to);
            piece.row = static_cast<int>(free - ends.begin());
        }
        run.lanes.push_back({of.kind, static_cast<int>(ends.size()), of.device});
        run.pieces.insert(run.pieces.end(), pieces.begin(), pieces.end());
    }
    run.parts = std::move(parts);
    return run;
}

QString TimingBars::laneTitle(qsizetype run, const Lane& lane) const {
    if (!lane.device) return stageTitle(lane.kind);
    const QStringList& names = runs_[run].devices;
    return *lane.device < static_cast<std::size_t>(names.size()) ? names[static_cast<qsizetype>(*lane.device)]
                                                                 : tr("device %1").arg(*lane.device + 1);
}

double TimingBars::total(qsizetype run) const {
    double end = 0;
    for (const Piece& piece : lanes_[static_cast<std::size_t>(run)].pieces) end = std::max(end, piece.to);
    if (kernelsOnly_) return end;
    const TimingSeries& series = runs_[run];
    const double whole = static_cast<double>(series.total) - static_cast<double>(building(series));
    return std::max(whole, end);
}

QString TimingBars::totalText(qsizetype run) const {
    const TimingSeries& series = runs_[run];
    QString text = formatDuration(total(run));
    if (!series.mark.isEmpty()) text.prepend(series.mark + QStringLiteral("; "));
    if (kernelsOnly_) return text;
    if (const std::uint64_t built = building(series); built > 0)
        text += tr(", plus %1 to build kernels").arg(formatDuration(static_cast<double>(built)));
    const std::uint64_t known = covered(series.stages);
    if (!tellsWhen(series))
        text += tr(", stages shown in sequence");
    else if (series.total > known &&
             series.total - known > std::max<std::uint64_t>(50'000, series.total / 20))
        text += tr(", %1 not accounted for").arg(formatDuration(static_cast<double>(series.total - known)));
    return text;
}

void TimingBars::resetZoom() {
    double end = 0, shortest = HUGE_VAL;
    for (qsizetype run = 0; run < runs_.size(); ++run) {
        end = std::max(end, total(run));
        shortest = std::min(shortest, total(run));
    }
    if (mostOfShortest_ && shortest > 0) end = std::min(end, *mostOfShortest_ * shortest);
    parentPlot()->xAxis->setRange(0, end > 0 ? end * 1.02 : 1e6);
}

QRectF TimingBars::rectOf(const Lanes& run, const Piece& piece) const {
    const QCustomPlot& plot = *parentPlot();
    const double y = -(run.first + 1 + piece.lane), from = plot.yAxis->coordToPixel(y + halfBar),
                 height = (plot.yAxis->coordToPixel(y - halfBar) - from) /
                          run.lanes[static_cast<std::size_t>(piece.lane)].rows;
    const double left = plot.xAxis->coordToPixel(piece.from), right = plot.xAxis->coordToPixel(piece.to);
    return {left, from + piece.row * height, right - left, height};
}

QRectF TimingBars::barRect(qsizetype at, qsizetype stage) const {
    const Lanes& run = lanes_[static_cast<std::size_t>(at)];
    const auto piece = std::ranges::find(run.pieces, static_cast<std::size_t>(stage), &Piece::part);
    return piece == run.pieces.end() ? QRectF() : rectOf(run, *piece);
}

QRectF TimingBars::totalRect(qsizetype run) const {
    const QCustomPlot& plot = *parentPlot();
    const QRectF area(plot.axisRect()->rect());
    const double y = -lanes_[static_cast<std::size_t>(run)].first,
                 top = plot.yAxis->coordToPixel(y + halfBar);
    return {area.left() + 4, top, area.width() - 6, plot.yAxis->coordToPixel(y - halfBar) - top};
}

QPair<qsizetype, qsizetype> TimingBars::barAt(const QPointF& point) const {
    if (!QRectF(parentPlot()->axisRect()->rect()).contains(point)) return {-1, -1};
    for (qsizetype at = 0; at < runs_.size(); ++at) {
        const Lanes& run = lanes_[static_cast<std::size_t>(at)];
        for (const Piece& piece : run.pieces)
            // A bar thinner than a pixel can still be hovered.
            if (rectOf(run, piece).adjusted(-1, 0, 1, 0).contains(point))
                return {at, static_cast<qsizetype>(piece.part)};
    }
    return {-1, -1};
}

QString TimingBars::describe(qsizetype run, qsizetype stage) const {
    const Timing& row = lanes_[static_cast<std::size_t>(run)].parts[static_cast<std::size_t>(stage)].timing;
    const double seconds = static_cast<double>(row.nanoseconds) * 1e-9, all = total(run);
    QString text = tr("%1 (%2): %3")
                       .arg(QString::fromStdString(row.stage), tr("kind: %1").arg(stageTitle(row.kind)),
                            formatDuration(static_cast<double>(row.nanoseconds)));
    if (all > 0) {
        text +=
            tr(", %1 % of %2")
                .arg(formatNumber(100 * static_cast<double>(row.nanoseconds) / all, 3), formatDuration(all));
    }
    if (!row.spans.empty())
        text += tr(", from %1").arg(formatDuration(static_cast<double>(row.spans.front().start)));
    if (row.device)
        text +=
            QStringLiteral(", ") + laneTitle(run, Lane{.kind = row.kind, .rows = 0, .device = row.device});
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
    painter->save();
    painter->setClipRect(area.adjusted(0, 0, 1, 0));
    for (qsizetype at = 0; at < runs_.size(); ++at) {
        const Lanes& run = lanes_[static_cast<std::size_t>(at)];
        for (const Piece& piece : run.pieces) {
            const Timing& row = run.parts[piece.part].timing;
            QRectF bar = rectOf(run, piece).intersected(area.adjusted(-2, 0, 2, 0));
            if (bar.isEmpty() && !area.contains(bar.topLeft())) continue;
            bar.setWidth(std::max(bar.width(), 1.0));
            const QColor fill = stageColour(row.kind, isDark(palette_));
            painter->fillRect(bar, fill);
            // A line in the background colour separates neighbours of the same kind.
            if (bar.width() > 4) {
                painter->setPen(QPen(base, 1));
                painter->drawLine(bar.topRight(), bar.bottomRight());
            }
            const QRectF inside = bar.adjusted(5, 0, -5, 0);
            const QString name =
                metrics.elidedText(QString::fromStdString(row.stage), Qt::ElideRight, inside.width());
            if (name.size() < 3 || bar.height() < metrics.height()) continue;
            painter->setPen(textOn(fill));
            painter->drawText(inside, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, name);
        }
        const QRectF said = totalRect(at);
        painter->setPen(text);
        painter->drawText(said, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          metrics.elidedText(totalText(at), Qt::ElideRight, said.width()));
    }
    painter->restore();
}

}  // namespace ks::ui
