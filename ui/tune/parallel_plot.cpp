#include "ui/tune/parallel_plot.h"

#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ui/base/csv_field.h"
#include "ui/base/palette.h"
#include "ui/plots/plot_text.h"
#include "ui/plots/plot_view.h"

namespace ks::ui::tune {
namespace {

constexpr double leftMargin = 56, rightMargin = 72, topMargin = 34, bottomMargin = 34;
constexpr double reach = 5;       ///< pixels from a line
constexpr double axisReach = 14;  ///< pixels from an axis
constexpr int mostTicks = 12;
constexpr double spreadShare = 0.62;
constexpr double slotShare = 0.1;  ///< of the last axis, for failed and wrong configurations

double distance(const QPointF& at, const QPointF& from, const QPointF& to) {
    const QPointF along = to - from, towards = at - from;
    const double length = QPointF::dotProduct(along, along);
    const double share = length > 0 ? std::clamp(QPointF::dotProduct(towards, along) / length, 0.0, 1.0) : 0;
    const QPointF away = towards - share * along;
    return std::hypot(away.x(), away.y());
}

constexpr double leastDrag = 3;  ///< pixels; a shorter drag is a click

bool sameAxes(const Configurations& a, const Configurations& b) {
    return std::ranges::equal(a.axes, b.axes, [](const DefineAxis& one, const DefineAxis& other) {
        return one.name == other.name && one.values == other.values;
    });
}

}  // namespace

ParallelLines::ParallelLines(QCustomPlot* plot) : PlotMarks(plot) {}

void ParallelLines::present(const ParallelContent& content, const QPalette& palette) {
    const bool other = content.all != content_.all;
    content_ = content;
    palette_ = palette;
    if (!other) return;
    scale_ = RatioScale::of(*content_.all);
    untimed_.clear();
    for (const Outcome one : {Outcome::failed, Outcome::wrong})
        if (std::ranges::find(content_.all->rows, one, &Configuration::outcome) != content_.all->rows.end())
            untimed_.push_back(one);
    spreadRows();
}

// In the same order on every axis, so that fewer lines cross.
void ParallelLines::spreadRows() {
    const std::vector<Configuration>& rows = content_.all->rows;
    fastest_.resize(rows.size());
    std::iota(fastest_.begin(), fastest_.end(), std::size_t{0});
    std::ranges::stable_sort(fastest_, [&](std::size_t a, std::size_t b) {
        if (rows[a].outcome != rows[b].outcome) return rows[a].outcome < rows[b].outcome;
        return rows[a].ratio < rows[b].ratio;
    });
    spread_.assign(content_.all->axes.size(), std::vector<double>(rows.size(), 0));
    for (std::size_t axis = 0; axis < spread_.size(); ++axis) {
        std::vector<std::vector<std::size_t>> ofValue(
            static_cast<std::size_t>(content_.all->axes[axis].values.size()));
        for (const std::size_t row : fastest_) ofValue[rows[row].values[axis]].push_back(row);
        for (const std::vector<std::size_t>& same : ofValue)
            for (std::size_t i = 0; same.size() > 1 && i < same.size(); ++i)
                spread_[axis][same[i]] = static_cast<double>(i) / static_cast<double>(same.size() - 1) - 0.5;
    }
}

QRectF ParallelLines::area() const {
    return QRectF(parentPlot()->viewport()).adjusted(leftMargin, topMargin, -rightMargin, -bottomMargin);
}

double ParallelLines::axisX(std::size_t axis) const {
    const QRectF all = area();
    return axes() < 2
               ? all.right()
               : all.left() + all.width() * static_cast<double>(axis) / static_cast<double>(axes() - 1);
}

double ParallelLines::yOf(double place) const {
    return area().bottom() - place * area().height();
}

double ParallelLines::placeAt(double y) const {
    return std::clamp((area().bottom() - y) / area().height(), 0.0, 1.0);
}

double ParallelLines::ratioShare() const {
    return 1 - slotShare * static_cast<double>(untimed_.size());
}

double ParallelLines::ratioPlace(double ratio) const {
    return scale_.position(ratio) * (ratioShare() - 0.04) + 0.02;
}

double ParallelLines::outcomePlace(Outcome outcome) const {
    const auto at = static_cast<double>(std::ranges::find(untimed_, outcome) - untimed_.begin());
    return ratioShare() + slotShare * (at + 0.5);
}

double ParallelLines::place(std::size_t row, std::size_t axis) const {
    const Configuration& one = content_.all->rows[row];
    if (axis < content_.all->axes.size())
        return (static_cast<double>(one.values[axis]) + 0.5) /
               static_cast<double>(content_.all->axes[axis].values.size());
    return one.outcome == Outcome::timed ? ratioPlace(one.ratio) : outcomePlace(one.outcome);
}

QPointF ParallelLines::pointAt(std::size_t row, std::size_t axis) const {
    double at = place(row, axis);
    if (axis < content_.all->axes.size())
        at += spread_[axis][row] * spreadShare / static_cast<double>(content_.all->axes[axis].values.size());
    return {axisX(axis), yOf(at)};
}

bool ParallelLines::isWithin(std::size_t row, std::size_t axis, const Brush& brush) const {
    const double at = place(row, axis);
    // A value is selected if the brush comes near its middle; selecting only part of its lines would mean
    // nothing.
    const bool isValue = axis < content_.all->axes.size();
    const double around =
        isValue ? spreadShare / 6 / static_cast<double>(content_.all->axes[axis].values.size()) : 0;
    return at + around >= brush.low && at - around <= brush.high;
}

std::optional<std::size_t> ParallelLines::rowAt(const QPointF& at) const {
    std::optional<std::size_t> nearest;
    double best = reach;
    for (std::size_t row = 0; row < content_.all->rows.size(); ++row) {
        if (row < content_.left.size() && !content_.left[row]) continue;
        for (std::size_t axis = 0; axis + 1 < axes(); ++axis) {
            const double away = distance(at, pointAt(row, axis), pointAt(row, axis + 1));
            if (away < best) {
                best = away;
                nearest = row;
            }
        }
    }
    return nearest;
}

std::optional<std::size_t> ParallelLines::axisAt(const QPointF& at) const {
    if (content_.all->rows.empty() || at.y() < area().top() - 8 || at.y() > area().bottom() + 8)
        return std::nullopt;
    for (std::size_t axis = 0; axis < axes(); ++axis)
        if (std::abs(at.x() - axisX(axis)) <= axisReach) return axis;
    return std::nullopt;
}

std::vector<std::size_t> ParallelLines::drawingOrder() const {
    // First the filtered-out lines, then the failed ones, then the slow ones: the fastest are on top.
    std::vector<std::size_t> order(fastest_.rbegin(), fastest_.rend());
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t row) { return row < content_.left.size() && !content_.left[row]; });
    return order;
}

void ParallelLines::drawRow(QCPPainter& painter, std::size_t row) const {
    const Configuration& one = content_.all->rows[row];
    const bool dark = isDark(palette_);
    const bool isLeft = row >= content_.left.size() || content_.left[row];
    QColor colour =
        one.outcome == Outcome::timed ? scale_.colour(one.ratio, dark) : outcomeColour(one.outcome, dark);
    if (!isLeft) colour = mixed(palette_.color(QPalette::Text), palette_.color(QPalette::Base), 0.1);
    const bool isBest = isLeft && content_.all->best == row, isMarked = isLeft && content_.marked == row;
    const auto many = content_.all->rows.size();
    QPen pen(colour, isMarked || isBest ? 3 : many > 150 ? 1 : 1.5);
    if (one.outcome == Outcome::failed && isLeft) pen.setDashPattern({4, 3});
    QPolygonF line;
    for (std::size_t axis = 0; axis < axes(); ++axis) line << pointAt(row, axis);
    painter.setBrush(Qt::NoBrush);
    if (isMarked) {
        painter.setPen(QPen(palette_.color(QPalette::Text), 6));
        painter.drawPolyline(line);
    }
    painter.setPen(pen);
    painter.drawPolyline(line);
}

void ParallelLines::drawLabel(QCPPainter& painter, const QRectF& place, const QString& text,
                              bool strong) const {
    QColor below = palette_.color(QPalette::Base);
    below.setAlphaF(0.8F);
    const double wide = std::min<double>(place.width(), painter.fontMetrics().horizontalAdvance(text) + 4);
    painter.fillRect(QRectF(place.right() - wide, place.top(), wide, place.height()), below);
    painter.setPen(strong ? palette_.color(QPalette::Text)
                          : mixed(palette_.color(QPalette::Text), palette_.color(QPalette::Base), 0.75));
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, text);
}

void ParallelLines::drawAxis(QCPPainter& painter, std::size_t axis) const {
    const double x = axisX(axis);
    const QColor text = palette_.color(QPalette::Text), base = palette_.color(QPalette::Base);
    painter.setPen(QPen(mixed(text, base, 0.55), 1));
    painter.drawLine(QPointF(x, yOf(0)), QPointF(x, yOf(1)));
    if (axis < content_.brushes.size() && content_.brushes[axis]) {
        const Brush& brush = *content_.brushes[axis];
        QColor fill = palette_.color(QPalette::Highlight);
        painter.setPen(QPen(fill, 1));
        fill.setAlphaF(0.35F);
        painter.setBrush(fill);
        painter.drawRect(QRectF(QPointF(x - 7, yOf(brush.high)), QPointF(x + 7, yOf(brush.low))));
    }
    QFont bold = painter.font();
    bold.setBold(true);
    const QFont usual = painter.font();
    painter.setFont(bold);
    painter.setPen(text);
    const bool isRatio = axis + 1 == axes();
    const QString name = isRatio ? QObject::tr("search / default's time") : content_.all->axes[axis].name;
    const double room = axes() > 1 ? area().width() / static_cast<double>(axes() - 1) - 6 : 200;
    const double right = parentPlot()->viewport().right() - 4 - x;
    // The outer names stay within the plot.
    const double half = std::min(room / 2, isRatio ? std::max(right, 20.0) : room / 2);
    const QRectF place = isRatio ? QRectF(x + right - room - 20, 6, room + 20, 20)
                                 : QRectF(x - std::min(half, axis == 0 ? leftMargin - 4 : half), 6,
                                          2 * std::min(half, axis == 0 ? leftMargin - 4 : half), 20);
    painter.drawText(place, (isRatio ? Qt::AlignRight : Qt::AlignHCenter) | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(place.width())));
    painter.setFont(usual);
}

void ParallelLines::drawValues(QCPPainter& painter, std::size_t axis) const {
    const DefineAxis& define = content_.all->axes[axis];
    const auto count = static_cast<double>(define.values.size());
    const double high = painter.fontMetrics().height();
    // Labels that would touch are omitted, but never the default's.
    const auto step = static_cast<qsizetype>(std::ceil(high * count / std::max(area().height(), 1.0)));
    const std::optional<std::size_t> usual = content_.all->usual[axis];
    for (qsizetype i = 0; i < define.values.size(); ++i) {
        const bool isUsual = usual && *usual == static_cast<std::size_t>(i);
        const double y = yOf((static_cast<double>(i) + 0.5) / count);
        painter.setPen(QPen(palette_.color(QPalette::Text), 1));
        painter.drawLine(QPointF(axisX(axis) - 3, y), QPointF(axisX(axis) + 3, y));
        if (i % std::max<qsizetype>(step, 1) != 0 && !isUsual) continue;
        QFont font = painter.font();
        font.setBold(isUsual);
        painter.setFont(font);
        drawLabel(painter, QRectF(axisX(axis) - leftMargin + 2, y - high / 2, leftMargin - 10, high),
                  define.values[i], isUsual);
        font.setBold(false);
        painter.setFont(font);
    }
}

void ParallelLines::drawRatios(QCPPainter& painter) const {
    const double x = axisX(axes() - 1), high = painter.fontMetrics().height();
    const QColor text = palette_.color(QPalette::Text);
    const auto put = [&](double place, const QString& word, const QColor& colour) {
        painter.setPen(QPen(text, 1));
        painter.drawLine(QPointF(x - 3, yOf(place)), QPointF(x + 3, yOf(place)));
        painter.setPen(colour);
        painter.drawText(QRectF(x + 9, yOf(place) - high / 2, rightMargin - 11, high),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, word);
    };
    const int most = static_cast<int>(area().height() * ratioShare() / (1.6 * high));
    const std::vector<double> ticks = scale_.ticks(std::clamp(most, 2, mostTicks));
    for (const double tick : ticks) put(ratioPlace(tick), QString::number(tick, 'g', 3), text);
    for (const Outcome one : untimed_)
        put(outcomePlace(one), outcomeText(one), outcomeColour(one, isDark(palette_)));
    // The default's own time, a reference for all lines.
    painter.setPen(QPen(text, 1.5));
    painter.drawLine(QPointF(x - 9, yOf(ratioPlace(1))), QPointF(x + 7, yOf(ratioPlace(1))));
}

void ParallelLines::draw(QCPPainter* painter) {
    if (content_.all->rows.empty()) return;
    painter->setFont(parentPlot()->font());
    for (const std::size_t row : drawingOrder())
        if (row != content_.marked && row != content_.all->best) drawRow(*painter, row);
    if (content_.all->best && content_.all->best != content_.marked) drawRow(*painter, *content_.all->best);
    if (content_.marked && *content_.marked < content_.all->rows.size()) drawRow(*painter, *content_.marked);
    for (std::size_t axis = 0; axis < axes(); ++axis) drawAxis(*painter, axis);
    for (std::size_t axis = 0; axis + 1 < axes(); ++axis) drawValues(*painter, axis);
    drawRatios(*painter);
}

ParallelPlot::ParallelPlot(QWidget* parent)
    : PlotWidget(
          tr("Configurations"), [this] { clearBrushes(); }, parent),
      lines_(new ParallelLines(plot_)) {
    hasAxes_ = false;
    plot_->setWhatsThis(
        tr("One axis per definition and one for the time relative to the default; one line per "
           "configuration. Drag along an axis to select values, click an axis to clear its selection, "
           "double-click to clear all selections. The default's values are bold."));
    plot_->setMouseTracking(true);
    connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { pressed(*event); });
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { moved(*event); });
    connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) { released(*event); });
    present();
}

void ParallelPlot::setConfigurations(SharedConfigurations all) {
    const bool same = sameAxes(*all, *content_.all);
    const bool grown = same && all->rows.size() >= content_.all->rows.size();
    content_.all = std::move(all);
    if (!grown) chosen_.reset();
    content_.marked = chosen_;
    if (!same || content_.brushes.empty()) content_.brushes.assign(content_.all->axes.size() + 1, {});
    present();  // positions of rows are those of the new ones
    chooseLeft();
}

void ParallelPlot::mark(std::optional<std::size_t> row) {
    chosen_ = row;
    content_.marked = row;
    present();
}

bool ParallelPlot::brushed() const {
    return std::ranges::any_of(content_.brushes, [](const auto& one) { return one.has_value(); });
}

bool ParallelPlot::isLeft(std::size_t row) const {
    return row >= content_.left.size() || content_.left[row];
}

void ParallelPlot::clearBrushes() {
    if (!brushed()) return;
    for (std::optional<Brush>& one : content_.brushes) one.reset();
    chooseLeft();
}

void ParallelPlot::chooseLeft() {
    std::vector<bool> left(content_.all->rows.size(), true);
    for (std::size_t row = 0; row < left.size(); ++row)
        for (std::size_t axis = 0; axis < content_.brushes.size(); ++axis)
            if (content_.brushes[axis] && !lines_->isWithin(row, axis, *content_.brushes[axis]))
                left[row] = false;
    content_.left = std::move(left);
    // The selection here is reset like the zoom of other plots.
    if (brushed()) {
        view_->hold({0, 1, 0, 1});
    } else {
        view_->release();
        view_->fit();
    }
    present();
    emit brushesChanged();
}

void ParallelPlot::pressed(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton) return;
    if (const auto axis = lines_->axisAt(event.position()))
        drag_ = Drag{*axis, lines_->placeAt(event.position().y())};
}

void ParallelPlot::moved(const QMouseEvent& event) {
    if (drag_) {
        const double now = lines_->placeAt(event.position().y());
        if (!drag_->moved && std::abs(lines_->yOf(now) - lines_->yOf(drag_->from)) < leastDrag) return;
        drag_->moved = true;
        content_.brushes[drag_->axis] = Brush{std::min(now, drag_->from), std::max(now, drag_->from)};
        chooseLeft();
        return;
    }
    const auto row = event.buttons() ? std::nullopt : lines_->rowAt(event.position());
    const bool onAxis = lines_->axisAt(event.position()).has_value();
    plot_->setCursor(onAxis ? Qt::SizeVerCursor : row ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const std::optional<std::size_t> marked = row ? row : chosen_;
    if (marked != content_.marked) {
        content_.marked = marked;
        present();
    }
}

void ParallelPlot::released(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton) return;
    const auto drag = std::exchange(drag_, std::nullopt);
    if (drag && drag->moved) return;
    if (drag && content_.brushes[drag->axis]) {
        content_.brushes[drag->axis].reset();
        return chooseLeft();
    }
    if (const auto row = lines_->rowAt(event.position())) {
        mark(row);
        emit picked(*row);
    }
}

QString ParallelPlot::describe(std::size_t row) const {
    const Configuration& one = content_.all->rows[row];
    const QString name = content_.all->name(row);
    if (one.outcome != Outcome::timed)
        return QStringLiteral("%1: %2\n%3").arg(name, outcomeText(one.outcome), one.reason);
    const QString said =
        tr("%1: %2 \u00d7 the default's time in the search\n%3 compared with %4")
            .arg(name, ratioText(one.ratio), formatDuration(one.tried), formatDuration(one.usual));
    return std::isnan(one.finalRatio)
               ? said
               : tr("%1\n%2 \u00d7 in the final comparison").arg(said, ratioText(one.finalRatio));
}

QString ParallelPlot::describe(const QPointF& at) const {
    const auto row = lines_->rowAt(at);
    return row ? describe(*row) : QString();
}

void ParallelPlot::draw(QCustomPlot& plot, const QPalette& palette) const {
    marksIn(plot, lines_).present(content_, palette);
}

std::string ParallelPlot::csv() const {
    std::string text;
    for (const DefineAxis& axis : content_.all->axes) text += csvField(axis.name) + ',';
    text += "ratio,outcome,shown\n";
    for (std::size_t row = 0; row < content_.all->rows.size(); ++row) {
        const Configuration& one = content_.all->rows[row];
        for (std::size_t i = 0; i < one.values.size(); ++i)
            text += csvField(content_.all->axes[i].values[static_cast<qsizetype>(one.values[i])]) + ',';
        text += csvNumber(one.ratio) + ',' + outcomeText(one.outcome).toStdString() + ',' +
                (isLeft(row) ? "1" : "0") + '\n';
    }
    return text;
}

}  // namespace ks::ui::tune
