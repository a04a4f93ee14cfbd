#pragma once

#include <filesystem>

#include "core/base/progress.h"
#include "core/run/run.h"

namespace ks::spots {

/// Writes a run, atomically: the table as /entry/spots/<column>, a row a spot, kept ones only or, where the
/// run has the fact all_spots, all with the columns `keep` and `dropped`; a row a frame as
/// /entry/frames/<column>; where it has the fact save_signal, /entry/data/signal u8 [frame][y][x] with 1 for
/// signal, missing frames left unwritten, and /entry/data/frame; the record of the run (io::write_run_record)
/// with the signal as lists of pixels.
void write_spots(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// The same with all spots, and over what was there.
void keep_spots(const Run& run, const std::filesystem::path& out, Progress& progress);
/// Reads such a file back, with the fact all_spots as the run was asked for; dropped spots are there only
/// where they were saved. Throws ks::Error(input).
Run read_spots(const std::filesystem::path& file);
/// The table as CSV with the names of the columns, atomically; rows and columns as in the file; NaN as "nan",
/// numbers with 17 digits.
void write_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

}  // namespace ks::spots
