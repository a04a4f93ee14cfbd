#include "ui/clusters/modules/module_overview.h"

#include <qcustomplot.h>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/image/view/colour_bar.h"
#include "ui/plots/plot_text.h"

namespace ks::ui::clusters {
namespace {

constexpr double border = 4;

}  // namespace

using ks::clusters::DetectorLayout;
using ks::clusters::Layer;

OverviewGrid::OverviewGrid(const DetectorLayout& layout, std::size_t modules, const QSizeF& room)
    : cells_(modules) {
    if (modules == 0 || room.isEmpty()) return;
    std::size_t widest = modules;
    if (layout.modules == modules && !layout.layers.empty()) {
        widest = 0;
        for (const Layer& layer : layout.layers) widest = std::max<std::size_t>(widest, layer.modules);
    }
    // The side of a cell is the smaller of width / columns and height / rows. It is largest near where both
    // are equal, and a few hundred trials take less than a tenth of a millisecond.
    const auto ideal = std::sqrt(static_cast<double>(modules) * room.width() / room.height());
    const std::size_t from = std::max<std::size_t>(1, static_cast<std::size_t>(ideal / 4)),
                      to = std::max(from, std::min(widest, static_cast<std::size_t>(ideal * 4) + 1)),
                      step = std::max<std::size_t>(1, (to - from) / 256);
    std::size_t best = 1;
    double side = 0;
    for (std::size_t columns = from; columns <= to; columns += step) {
        build(layout, columns);
        const double now = std::min(room.width() / static_cast<double>(columns), room.height() / height_);
        if (now <= side) continue;
        side = now;
        best = columns;
    }
    build(layout, best);
}

void OverviewGrid::build(const DetectorLayout& layout, std::size_t columns) {
    columns_ = columns;
    blocks_.clear();
    double top = 0;
    const auto add = [&](QString name, std::size_t first, std::size_t cells) {
        const std::size_t rows = (cells + columns - 1) / columns;
        if (!blocks_.empty()) top += gap;
        blocks_.push_back({std::move(name), first, cells, rows, top});
        top += static_cast<double>(rows);
    };
    if (layout.modules == cells_ && !layout.layers.empty())
        for (const Layer& layer : layout.layers)
            add(QString::fromStdString(layer.name), layer.first, layer.modules);
    else
        add({}, 0, cells_);
    height_ = top;
}

std::size_t OverviewGrid::blockOf(std::size_t cell) const {
    std::size_t block = 0;
    while (block + 1 < blocks_.size() && blocks_[block + 1].first <= cell) ++block;
    return block;
}

QRectF OverviewGrid::cell(std::size_t cell) const {
    const Block& block = blocks_[blockOf(cell)];
    const std::size_t at = cell - block.first;
    return {static_cast<double>(at % columns_), block.top + static_cast<double>(at / columns_), 1, 1};
}

std::optional<std::size_t> OverviewGrid::at(const QPointF& point) const {
    if (point.x() < 0 || point.x() >= static_cast<double>(columns_)) return std::nullopt;
    for (const Block& block : blocks_) {
        const double row = std::floor(point.y() - block.top);
        if (row < 0 || row >= static_cast<double>(block.rows)) continue;
        const std::size_t at = static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(point.x());
        if (at < block.cells) return block.first + at;
    }
    return std::nullopt;
}

std::size_t OverviewGrid::moved(std::size_t from, int columns, int rows) const {
    if (from >= cells_) return from;
    if (columns != 0) {
        const auto to = static_cast<std::ptrdiff_t>(from) + columns;
        return to < 0 || to >= static_cast<std::ptrdiff_t>(cells_) ? from : static_cast<std::size_t>(to);
    }
    // Moves up and down into neighbouring blocks; a short last row ends at its last cell.
    const std::size_t own = blockOf(from), column = (from - blocks_[own].first) % columns_,
                      row = (from - blocks_[own].first) / columns_;
    std::size_t block = own;
    auto to = static_cast<std::ptrdiff_t>(row) + rows;
    if (to < 0) {
        if (block == 0) return from;
        --block;
        to = static_cast<std::ptrdiff_t>(blocks_[block].rows) - 1;
    } else if (to >= static_cast<std::ptrdiff_t>(blocks_[block].rows)) {
        if (block + 1 == blocks_.size()) return from;
        ++block;
        to = 0;
    }
    const Block& there = blocks_[block];
    return there.first + std::min(static_cast<std::size_t>(to) * columns_ + column, there.cells - 1);
}

ModuleOverview::ModuleOverview(QWidget* parent) : ViewportCanvas(parent) {
    setAccessibleName(tr("Modules of the detector"));
    setWhatsThis(tr(
        "All modules of the detector. Click or use the arrow keys to select a module; its pixels are shown "
        "next to this overview. Scroll to zoom, drag to pan, Home to fit."));
    setAccessibleDescription(tr("Arrow keys select a module"));
    layOut();
    new Restyled(this, Restyled::By::paletteOrFont, [this] { layOut(); });
}

void ModuleOverview::setEvent(std::shared_ptr<const DigiSet> digis, std::shared_ptr<const RunClusters> run,
                              std::size_t event) {
    digis_ = std::move(digis);
    run_ = std::move(run);
    event_ = event;
    rescale();
    layOut();
    hoverAgain();
}

void ModuleOverview::setQuantity(Quantity quantity) {
    if (quantity_ == quantity) return;
    quantity_ = quantity;
    rescale();
    layOut();
}

void ModuleOverview::setEmptyText(const QString& text) {
    emptyText_ = text;
    update();
}

void ModuleOverview::setNote(const QString& note) {
    if (note_ == note) return;
    note_ = note;
    layOut();
}

void ModuleOverview::select(std::optional<std::size_t> slot) {
    if (selected_ == slot) return;
    selected_ = slot;
    update();
    if (!slot || !hasPicture() || *slot < digis_->firstSlot(event_) || *slot >= digis_->endSlot(event_))
        return;
    const QRectF cell = cellRect(*slot);
    if (cell.intersects(places_.room)) return;
    viewport_.panBy(places_.room.center() - cell.center());
    viewMoved();
}

double ModuleOverview::value(std::size_t slot) const {
    switch (quantity_) {
        case Quantity::digis:
            return digis_->digis().slot_digis()[slot];
        case Quantity::clusters:
            return run_ ? static_cast<double>(run_->count(slot)) : std::numeric_limits<double>::quiet_NaN();
        case Quantity::charge:
            break;
    }
    return static_cast<double>(digis_->charge(slot));
}

// From zero, on a square-root scale: the innermost layer has ten times the hits of the others.
void ModuleOverview::rescale() {
    scale_ = ColourScale{};
    scale_.kind = ScaleKind::sqrt;
    scale_.automatic = false;
    scale_.whole = true;
    scale_.high = 1;
    if (empty()) return;
    for (std::size_t slot = digis_->firstSlot(event_); slot < digis_->endSlot(event_); ++slot)
        if (const double now = value(slot); now > scale_.high) scale_.high = now;
}

double ModuleOverview::noteHeight(const QFontMetrics& metrics, int width) const {
    return note().isEmpty() ? 0 : badgeHeight(metrics, note(), width - 2 * border) + 2;
}

ModuleOverview::Places ModuleOverview::placesFor(const QSize& size, const QFontMetrics& metrics) const {
    Places places;
    if (empty()) return places;
    double names = 0;
    if (digis_->layout().fixed())
        for (const ks::clusters::Layer& layer : digis_->layout().layers)
            names = std::max(names, metrics.horizontalAdvance(QString::fromStdString(layer.name)) + 6.0);
    places.bar = colourBarWidth(scale_, metrics);
    const QRectF room = QRectF(QPointF(), QSizeF(size))
                            .adjusted(border + names, border + noteHeight(metrics, size.width()),
                                      -places.bar - 3 * border, -border);
    places.room = room;
    if (room.width() < 8 || room.height() < 8) return places;
    const std::size_t modules = digis_->endSlot(event_) - digis_->firstSlot(event_);
    places.grid = OverviewGrid(digis_->layout(), modules, room.size());
    places.side = std::min({room.width() / static_cast<double>(places.grid.columns()),
                            room.height() / places.grid.height(), 48.0});
    // Whole pixels, if the cells are large enough, keep the cells equal.
    if (places.side >= 10) places.side = std::floor(places.side);
    const QSizeF used(places.side * static_cast<double>(places.grid.columns()),
                      places.side * places.grid.height());
    places.cells = QRectF(QPointF(std::floor(room.left() + (room.width() - used.width()) / 2),
                                  std::floor(room.top() + (room.height() - used.height()) / 2)),
                          used);
    return places;
}

// The picture of the viewport is the fitted layout, in its pixels. Another layout is fitted.
void ModuleOverview::layOut() {
    const Places before = std::exchange(whole_, placesFor(size(), fontMetrics()));
    grid_ = whole_.grid;
    if (whole_.room != before.room || whole_.cells != before.cells) {
        viewport_.setArea(whole_.room);
        viewport_.setImage(whole_.room.size());
    }
    viewMoved();
}

void ModuleOverview::viewMoved() {
    places_ = whole_;
    places_.side *= zoom();
    places_.cells = QRectF(viewport_.toScreen(whole_.cells.topLeft() - whole_.room.topLeft()),
                           whole_.cells.size() * zoom());
    picture_ = {};
    update();
}

QRectF ModuleOverview::rectOf(const Places& places, std::size_t cell) {
    const QRectF at = places.grid.cell(cell);
    const double gap = places.side >= 4 ? 1 : 0;
    const QPointF from = places.cells.topLeft() + at.topLeft() * places.side,
                  to = places.cells.topLeft() + at.bottomRight() * places.side;
    if (gap == 0) return {from, to};
    // On whole screen pixels, or gaps would be blurred.
    return {QPointF(std::round(from.x()), std::round(from.y())),
            QPointF(std::round(to.x()) - gap, std::round(to.y()) - gap)};
}

QRectF ModuleOverview::cellRect(std::size_t slot) const {
    return rectOf(places_, slot - digis_->firstSlot(event_));
}

std::optional<std::size_t> ModuleOverview::slotAt(const QPointF& widget) const {
    if (!hasPicture() || !places_.room.contains(widget)) return std::nullopt;
    const auto cell = grid_.at((widget - places_.cells.topLeft()) / places_.side);
    return cell ? std::optional(digis_->firstSlot(event_) + *cell) : std::nullopt;
}

QString ModuleOverview::digisText(std::size_t slot) const {
    const std::size_t digis = digis_->digis().slot_digis()[slot];
    return digis == 1 ? tr(": 1 digi") : tr(": %1 digis").arg(digis);
}

QString ModuleOverview::clustersText(std::size_t slot) const {
    if (!run_) return {};
    const std::size_t clusters = run_->count(slot);
    return clusters == 1 ? tr(", 1 cluster") : tr(", %1 clusters").arg(clusters);
}

QString ModuleOverview::describe(std::size_t slot) const {
    const QString layer = layerName(digis_->layout(), digis_->module(slot));
    QString text = tr("Module %1").arg(digis_->module(slot));
    if (!layer.isEmpty()) text += tr(" (%1)").arg(layer);
    return text + digisText(slot) + clustersText(slot) +
           tr(", charge %1 adc").arg(grouped(digis_->charge(slot)));
}

QStringList ModuleOverview::shorter(std::size_t slot) const {
    const QString name = tr("Module %1").arg(digis_->module(slot)), digis = name + digisText(slot);
    return {digis + clustersText(slot), digis, name};
}

void ModuleOverview::paintAll(QPainter& painter, const QSize& size, const Places& places,
                              const QPalette& palette) const {
    const QColor base = palette.color(QPalette::Base), text = palette.color(QPalette::Text);
    painter.fillRect(QRect(QPoint(), size), base);
    if (empty()) {
        painter.setPen(mixed(text, base, 0.7));
        painter.drawText(QRect(QPoint(), size).adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                         emptyText_);
        return;
    }
    if (places.side <= 0) return;
    const QColor none = mixed(text, base, 0.12), unknown = mixed(text, base, 0.3);
    const std::size_t first = digis_->firstSlot(event_);
    painter.save();
    painter.setClipRect(places.room);
    for (std::size_t cell = 0; cell < places.grid.cells(); ++cell) {
        const double now = value(first + cell);
        const bool hit = digis_->digis().slot_digis()[first + cell] > 0;
        painter.fillRect(rectOf(places, cell), std::isnan(now) ? (hit ? unknown : none)
                                               : hit           ? QColor(colours_.at(scale_.position(now)))
                                                               : none);
    }
    painter.restore();
    const QFontMetricsF metrics(painter.font());
    painter.setPen(text);
    double free = 0;  // names of rows with less height would overlap
    for (const OverviewGrid::Block& block : places.grid.blocks()) {
        const double top = places.cells.top() + block.top * places.side,
                     bottom = top + static_cast<double>(block.rows) * places.side,
                     middle = (std::max(top, places.room.top()) + std::min(bottom, places.room.bottom())) / 2;
        if (block.name.isEmpty() || top > places.room.bottom() || bottom < places.room.top() ||
            middle - metrics.height() / 2 < free)
            continue;
        free = middle + metrics.height() / 2;
        painter.drawText(QPointF(std::max(places.cells.left(), places.room.left()) - 6 -
                                     metrics.horizontalAdvance(block.name),
                                 middle + metrics.capHeight() / 2),
                         block.name);
    }
    const QString titles[] = {tr("digis"), tr("clusters"), tr("charge (adc)")};
    const double above = noteHeight(QFontMetrics(painter.font()), size.width()),
                 top = above + border + metrics.height() + 4;
    if (above > 0) paintBadge(painter, {border, 2, size.width() - 2 * border, above}, note(), palette);
    paintColourBar(painter, {size.width() - places.bar - border, top}, size.height() - top - border - 4,
                   colours_, scale_, titles[static_cast<int>(quantity_)], palette);
}

void ModuleOverview::paintEvent(QPaintEvent*) {
    if (picture_.isNull()) {
        const double ratio = devicePixelRatioF();
        picture_ = QPixmap((QSizeF(size()) * ratio).toSize());
        picture_.setDevicePixelRatio(ratio);
        QPainter painter(&picture_);
        painter.setFont(font());
        paintAll(painter, size(), places_, palette());
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, picture_);
    if (selected_ && hasPicture() && *selected_ >= digis_->firstSlot(event_) &&
        *selected_ < digis_->endSlot(event_)) {
        // Large enough to be found among thousands.
        QRectF mark = cellRect(*selected_);
        const double grow = std::max(1.5, (9 - mark.width()) / 2);
        mark.adjust(-grow, -grow, grow, grow);
        painter.setClipRect(places_.room.adjusted(-border, -border, border, border));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Base), 4));
        painter.drawRect(mark);
        painter.setPen(QPen(palette().color(QPalette::Text), 2));
        painter.drawRect(mark);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setClipping(false);
    }
    paintFocus(painter);
}

void ModuleOverview::clickedAt(const QMouseEvent& event) {
    const auto slot = event.button() == Qt::LeftButton ? slotAt(event.position()) : std::nullopt;
    if (!slot) return;
    select(slot);
    emit picked(*slot);
}

void ModuleOverview::hoverAt(const QPointF& widget) {
    const auto slot = slotAt(widget);
    emit hovered(slot ? describe(*slot) : QString());
}

void ModuleOverview::hoverEnded() {
    emit hovered({});
}

void ModuleOverview::keyPressEvent(QKeyEvent* event) {
    const int column = event->key() == Qt::Key_Left    ? -1
                       : event->key() == Qt::Key_Right ? 1
                                                       : 0,
              row = event->key() == Qt::Key_Up     ? -1
                    : event->key() == Qt::Key_Down ? 1
                                                   : 0;
    if (empty() || (column == 0 && row == 0)) return ViewportCanvas::keyPressEvent(event);
    const std::size_t first = digis_->firstSlot(event_);
    const bool here = selected_ && *selected_ >= first && *selected_ < digis_->endSlot(event_);
    const std::size_t to = first + (here ? grid_.moved(*selected_ - first, column, row) : 0);
    if (selected_ == to) return;
    select(to);
    emit picked(to);
}

bool ModuleOverview::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return ViewportCanvas::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto slot = slotAt(help->pos()))
        QToolTip::showText(help->globalPos(), describe(*slot), this, cellRect(*slot).toAlignedRect());
    else
        QToolTip::hideText();
    return true;
}

void ModuleOverview::paintFigure(QCPPainter& painter, const QSize& size) const {
    painter.setFont(font());
    paintAll(painter, size, placesFor(size, QFontMetrics(font())), printPalette());
}

std::string ModuleOverview::csv() const {
    std::string text = "event,module,layer,digis,clusters,charge\n";
    if (empty()) return text;
    for (std::size_t slot = digis_->firstSlot(event_); slot < digis_->endSlot(event_); ++slot)
        text += std::to_string(digis_->number(event_)) + ',' + std::to_string(digis_->module(slot)) + ',' +
                layerName(digis_->layout(), digis_->module(slot)).toStdString() + ',' +
                std::to_string(digis_->digis().slot_digis()[slot]) + ',' +
                (run_ ? std::to_string(run_->count(slot)) : std::string()) + ',' +
                std::to_string(digis_->charge(slot)) + '\n';
    return text;
}

}  // namespace ks::ui::clusters
