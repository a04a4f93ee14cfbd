#pragma once

#include <filesystem>

#include "core/base/progress.h"
#include "core/run/run.h"

namespace ks::spots {

/// Writes a run, atomically: the table as /entry/spots/<column>, one row per spot, for kept spots only or, if
/// the run has the fact all_spots, for all of them with the columns `keep` and `dropped`;
/// /entry/frames/<column> with one row per frame; if it has the fact save_signal, /entry/data/signal u8
/// [frame][y][x] with 1 for signal, leaving missing frames unwritten, and /entry/data/frame; the record of
/// the run (io::write_run_record), with the signal as lists of pixels.
void write_spots(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// The same with all spots, replacing an existing file.
void keep_spots(const Run& run, const std::filesystem::path& out, Progress& progress);
/// Reads such a file, with the fact all_spots as in the request of the run; dropped spots are present only if
/// they were saved. Throws ks::Error(input).
Run read_spots(const std::filesystem::path& file);
/// Writes the table as CSV with column names, atomically; rows and columns as in write_spots(); NaN as "nan",
/// numbers with 17 digits.
void write_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

}  // namespace ks::spots
