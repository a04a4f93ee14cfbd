#pragma once

#include <QRectF>
#include <QSizeF>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "ui/clusters/core_clusters.h"

namespace ks::ui::clusters {

/// Where the modules of a detector are drawn: one block of rows per layer, filled row by row with square
/// cells. A cell is an index among the modules, from 0. Lengths are in units of a cell.
class OverviewGrid {
  public:
    struct Block {
        QString name;  ///< of the layer; empty: there are no layers
        std::size_t first, cells, rows;
        double top;
    };
    static constexpr double gap = 0.5;  ///< between blocks

    OverviewGrid() = default;
    /// @param modules their number; layers are used if they contain exactly that many
    /// @param room space for the cells: the number of columns is chosen to make them largest
    OverviewGrid(const ks::clusters::DetectorLayout& layout, std::size_t modules, const QSizeF& room);

    std::size_t cells() const { return cells_; }
    std::size_t columns() const { return columns_; }
    double height() const { return height_; }
    const std::vector<Block>& blocks() const { return blocks_; }
    QRectF cell(std::size_t cell) const;
    std::optional<std::size_t> at(const QPointF& point) const;
    /// The cell that a key moves to from this one: the neighbour to the side, or in the row above or below;
    /// the same cell if there is none.
    std::size_t moved(std::size_t from, int columns, int rows) const;

  private:
    std::size_t blockOf(std::size_t cell) const;
    void build(const ks::clusters::DetectorLayout& layout, std::size_t columns);

    std::size_t cells_ = 0, columns_ = 1;
    double height_ = 0;
    std::vector<Block> blocks_;
};

}  // namespace ks::ui::clusters
