#include "ui/tune/parallel_plot.h"

#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/base/csv_field.h"
#include "ui/base/palette.h"
#include "ui/plots/plot_text.h"
#include "ui/plots/plot_view.h"

namespace ks::ui::tune {
namespace {

constexpr double leastDrag = 3;  ///< pixels; a shorter drag is a click

bool sameAxes(const Configurations& a, const Configurations& b) {
    return std::ranges::equal(a.axes, b.axes, [](const DefineAxis& one, const DefineAxis& other) {
        return one.name == other.name && one.values == other.values;
    });
}

}  // namespace

ParallelPlot::ParallelPlot(QWidget* parent)
    : ToolPlot(
          tr("Configurations"), [this] { clearBrushes(); }, parent),
      lines_(new ParallelLines(plot_)) {
    plot_->setWhatsThis(
        tr("One axis per definition and one for the time relative to the default; one line per "
           "configuration. Drag along an axis to select values, click it to clear its selection, "
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
    return tr("%1: %2 \u00d7 the default's time\n%3 compared with %4")
        .arg(name, ratioText(one.ratio), formatDuration(one.tried), formatDuration(one.usual));
}

QString ParallelPlot::describe(const QPointF& at) const {
    const auto row = lines_->rowAt(at);
    return row ? describe(*row) : QString();
}

void ParallelPlot::draw(QCustomPlot& plot, const QPalette& palette) const {
    plot.clearItems();
    applyPalette(plot, palette);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setVisible(false);
        axis->grid()->setVisible(false);
    }
    ParallelLines& lines = &plot == plot_ ? *lines_ : *new ParallelLines(&plot);  // a child of the plot
    lines.present(content_, palette);
    if (content_.all->rows.empty()) new WrappedText(plot, emptyText_, palette);  // of the plot
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
