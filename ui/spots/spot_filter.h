#pragma once

#include <QString>
#include <vector>

#include "ui/spots/spot_table_model.h"

namespace ks::ui::spots {

/// Conditions on columns that must all hold: "sum > 500, d < 3". A condition is NAME OP NUMBER,
/// NUMBER OP NAME, NUMBER OP NAME OP NUMBER, NAME NUMBER..NUMBER (inclusive), or why a spot was dropped
/// ("ice"); OP is one of < <= > >= = !=, names are SpotTableModel::key(). "frame" holds where it does for any
/// frame of the spot; an unknown value meets no condition.
class SpotFilter {
  public:
    SpotFilter() = default;  ///< holds for all spots
    /// Throws ks::Error(input) with one sentence that names the condition that cannot be read.
    static SpotFilter parse(const QString& text);
    bool accepts(const SpotTableModel& model, int spot) const;
    bool empty() const { return conditions_.empty(); }

  private:
    enum class Relation { less, lessEqual, greater, greaterEqual, equal, unequal };
    struct Condition {
        SpotTableModel::Column column;
        Relation relation;
        double value;
    };
    static bool holds(double low, double high, const Condition& condition);
    static std::vector<Condition> parseOne(const QString& text);
    static Relation relationOf(const QString& sign);
    static Relation mirrored(Relation relation);

    std::vector<Condition> conditions_;
};

}  // namespace ks::ui::spots
