#pragma once

#include <filesystem>
#include <string>

#include "core/base/progress.h"
#include "core/run/run.h"

namespace ks::xpcs {

/// g2 as a table with one row per delay, for Origin, Excel and pandas: the delay, then g2 and its error for
/// each bin, side by side. The first line names the columns, separated by commas like all values:
/// "delay (s),g2 bin 1 (q = 0.00123 1/angstrom),g2_err bin 1 (q = 0.00123 1/angstrom),...". The delay is in
/// frames if the frame time is not known, and a bin without q has only its number. Undefined values are empty
/// cells; all others have as many digits as restore them exactly. Throws ks::Error(run) if the run has no
/// curves.
std::string wide_csv(const Run& run);
/// Writes wide_csv() as io::write_run_table() does.
void write_wide_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

}  // namespace ks::xpcs
