#include "ui/tune/ratio_map.h"

#include <QLabel>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "ui/base/csv_field.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/plots/plot_text.h"

namespace ks::ui::tune {
namespace {

constexpr double cellsLeft = 64, cellsRight = 112, cellsTop = 12, cellsBottom = 48;
constexpr double gap = 1;
constexpr double barWidth = 14;

}  // namespace

RatioGrid gridOf(const Configurations& all, std::size_t x, std::size_t y) {
    RatioGrid grid{x, y, static_cast<std::size_t>(all.axes[x].values.size()),
                   static_cast<std::size_t>(all.axes[y].values.size())};
    grid.cells.resize(grid.rows * grid.columns);
    for (std::size_t row = 0; row < all.rows.size(); ++row) {
        const Configuration& one = all.rows[row];
        RatioCell& cell = grid.cells[one.values[y] * grid.columns + one.values[x]];
        ++cell.tried;
        cell.failed += one.outcome == Outcome::failed ? 1 : 0;
        cell.wrong += one.outcome == Outcome::wrong ? 1 : 0;
        if (one.outcome == Outcome::timed && (!cell.best || one.ratio < all.rows[*cell.best].ratio))
            cell.best = row;
    }
    const auto known = [](const std::optional<std::size_t>& value) { return value.has_value(); };
    if (std::ranges::all_of(all.usual, known) && !grid.cells.empty())
        grid.cells[*all.usual[y] * grid.columns + *all.usual[x]].holdsDefault = true;
    return grid;
}

std::optional<double> RatioCell::ratio(const Configurations& all) const {
    const std::optional<double> tried = best ? std::optional(all.rows[*best].ratio) : std::nullopt;
    return holdsDefault ? std::min(tried.value_or(1), 1.0) : tried;
}

RatioCells::RatioCells(QCustomPlot* plot) : PlotMarks(plot) {}

void RatioCells::present(SharedConfigurations all, RatioGrid grid, const QPalette& palette) {
    all_ = std::move(all);
    grid_ = std::move(grid);
    palette_ = palette;
    scale_ = RatioScale::of(*all_);
}

QRectF RatioCells::area() const {
    return QRectF(parentPlot()->viewport()).adjusted(cellsLeft, cellsTop, -cellsRight, -cellsBottom);
}

QRectF RatioCells::cellRect(std::size_t row, std::size_t column) const {
    const QRectF all = area();
    const double wide = all.width() / static_cast<double>(grid_.columns),
                 high = all.height() / static_cast<double>(grid_.rows);
    return {all.left() + wide * static_cast<double>(column),
            all.bottom() - high * static_cast<double>(row + 1), wide, high};
}

std::optional<std::pair<std::size_t, std::size_t>> RatioCells::cellAt(const QPointF& at) const {
    for (std::size_t row = 0; row < grid_.rows; ++row)
        for (std::size_t column = 0; column < grid_.columns; ++column)
            if (cellRect(row, column).contains(at)) return std::pair(row, column);
    return std::nullopt;
}

void RatioCells::drawCell(QCPPainter& painter, std::size_t row, std::size_t column) const {
    const RatioCell& cell = grid_.at(row, column);
    const std::optional<double> ratio = cell.ratio(*all_);
    const QRectF place = cellRect(row, column).adjusted(gap, gap, -gap, -gap);
    const bool dark = isDark(palette_);
    const QColor text = palette_.color(QPalette::Text), base = palette_.color(QPalette::Base);
    QString said;
    QColor ink = text;
    painter.setPen(Qt::NoPen);
    if (ratio) {
        const QColor fill = scale_.colour(*ratio, dark);
        painter.fillRect(place, fill);
        ink = textOn(fill);
        said = ratioText(*ratio);
    } else if (cell.tried > 0) {
        const Outcome outcome = cell.wrong > 0 ? Outcome::wrong : Outcome::failed;
        const QColor colour = outcomeColour(outcome, dark);
        painter.fillRect(place, mixed(colour, base, 0.12));
        painter.setClipRect(place);
        painter.setPen(QPen(mixed(colour, base, 0.6), 1));
        for (double x = place.left() - place.height(); x < place.right(); x += 8) {
            painter.drawLine(QPointF(x, place.bottom()), QPointF(x + place.height(), place.top()));
            if (outcome == Outcome::wrong)
                painter.drawLine(QPointF(x, place.top()), QPointF(x + place.height(), place.bottom()));
        }
        painter.setClipping(false);
        painter.setPen(QPen(colour, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(place);
        ink = colour;
        said = outcomeText(outcome);
    } else {
        painter.setPen(QPen(mixed(text, base, 0.18), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(place);
    }
    if (cell.best && all_->best == cell.best) {
        painter.setPen(QPen(text, 2.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(place.adjusted(1, 1, -1, -1));
    }
    const QFontMetricsF metrics(painter.font());
    const QSizeF size(metrics.horizontalAdvance(said) + 6, metrics.height());
    if (said.isEmpty() || size.width() > place.width() || size.height() > place.height()) return;
    if (!ratio)
        painter.fillRect(QRectF(place.center() - QPointF(size.width(), size.height()) / 2, size),
                         mixed(ink, base, 0.12));
    painter.setPen(ink);
    painter.drawText(place, Qt::AlignCenter | Qt::TextSingleLine, said);
}

void RatioCells::drawAxes(QCPPainter& painter) const {
    const QRectF all = area();
    const QFont usual = painter.font();
    QFont bold = usual;
    bold.setBold(true);
    const QFontMetricsF metrics(usual);
    const auto isUsual = [&](std::size_t which, std::size_t value) {
        return all_->usual[which] && *all_->usual[which] == value;
    };
    painter.setPen(palette_.color(QPalette::Text));
    for (std::size_t column = 0; column < grid_.columns; ++column) {
        const QRectF cell = cellRect(0, column);
        painter.setFont(isUsual(grid_.x, column) ? bold : usual);
        const QString value = axis(grid_.x).values[static_cast<qsizetype>(column)];
        painter.drawText(QRectF(cell.left(), all.bottom() + 2, cell.width(), metrics.height()),
                         Qt::AlignCenter, metrics.elidedText(value, Qt::ElideRight, cell.width()));
    }
    for (std::size_t row = 0; row < grid_.rows; ++row) {
        const QRectF cell = cellRect(row, 0);
        if (cell.height() < metrics.height() * 0.7) continue;
        painter.setFont(isUsual(grid_.y, row) ? bold : usual);
        const QString value = axis(grid_.y).values[static_cast<qsizetype>(row)];
        painter.drawText(QRectF(22, cell.top(), cellsLeft - 28, cell.height()),
                         Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(value, Qt::ElideRight, cellsLeft - 28));
    }
    painter.setFont(usual);
    painter.drawText(
        QRectF(all.left(), all.bottom() + 4 + metrics.height(), all.width(), metrics.height() + 4),
        Qt::AlignCenter, axis(grid_.x).name);
    painter.save();
    painter.translate(12, all.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-all.height() / 2, -metrics.height() / 2, all.height(), metrics.height()),
                     Qt::AlignCenter, axis(grid_.y).name);
    painter.restore();
}

void RatioCells::drawScale(QCPPainter& painter) const {
    const QRectF all = area();
    const QRectF bar(all.right() + 18, all.top() + 20, barWidth, std::max(all.height() - 24, 1.0));
    const QFontMetricsF metrics(painter.font());
    const bool dark = isDark(palette_);
    const auto yOf = [&](double ratio) { return bar.bottom() - scale_.position(ratio) * bar.height(); };
    constexpr int steps = 64;
    for (int i = 0; i < steps; ++i) {
        const double share = (i + 0.5) / steps;
        const double ratio = scale_.low * std::pow(scale_.high / scale_.low, share);
        painter.fillRect(QRectF(bar.left(), bar.bottom() - (i + 1) * bar.height() / steps, bar.width(),
                                bar.height() / steps + 0.5),
                         scale_.colour(ratio, dark));
    }
    painter.setPen(palette_.color(QPalette::Text));
    painter.drawText(QRectF(bar.left() - 12, all.top() - 6, cellsRight, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("search / default's time"));
    const int most = static_cast<int>(bar.height() / (1.8 * metrics.height()));
    for (const double tick : scale_.ticks(std::clamp(most, 2, 12))) {
        painter.drawLine(QPointF(bar.right(), yOf(tick)), QPointF(bar.right() + 4, yOf(tick)));
        painter.drawText(QRectF(bar.right() + 7, yOf(tick) - metrics.height() / 2, 60, metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, QString::number(tick, 'g', 3));
    }
}

void RatioCells::draw(QCPPainter* painter) {
    if (grid_.cells.empty()) return;
    painter->setFont(parentPlot()->font());
    for (std::size_t row = 0; row < grid_.rows; ++row)
        for (std::size_t column = 0; column < grid_.columns; ++column) drawCell(*painter, row, column);
    drawAxes(*painter);
    drawScale(*painter);
}

RatioMap::RatioMap(QWidget* parent)
    : PlotWidget(
          tr("Best ratio for each pair of values of two definitions"), [] {}, parent),
      x_(new QComboBox),
      y_(new QComboBox),
      cells_(new RatioCells(plot_)) {
    hasAxes_ = false;
    plot_->setWhatsThis(tr(
        "Each cell stands for one pair of values. It shows the best time found with this pair and any values "
        "of the other definitions, relative to the default's time. In hatched cells nothing could be "
        "timed. The best cell is framed, the default's values are bold. Click a cell to pick its best "
        "configuration."));
    auto* line = inColumns({}, 6, {8, 4, 8, 2});
    for (const auto& [box, name] : {std::pair(x_, tr("Across")), std::pair(y_, tr("Upwards"))}) {
        named(box, name, tr("The definition whose values lie along this axis"));
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        line->addWidget(new QLabel(name));
        line->addWidget(box);
        line->addSpacing(12);
        connect(box, &QComboBox::currentIndexChanged, this, &RatioMap::present);
    }
    auto* said = new QLabel(tr("Each cell shows its best configuration"));
    said->setForegroundRole(QPalette::PlaceholderText);
    said->setMinimumWidth(1);
    line->addWidget(said, 1);
    rows_->insertLayout(0, line);
    connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        const auto cell = cells_->cellAt(event->position());
        if (!cell || event->button() != Qt::LeftButton) return;
        if (const auto best = cells_->grid().at(cell->first, cell->second).best) emit picked(*best);
    });
    present();
}

void RatioMap::setConfigurations(SharedConfigurations all) {
    all_ = std::move(all);
    showDefines();
    present();
}

void RatioMap::showDefines() {
    QStringList names, shown;
    for (const DefineAxis& axis : all_->axes) names << axis.name;
    for (int i = 0; i < x_->count(); ++i) shown << x_->itemText(i);
    if (names == shown) return;
    const QSignalBlocker quiet[] = {QSignalBlocker(x_), QSignalBlocker(y_)};
    // Those with the most values are the most informative.
    std::vector<int> order(all_->axes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](int i) { return all_->axes[static_cast<std::size_t>(i)].values.size(); });
    for (QComboBox* box : {x_, y_}) {
        box->clear();
        box->addItems(names);
    }
    if (!order.empty()) x_->setCurrentIndex(order[0]);
    if (order.size() > 1) y_->setCurrentIndex(order[1]);
}

RatioGrid RatioMap::grid() const {
    const int x = x_->currentIndex(), y = y_->currentIndex();
    if (x < 0 || y < 0 || x == y || all_->rows.empty()) return {};
    return gridOf(*all_, static_cast<std::size_t>(x), static_cast<std::size_t>(y));
}

QString RatioMap::hint() const {
    if (all_->rows.empty()) return emptyText_;
    return all_->axes.size() < 2 ? tr("The map needs at least two definitions")
                                 : tr("Choose two different definitions");
}

void RatioMap::draw(QCustomPlot& plot, const QPalette& palette) const {
    marksIn(plot, cells_).present(all_, grid(), palette);
}

QString RatioMap::describe(const QPointF& at) const {
    const auto cell = cells_->cellAt(at);
    return cell ? describe(cell->first, cell->second) : QString();
}

QString RatioMap::describe(std::size_t row, std::size_t column) const {
    const RatioGrid& grid = cells_->grid();
    const RatioCell& cell = grid.at(row, column);
    const auto value = [&](std::size_t axis, std::size_t at) {
        return QStringLiteral("%1=%2").arg(all_->axes[axis].name,
                                           all_->axes[axis].values[static_cast<qsizetype>(at)]);
    };
    const QString where = value(grid.x, column) + QLatin1Char(' ') + value(grid.y, row);
    if (cell.tried == 0) return (cell.holdsDefault ? tr("%1: the default") : tr("%1: not tried")).arg(where);
    QString said = tr("%1: %2 tried").arg(where).arg(cell.tried);
    if (cell.failed > 0) said += tr(", %1 failed").arg(cell.failed);
    if (cell.wrong > 0) said += tr(", %1 wrong").arg(cell.wrong);
    if (cell.holdsDefault) said += tr(", and the default");
    if (cell.best)
        said += tr("\nbest: %1, %2 \u00d7 the default's time")
                    .arg(all_->name(*cell.best), ratioText(all_->rows[*cell.best].ratio));
    return said;
}

std::string RatioMap::csv() const {
    const RatioGrid now = grid();
    if (now.cells.empty()) return "ratio,tried,failed,wrong\n";
    std::string text = csvField(all_->axes[now.x].name) + ',' + csvField(all_->axes[now.y].name) +
                       ",ratio,tried,failed,wrong\n";
    for (std::size_t row = 0; row < now.rows; ++row)
        for (std::size_t column = 0; column < now.columns; ++column) {
            const RatioCell& cell = now.at(row, column);
            text += csvField(all_->axes[now.x].values[static_cast<qsizetype>(column)]) + ',' +
                    csvField(all_->axes[now.y].values[static_cast<qsizetype>(row)]) + ',' +
                    (cell.ratio(*all_) ? csvNumber(*cell.ratio(*all_)) : std::string("nan")) + ',' +
                    std::to_string(cell.tried) + ',' + std::to_string(cell.failed) + ',' +
                    std::to_string(cell.wrong) + '\n';
        }
    return text;
}

}  // namespace ks::ui::tune
