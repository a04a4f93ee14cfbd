#include "ui/tune/ratio_map.h"

#include <QLabel>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <algorithm>
#include <functional>
#include <utility>

#include "ui/base/csv_field.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/plots/plot_text.h"

namespace ks::ui::tune {

RatioMap::RatioMap(QWidget* parent)
    : ToolPlot(
          tr("Best ratio for each pair of values of two definitions"), [] {}, parent),
      x_(new QComboBox),
      y_(new QComboBox),
      cells_(new RatioCells(plot_)) {
    plot_->setWhatsThis(
        tr("Each cell shows, for a pair of values, the best time among all values of the other definitions, "
           "relative to the default's time. In hatched cells nothing could be timed. The best cell is "
           "framed, the default's values are bold. Click a cell to pick its best configuration."));
    auto* line = inColumns({}, 6, {8, 4, 8, 2});
    for (const auto& [box, name] : {std::pair(x_, tr("Across")), std::pair(y_, tr("Upwards"))}) {
        named(box, name, tr("The definition whose values run across or upwards"));
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

QString RatioMap::emptyText() const {
    if (all_->rows.empty()) return emptyText_;
    return all_->axes.size() < 2 ? tr("Needs at least two definitions")
                                 : tr("Choose two different definitions");
}

void RatioMap::draw(QCustomPlot& plot, const QPalette& palette) const {
    plot.clearItems();
    applyPalette(plot, palette);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setVisible(false);
        axis->grid()->setVisible(false);
    }
    const RatioGrid now = grid();
    if (now.cells.empty()) new WrappedText(plot, emptyText(), palette);     // of the plot
    RatioCells& cells = &plot == plot_ ? *cells_ : *new RatioCells(&plot);  // a child of the plot
    cells.present(all_, now, palette);
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
