#pragma once

#include <filesystem>

#include "core/base/progress.h"
#include "core/run/run.h"

namespace ks::io {

/// Writes any run as HDF5, for analyses without a layout of their own: each dataset under /entry/data/NAME
/// with its unit and title, the first curves, column or image as the signal of that NXdata, texts also as
/// NXnote under /entry/notes/NAME, and the record of the run. read_run_record() reads it back. Atomic;
/// nothing where it is asked to stop.
void write_result(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

/// Writes the curves and columns of any run as CSV, or its images where it has neither: a row for each value,
/// with a column for each axis (the index from 0 where an axis has no dataset) and one for each dataset.
/// Throws ks::Error(input) where there are none, or where they are not of the same axes and shape.
void write_result_table(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

}  // namespace ks::io
