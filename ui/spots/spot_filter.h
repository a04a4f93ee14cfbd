#pragma once

#include <QString>

#include "ui/models/column_filter.h"
#include "ui/spots/spot_table_model.h"

namespace ks::ui::spots {

/// Conditions on columns of spots that must all hold, as ColumnFilter reads them; a word is why a spot was
/// dropped
/// ("ice"). Names are SpotTableModel::key(). "frame" holds where it does for any frame of the spot.
class SpotFilter {
  public:
    SpotFilter() = default;  ///< holds for all spots
    /// Throws ks::Error(input) with one sentence that names the condition that cannot be read.
    static SpotFilter parse(const QString& text);
    bool accepts(const SpotTableModel& model, int spot) const;
    bool empty() const { return filter_.empty(); }

  private:
    ColumnFilter filter_;
};

}  // namespace ks::ui::spots
