#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/progress.h"
#include "core/run/run.h"

namespace ks::io {

/// A text as a field of a CSV table, quoted where necessary.
std::string csv_field(std::string_view text);

/// What a table of a run has to say about all of its rows: that the result is wrong, and Run::notes; empty:
/// nothing.
std::string table_note(const Run& run);

/// Writes a CSV table with a header line, atomically, as write_text() does. If the run has a table_note(), it
/// is the value of an additional last column "note" in each row.
void write_run_table(const Run& run, const std::filesystem::path& out, std::string_view csv, bool overwrite,
                     Progress& progress);

}  // namespace ks::io
