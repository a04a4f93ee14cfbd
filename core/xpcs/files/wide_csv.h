#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/progress.h"
#include "core/run/run.h"

namespace ks::xpcs {

/// Indices of the bins of g2 [bin][delay] that have a value at one delay at least: a bin that is turned off
/// has none, and no place in tables.
std::vector<std::size_t> bins_with_values(const Array& g2);

/// g2 as a table with one row per delay, for Origin, Excel and pandas: the delay, then g2 and its error for
/// each bin, side by side. The first line names the columns, separated by commas like all values:
/// "delay (s),g2 bin 1 (q = 0.00123 1/angstrom),g2_err bin 1 (q = 0.00123 1/angstrom),...". The delay is in
/// frames of the file if the frame time is not known, and a bin without q has only its number. Undefined
/// values are empty cells, and bins without any value have no columns; values of g2 have as many digits as
/// restore them exactly, and delays are short_number().
/// Throws ks::Error(run) if the run has no curves.
std::string wide_csv(const Run& run);
/// Writes wide_csv() as io::write_run_table() does.
void write_wide_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

}  // namespace ks::xpcs
