#include "ui/clusters/modules/overview_grid.h"

#include <algorithm>
#include <cmath>

namespace ks::ui::clusters {

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

}  // namespace ks::ui::clusters
