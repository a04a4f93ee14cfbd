#pragma once

#include <string>
#include <vector>

#include "core/run/result.h"

namespace ks {

// Rows of a table may have names: the first axis of its columns is then a text with a line for each of them.

/// The text that names the rows of a column; null: they have no names.
const Dataset* row_names_of(const Result& result, const Dataset& column);
/// Its lines. Throws ks::Error(run) for no text.
std::vector<std::string> row_names(const Dataset& text);
/// Whether the text names rows of some column: it is shown beside them, and not by itself.
bool names_rows(const Result& result, const Dataset& text);

}  // namespace ks
