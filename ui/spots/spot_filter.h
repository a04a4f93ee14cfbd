#pragma once

#include "ui/base/column_filter.h"

namespace ks::ui::spots {

/// What conditions on the columns of a SpotTableModel may name: its keys, and why a spot was dropped ("ice").
/// "frame" holds where it does for any frame of the spot.
FilterNames spotFilterNames();

}  // namespace ks::ui::spots
