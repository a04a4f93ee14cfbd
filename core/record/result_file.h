#pragma once

#include <filesystem>

#include "core/base/progress.h"
#include "core/run/run.h"

namespace ks::io {

/// Writes any run as HDF5, for analyses without a specific layout. Each dataset is /entry/data/NAME, with its
/// unit and title; the signal of this NXdata is the first dataset that is a set of curves, a column or an
/// image. Texts are also written as NXnote under /entry/notes/NAME. The file also contains the record of the
/// run; read_run_record() reads all of it back. Atomic; writes nothing if it is stopped.
void write_result(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

/// Writes the curves and columns of any run as CSV, or its images if it has neither: one row per value, with
/// one column per axis (the index from 0 if an axis has no dataset) and one per dataset. Throws
/// ks::Error(input) if there are none, or if their axes or shapes differ.
void write_result_table(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

}  // namespace ks::io
