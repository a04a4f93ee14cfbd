#pragma once

#include <QString>
#include <variant>
#include <vector>

#include "core/run/result.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/map_plot.h"
#include "ui/runs/run_table_model.h"
#include "ui/shell/general/result_table_model.h"

namespace ks::ui {

/// Curves over one axis.
struct CurvesExhibit {
    QVector<CurveSeries> series;
    QString xTitle, xUnit, yTitle, yUnit;
    bool logX = false;  ///< coordinates of several orders of magnitude
};
struct MapExhibit {
    MapData map;
    QString xTitle, xUnit, yTitle, yUnit, valueUnit;
};
struct TableExhibit {
    std::vector<ResultTableModel::Column> columns;
};
struct TextExhibit {
    QString text;
};

/// One thing that a result has to show.
struct Exhibit {
    QString name;   ///< of the dataset: it tells exhibits of two runs that belong together
    QString title;  ///< of its tab
    std::variant<CurvesExhibit, MapExhibit, TableExhibit, TextExhibit> content;
};

/// What a result has to show, by the kinds of its datasets alone; overlays and lone axes are left out. Curves
/// are those of all runs, the rest of the first one.
/// @param runs newest first; of one analysis
std::vector<Exhibit> exhibitsOf(const std::vector<RunRow>& runs);

/// "rate 12.3, size 64": the facts of a result, one line each.
QStringList factLines(const Result& result);

}  // namespace ks::ui
