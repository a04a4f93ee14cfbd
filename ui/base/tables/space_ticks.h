#pragma once

class QAbstractItemView;

namespace ks::ui {

/// Space ticks or unticks the current row of a view, whichever of its cells is the current one. By itself a
/// view does this only in the cell with the box.
/// @param column with the boxes
void tickRowsBySpace(QAbstractItemView& view, int column);

}  // namespace ks::ui
