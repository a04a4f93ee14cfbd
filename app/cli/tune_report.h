#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/tune/tuner.h"

namespace ks::cli {

/// The best configurations beside the default, what could not be used, and the outcome.
std::string tune_table(const TuneReport& report);
/// With all samples; what stands in it is in docs/formats.md.
std::string tune_json(const TuneReport& report);
/// What tune_json() wrote to a file; nothing where there is no file. Throws ks::Error(input) where it is
/// something else, damaged, or newer.
std::optional<TuneReport> read_tuning(const std::filesystem::path& file);

/// The user's table, a line for each row.
std::string tuned_rows_text(const std::vector<TunedRow>& rows);

}  // namespace ks::cli
