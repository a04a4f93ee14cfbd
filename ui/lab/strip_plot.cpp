#include "ui/lab/strip_plot.h"

#include <qcustomplot.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/quantile.h"
#include "ui/base/count_text.h"
#include "ui/base/csv_field.h"
#include "ui/base/palette.h"
#include "ui/plots/axis_ticker.h"
#include "ui/plots/plot_view.h"

namespace ks::ui::lab {
namespace {

constexpr int tieStep = 9, leastRow = 26;
constexpr double dotRadius = 2.5;
/// Offsets of the dots across a strip, so that equal samples stay distinguishable: fractions of multiples of
/// the golden ratio never come close to one another.
constexpr double golden = 0.6180339887498949;

double across(std::size_t sample) {
    const double place = static_cast<double>(sample + 1) * golden;
    return (place - std::floor(place) - 0.5) * 0.56;
}

/// Lane of each tie: ties that span the same strips are side by side.
std::vector<int> lanesOf(const std::vector<StripTie>& ties) {
    std::vector<std::size_t> order(ties.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ties[i].strips.front(); });
    std::vector<int> lanes(ties.size());
    std::vector<std::size_t> ends;  // the last strip of each lane
    for (const std::size_t i : order) {
        auto lane = std::ranges::find_if(ends, [&](std::size_t end) { return end < ties[i].strips.front(); });
        if (lane == ends.end()) lane = ends.insert(ends.end(), 0);
        *lane = ties[i].strips.back();
        lanes[i] = static_cast<int>(lane - ends.begin());
    }
    return lanes;
}

std::pair<double, QString> unitOf(double largest) {
    if (largest < 1e3) return {1, QStringLiteral("ns")};
    if (largest < 1e6) return {1e3, QStringLiteral("\u00b5s")};
    if (largest < 1e9) return {1e6, QStringLiteral("ms")};
    return {1e9, QStringLiteral("s")};
}

/// Labels in the unit that suits the range.
template <class Ticker>
class ScaledTicker : public Ticker {
  public:
    void setScale(double scale) { scale_ = scale; }

  protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override {
        QVector<double> ticks =
            Ticker::createTickVector(step / scale_, {range.lower / scale_, range.upper / scale_});
        for (double& one : ticks) one *= scale_;
        return ticks;
    }
    QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override {
        QVector<double> scaled = ticks;
        for (double& one : scaled) one /= scale_;
        QVector<double> sub = Ticker::createSubTickVector(count, scaled);
        for (double& one : sub) one *= scale_;
        return sub;
    }
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar format,
                                       int precision) override {
        QVector<double> scaled = ticks;
        for (double& one : scaled) one /= scale_;
        return Ticker::createLabelVector(scaled, locale, format, precision);
    }

  private:
    double scale_ = 1;
};

template <class Ticker>
void setTimeTicker(QCPAxis& axis, double scale) {
    auto* const ticker = new ScaledTicker<Ticker>;  // of the axis
    ticker->setScale(scale);
    axis.setTicker(QSharedPointer<QCPAxisTicker>(ticker));
}

}  // namespace

StripMarks::StripMarks(QCustomPlot* plot) : PlotMarks(plot) {
    // A plot that is not shown yet is narrow, and names that were shortened for it would stay so.
    connect(plot, &QCustomPlot::beforeReplot, this, [this, plot] {
        if (!strips_.empty() && fitted_ != plot->viewport().width()) fitWidth();
    });
    plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot->axisRect()->setRangeDrag(Qt::Horizontal);
    plot->axisRect()->setRangeZoom(Qt::Horizontal);
    plot->axisRect()->setupFullAxesBox(false);
    for (QCPAxis* axis : {plot->xAxis2, plot->yAxis2}) axis->setVisible(false);
    plot->yAxis->setTickPen(Qt::NoPen);
    plot->yAxis->setSubTicks(false);
    plot->yAxis->grid()->setVisible(false);
}

void StripMarks::present(const std::vector<Strip>& strips, const std::vector<StripTie>& ties,
                         const QPalette& palette, const QString& title, bool logarithmic, int topMargin) {
    strips_ = strips;
    ties_ = ties;
    palette_ = palette;
    title_ = title;
    topMargin_ = topMargin;
    placeRows();
    QCustomPlot& plot = *parentPlot();
    double largest = 0;
    for (const Strip& one : strips_)
        for (const double sample : one.samples) largest = std::max(largest, sample);
    const auto [scale, unit] = unitOf(largest);
    plot.xAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot.xAxis->grid()->setSubGridVisible(logarithmic);
    if (logarithmic)
        setTimeTicker<LogTicker>(*plot.xAxis, scale);
    else
        setTimeTicker<LinearTicker>(*plot.xAxis, scale);
    // Before the first sample there is no time to choose a unit for.
    plot.xAxis->setLabel(largest > 0 ? QStringLiteral("%1 (%2)").arg(title_, unit) : title_);
    plot.xAxis->setTicks(largest > 0);
    plot.xAxis->setTickLabels(largest > 0);
    plot.xAxis->grid()->setVisible(largest > 0);
    fitWidth();
    plot.yAxis->setRange(0.5 - std::max(rowCount_, 1), 0.5);
}

void StripMarks::placeRows() {
    rows_.clear();
    rowCount_ = 0;
    for (std::size_t i = 0; i < strips_.size(); ++i) {
        if (hasHeading(i)) ++rowCount_;
        rows_.push_back(rowCount_++);
    }
}

bool StripMarks::hasHeading(std::size_t strip) const {
    const QString& problem = strips_[strip].problem;
    return !problem.isEmpty() && (strip == 0 || strips_[strip - 1].problem != problem);
}

int StripMarks::tieWidth() const {
    int lanes = 0;
    for (const int lane : lanesOf(ties_)) lanes = std::max(lanes, lane + 1);
    return lanes == 0 ? 0 : tieStep * lanes + 6;
}

void StripMarks::fitWidth() {
    QCustomPlot& plot = *parentPlot();
    const QFontMetrics metrics(plot.font());
    const QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    fitted_ = plot.viewport().width();
    const int room = std::clamp(fitted_ * 2 / 5, 60, 260);
    for (std::size_t i = 0; i < strips_.size(); ++i) {
        const Strip& one = strips_[i];
        const QString rank = one.rank.isEmpty() ? QString() : QStringLiteral("  ") + one.rank;
        names->addTick(
            -rows_[i],
            metrics.elidedText(one.name, Qt::ElideMiddle, room - metrics.horizontalAdvance(rank)) + rank);
    }
    plot.yAxis->setTicker(names);
    plot.axisRect()->setMinimumMargins(QMargins(8, topMargin_, 14 + tieWidth(), 4));
}

int StripMarks::leastHeight() const {
    const int line = QFontMetrics(parentPlot()->font()).height();
    return 2 * line + 24 + topMargin_ + leastRow * std::max(rowCount_, 1);
}

void StripMarks::resetZoom() {
    double low = HUGE_VAL, high = 0;
    for (const Strip& one : strips_)
        for (const double sample : one.samples) {
            if (sample > 0) low = std::min(low, sample);
            high = std::max(high, sample);
        }
    QCPAxis& axis = *parentPlot()->xAxis;
    if (!(high > 0)) return axis.setRange(1e5, 1e7);
    if (axis.scaleType() == QCPAxis::stLogarithmic) {
        const double pad = std::max(std::pow(high / low, 0.04), 1.05);
        axis.setRange(low / pad, high * pad);
    } else {
        axis.setRange(0, high * 1.04);
    }
}

double StripMarks::rowAt(std::size_t strip) const {
    return parentPlot()->yAxis->coordToPixel(-rows_[strip]);
}

double StripMarks::rowHeight() const {
    const QCPAxis& axis = *parentPlot()->yAxis;
    return axis.coordToPixel(-1) - axis.coordToPixel(0);
}

QPointF StripMarks::dotAt(std::size_t strip, std::size_t sample) const {
    return {parentPlot()->xAxis->coordToPixel(strips_[strip].samples[sample]),
            rowAt(strip) + across(sample) * std::min(rowHeight(), 60.0)};
}

double StripMarks::medianAt(std::size_t strip) const {
    return parentPlot()->xAxis->coordToPixel(quantile(strips_[strip].samples, 0.5));
}

QString StripMarks::describe(const QPointF& point) const {
    if (strips_.empty() || !QRectF(parentPlot()->viewport()).contains(point)) return {};
    const double row = -parentPlot()->yAxis->pixelToCoord(point.y());
    const auto found = std::ranges::find(rows_, static_cast<int>(std::lround(row)));
    if (found == rows_.end()) return {};
    const auto at = static_cast<std::size_t>(found - rows_.begin());
    const Strip& one = strips_[at];
    QString text = QStringLiteral("%1, %2").arg(one.name, one.source);
    if (!one.problem.isEmpty()) text += QLatin1Char('\n') + one.problem;
    if (!one.rank.isEmpty()) text += QObject::tr("\nrank %1").arg(one.rank);
    if (one.wrong) text += QObject::tr("\nits result differs from the reference");
    if (one.samples.empty()) return text + QLatin1Char('\n') + one.note;
    text += QObject::tr("\n%1, median %2, quartiles %3 and %4")
                .arg(counted(one.samples.size(), QObject::tr("1 sample"), QObject::tr("%1 samples")))
                .arg(formatDuration(quantile(one.samples, 0.5)), formatDuration(quantile(one.samples, 0.25)),
                     formatDuration(quantile(one.samples, 0.75)));
    if (!one.note.isEmpty()) text += QLatin1Char('\n') + one.note;
    for (std::size_t i = 0; i < one.samples.size(); ++i)
        if (const QPointF away = dotAt(at, i) - point; std::hypot(away.x(), away.y()) < dotRadius + 2)
            return text + QObject::tr("\nsample %1: %2").arg(i + 1).arg(formatDuration(one.samples[i]));
    return text;
}

void StripMarks::drawStrip(QCPPainter& painter, std::size_t at) const {
    const Strip& one = strips_[at];
    const QRectF area(parentPlot()->axisRect()->rect());
    const QColor text = palette_.color(QPalette::Text), base = palette_.color(QPalette::Base);
    const double y = rowAt(at), half = std::min(rowHeight(), 60.0) * 0.36;
    if (at + 1 < strips_.size()) {
        painter.setPen(QPen(mixed(text, base, 0.12), 1));
        const double below = y + rowHeight() / 2;
        painter.drawLine(QPointF(area.left(), below), QPointF(area.right(), below));
    }
    if (one.samples.empty()) {
        painter.setPen(mixed(text, base, 0.7));
        painter.drawText(QRectF(area.left() + 6, y - rowHeight() / 2, area.width() - 8, rowHeight()),
                         Qt::AlignLeft | Qt::AlignVCenter, one.note);
        return;
    }
    const QColor colour = binColour(one.colour, isDark(palette_));
    const auto x = [&](double time) { return parentPlot()->xAxis->coordToPixel(time); };
    const double low = x(quantile(one.samples, 0.25)), high = x(quantile(one.samples, 0.75));
    QColor fill = colour;
    fill.setAlpha(64);
    painter.setPen(QPen(colour, 1));
    painter.setBrush(fill);
    painter.drawRect(QRectF(low, y - half, std::max(high - low, 1.0), 2 * half));
    QColor dot = mixed(colour, text, 0.75);
    dot.setAlpha(170);
    painter.setPen(Qt::NoPen);
    painter.setBrush(dot);
    for (std::size_t i = 0; i < one.samples.size(); ++i)
        painter.drawEllipse(dotAt(at, i), dotRadius, dotRadius);
    painter.setPen(QPen(text, 2));
    const double median = medianAt(at);
    painter.drawLine(QPointF(median, y - half - 2), QPointF(median, y + half + 2));
    if (!one.wrong && one.note.isEmpty()) return;
    // A fast variant that is wrong must not be taken for a good one.
    painter.setPen(!one.wrong         ? mixed(text, base, 0.7)
                   : isDark(palette_) ? QColor(0xff, 0x8a, 0x80)
                                      : QColor(0xb0, 0x10, 0x10));
    const QString said = one.wrong ? QObject::tr("wrong result") : one.note;
    const double width = QFontMetricsF(parentPlot()->font()).horizontalAdvance(said);
    const double right = x(*std::ranges::max_element(one.samples)) + 8;
    const double left =
        right + width < area.right() ? right : x(*std::ranges::min_element(one.samples)) - width - 8;
    painter.drawText(QRectF(left, y - rowHeight() / 2, width + 2, rowHeight()),
                     Qt::AlignLeft | Qt::AlignVCenter, said);
}

void StripMarks::drawTies(QCPPainter& painter) const {
    const double right = parentPlot()->axisRect()->rect().right() + 8;
    const std::vector<int> lanes = lanesOf(ties_);
    for (std::size_t i = 0; i < ties_.size(); ++i) {
        const StripTie& tie = ties_[i];
        const double x = right + tieStep * lanes[i];
        painter.setPen(QPen(binColour(tie.colour, isDark(palette_)), 2));
        painter.drawLine(QPointF(x, rowAt(tie.strips.front())), QPointF(x, rowAt(tie.strips.back())));
        for (const std::size_t strip : tie.strips)
            painter.drawLine(QPointF(x - 5, rowAt(strip)), QPointF(x, rowAt(strip)));
    }
}

void StripMarks::drawHeadings(QCPPainter& painter) const {
    const QRectF area(parentPlot()->axisRect()->rect());
    const QColor text = palette_.color(QPalette::Text), base = palette_.color(QPalette::Base);
    QFont bold = parentPlot()->font();
    bold.setBold(true);
    painter.setFont(bold);
    for (std::size_t i = 0; i < strips_.size(); ++i) {
        if (!hasHeading(i)) continue;
        const double height = rowHeight(), top = rowAt(i) - 1.5 * height;
        if (i > 0) {
            painter.setPen(QPen(mixed(text, base, 0.5), 1));
            painter.drawLine(QPointF(8, top), QPointF(area.right(), top));
        }
        // In the background colour of the plot, clear of axis and grid lines.
        const QRectF place(area.left() + 6, top + 1, area.width() - 6, height - 1);
        painter.fillRect(place, base);
        painter.setPen(text);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(bold).elidedText(strips_[i].problem, Qt::ElideRight, place.width()));
    }
    painter.setFont(parentPlot()->font());
}

void StripMarks::draw(QCPPainter* painter) {
    painter->setFont(parentPlot()->font());
    painter->save();
    painter->setClipRect(QRectF(parentPlot()->axisRect()->rect()).adjusted(-3, 0, 3, 1));
    for (std::size_t i = 0; i < strips_.size(); ++i) drawStrip(*painter, i);
    painter->restore();
    painter->save();
    painter->setClipRect(parentPlot()->viewport());
    drawTies(*painter);
    drawHeadings(*painter);
    painter->restore();
}

StripPlot::StripPlot(QWidget* parent)
    : PlotWidget(
          tr("Times of the variants"), [this] { marks_->resetZoom(); }, parent),
      marks_(new StripMarks(plot_)),
      logSwitch_(
          view_->addSwitch(QStringLiteral("logX"), tr("&Logarithmic times"),
                           tr("Use a logarithmic axis, on which equal distances are equal ratios of times"),
                           [this](bool on) { setLogarithmic(on); })) {
    present();
}

void StripPlot::draw(QCustomPlot& plot, const QPalette& palette) const {
    marksIn(plot, marks_).present(strips_, ties_, palette, title_, logarithmic_, topMargin());
}

PlotLegend StripPlot::legend() const {
    PlotLegend sources;
    for (const Strip& one : strips_) addSource(sources, one.source, one.colour);
    std::ranges::sort(sources, {}, &PlotLegend::value_type::second);
    return sources;
}

void StripPlot::present() {
    PlotWidget::present();
    setMinimumHeight(strips_.empty() ? 0 : marks_->leastHeight());
}

QString StripPlot::describe(const QPointF& at) const {
    return marks_->describe(at);
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

void StripPlot::setLogarithmic(bool on) {
    logSwitch_->setChecked(on);
    if (logarithmic_ == on) return;
    logarithmic_ = on;
    present();
    view_->fit();
    emit logarithmicChanged(on);
}

QSize StripPlot::sizeHint() const {
    return {420, marks_->leastHeight()};
}

QSize StripPlot::figureSize() const {
    return {800, std::max(marks_->leastHeight(), 160)};
}

std::string StripPlot::csv() const {
    const bool grouped =
        std::ranges::any_of(strips_, [](const Strip& one) { return !one.problem.isEmpty(); });
    const bool noted = std::ranges::any_of(strips_, [](const Strip& one) { return one.wrong; });
    std::string text = std::string(grouped ? "problem," : "") + "variant,source,rank,sample,nanoseconds" +
                       (noted ? ",note\n" : "\n");
    for (const Strip& one : strips_)
        for (std::size_t i = 0; i < one.samples.size(); ++i)
            text += (grouped ? csvField(one.problem) + ',' : std::string()) + csvField(one.name) + ',' +
                    csvField(one.source) + ',' + one.rank.toStdString() + ',' + std::to_string(i + 1) + ',' +
                    csvNumber(one.samples[i]) +
                    (!noted      ? ""
                     : one.wrong ? ",the result is wrong"
                                 : ",") +
                    '\n';
    return text;
}

}  // namespace ks::ui::lab
