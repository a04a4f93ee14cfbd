#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/result.h"
#include "ui/base/ordered_table_model.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/map_plot.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {

/// Columns of a result, as a table.
class ResultTableModel : public OrderedTableModel {
    Q_OBJECT
  public:
    struct Column {
        std::string key, title, unit;
        std::vector<double> values;  ///< [row]
        bool whole = false;          ///< of whole numbers
        QStringList words = {};      ///< shown instead of the values, by which rows are sorted
    };
    /// @param columns all of the same length
    explicit ResultTableModel(std::vector<Column> columns, QObject* parent = nullptr);

    double number(int item, int column) const override;
    QString text(int item, int column) const override;

  private:
    std::vector<Column> columns_;
};

/// Curves of one unit over one axis.
struct CurvesExhibit {
    QVector<CurveSeries> series;
    QString xTitle, xUnit, yTitle, yUnit;
    bool logX = false;  ///< coordinates of several orders of magnitude
    bool logY = false;  ///< several datasets whose values are of several orders of magnitude
};
struct MapExhibit {
    MapData map;
    std::function<QString(std::size_t pixel)> pixelText;  ///< empty: only the value
    QString xTitle, xUnit, yTitle, yUnit, valueUnit;
};
struct TableExhibit {
    std::vector<ResultTableModel::Column> columns;
};
struct TextExhibit {
    QString text;
    std::vector<int> runs = {};  ///< of the lines below the first, by their numbers; empty: no such lines
};

/// One displayable part of a result.
struct Exhibit {
    QString name;   ///< of the dataset: matches exhibits of two runs
    QString title;  ///< of its tab
    std::variant<CurvesExhibit, MapExhibit, TableExhibit, TextExhibit> content;
};

/// The displayable parts of a result, by the kinds of its datasets; overlays and lone axes are omitted.
/// Curves are those of all runs, everything else is from the first one.
/// @param runs newest first; of one analysis
/// @param analysis of these runs, outlives the returned exhibits; null: pixels are not described
std::vector<Exhibit> exhibitsOf(const std::vector<RunRow>& runs, const Analysis* analysis = nullptr);

/// "rate 12.3, size 64": the facts of a result, one line each.
QStringList factLines(const Result& result);

}  // namespace ks::ui
