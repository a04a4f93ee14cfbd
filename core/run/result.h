#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/array.h"
#include "core/base/fields.h"

namespace ks {

/// How a dataset is displayed:
///   axis     [point]: coordinates that other datasets name in `axes`
///   curves   [point], or [curve][point]; `errors` may name one standard deviation of each value. Datasets
///            [point] with the same unit and the same axis of the result are one plot.
///   image    [y][x], or a volume [z][y][x]
///   table    [row]: a column, with the title of its dataset as heading. Columns with the same axes and the
///            same number of rows are one table; tables of a result whose lengths may be equal name separate
///            axes. [step][row] is a column that changes from step to step.
///   overlay  drawn on an image or next to a table by views that know it
///   text     u8 [byte]: UTF-8 text; the title says what it is
enum class DataKind { axis, curves, image, table, overlay, text };
const char* name_of(DataKind kind);
DataKind data_kind_from(const std::string& name);

/// A named array of a result, with everything needed to plot and save it.
struct Dataset {
    std::string name;   ///< "g2"
    std::string title;  ///< "g2(q, tau)"
    std::string unit;   ///< of the values; empty: none
    DataKind kind = DataKind::curves;
    Array values;
    std::vector<std::string> axes = {};  ///< per dimension, the name of the axis dataset ("" for the index)
    std::string errors = {};             ///< name of the dataset of one standard deviation, or empty
};

void fields(auto& visit, ConstOr<Dataset> auto& dataset) {
    visit("name", dataset.name);
    visit("title", dataset.title);
    visit("unit", dataset.unit);
    visit.name("kind", dataset.kind, data_kind_from);
    visit("values", dataset.values);
    visit("axes", dataset.axes);
    visit("errors", dataset.errors);
}

/// The result of an analysis: datasets by name, facts, and warnings for the amber bar.
struct Result {
    std::vector<Dataset> datasets;
    nlohmann::json facts = nlohmann::json::object();  ///< scalars to be shown: "invalid_pixels": 12
    std::vector<std::string> warnings;

    const Dataset* find(const std::string& name) const;
    /// Throws ks::Error(run) if there is no dataset of that name.
    const Dataset& at(const std::string& name) const;
};

/// Text as a dataset. @param title what it is: "Output of the kernel"
Dataset text_dataset(const std::string& name, const std::string& title, const std::string& text);
/// The text of a dataset of kind `text`. Throws ks::Error(run) for another kind or type.
std::string text_of(const Dataset& dataset);

/// One line per fact, then the texts: how a terminal shows a result without a summary of its own.
std::string summary_of_result(const Result& result);

KS_FIELDS(Result, datasets, facts, warnings)

}  // namespace ks
