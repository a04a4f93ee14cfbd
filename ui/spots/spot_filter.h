#pragma once

#include "ui/base/column_filter.h"

namespace ks::ui::spots {

/// Names for conditions on the columns of a SpotTableModel: its keys, and the reasons for dropping a spot
/// ("ice"). A condition on "frame" holds if it holds for any frame of the spot.
FilterNames spotFilterNames();

}  // namespace ks::ui::spots
