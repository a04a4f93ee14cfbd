#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/run/result.h"

namespace ks {

// Rows of a table may have names: the first axis of its columns is then a text with one line per row.

/// The text with the row names of a column; null: the rows have no names.
const Dataset* row_names_of(const Result& result, const Dataset& column);
/// The lines of the text. Throws ks::Error(run) if the dataset is not a text.
std::vector<std::string> row_names(const Dataset& text);
/// Whether the text contains the names of a column's rows. It is then shown with these rows, not separately.
bool names_rows(const Result& result, const Dataset& text);

/// A fact of a result as it is shown to people.
struct ShownFact {
    /// "signal pixels"; for a rate, what is done at this rate, such as "private", otherwise "rate"
    std::string name;
    nlohmann::json value;  ///< the value of the fact, unchanged
    std::string unit;      ///< "GB/s"; empty: none
};

/// The facts in their order; keys that end in `gigabytes_per_second` and the like become a rate with its
/// unit.
std::vector<ShownFact> shown_facts(const Result& result);

}  // namespace ks
