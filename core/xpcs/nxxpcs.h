#pragma once

#include <filesystem>

#include "core/base/progress.h"
#include "core/run/run.h"

namespace ks::xpcs {

/// Writes a run in the NeXus NXxpcs layout, atomically: /entry/data/g2 [delay, bin] (attribute storage_mode
/// one_array, column = label - 1), g2_derr, delay_difference (frames),
/// /entry/instrument/masks/dynamic_roi_map, dynamic_q_list, two-time under /entry/twotime, and
/// /entry/kernelscope with request, device, driver, timings and verdict as JSON text.
void write_nxxpcs(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// Reads such a file (request, variant, device, result, timings, verdict). Throws ks::Error(input).
Run read_nxxpcs(const std::filesystem::path& file);
/// Writes CSV "bin,delay,g2,g2_err,q" with q in 1/angstrom, atomically; NaN as "nan"; numbers with 17 digits.
void write_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

}  // namespace ks::xpcs
