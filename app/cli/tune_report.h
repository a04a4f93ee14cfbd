#pragma once

#include <string>

#include "core/tune/tuner.h"

namespace ks::cli {

/// The best configurations next to the default, those that could not be used, and the outcome.
std::string tune_table(const TuneReport& report);

/// The user's table, one line per row.
std::string tuned_rows_text(const std::vector<TunedRow>& rows);

}  // namespace ks::cli
