#pragma once

#include <QString>
#include <functional>
#include <utility>
#include <vector>

namespace ks::ui {

/// Names that conditions on the columns of a table may use.
struct FilterNames {
    struct Column {
        QString name;
        int column;
    };
    struct Word {
        QString word;
        int column;
        double value;  ///< value of the column where the word holds
    };
    std::vector<Column> columns;   ///< the name that is listed: "sum"
    std::vector<Column> synonyms;  ///< other common names
    std::vector<Word> words;       ///< conditions without a number: "ice"
    QString example;               ///< "sum > 500, d < 3"
};

/// Conditions on columns, all of which must hold: "sum > 500, d < 3". A condition is NAME OP NUMBER, NUMBER
/// OP NAME, NUMBER OP NAME OP NUMBER, NAME NUMBER..NUMBER (inclusive), or a word; OP is one of < <= > >= =
/// !=. An unknown value meets no condition.
class ColumnFilter {
  public:
    /// The smallest and the largest value of an item in a column.
    using Range = std::function<std::pair<double, double>(int column)>;

    ColumnFilter() = default;  ///< holds for all items
    /// Throws ks::Error(input), with one sentence that names the condition that cannot be read.
    static ColumnFilter parse(const QString& text, const FilterNames& names);
    bool accepts(const Range& range) const;
    bool empty() const { return conditions_.empty(); }
    /// Columns used by the conditions, in the order of the conditions.
    std::vector<int> columns() const;

  private:
    enum class Relation { less, lessEqual, greater, greaterEqual, equal, unequal };
    struct Condition {
        int column;
        Relation relation;
        double value;
    };
    static bool holds(double low, double high, const Condition& condition);
    /// @param typed the same for messages, as the user typed it
    static std::vector<Condition> parseOne(const QString& text, const QString& typed,
                                           const FilterNames& names);
    static Relation relationOf(const QString& sign);
    static Relation mirrored(Relation relation);

    std::vector<Condition> conditions_;
};

}  // namespace ks::ui
