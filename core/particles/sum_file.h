#pragma once

#include <filesystem>

#include "core/base/progress.h"
#include "core/run/run.h"

namespace ks::particles {

/// HDF5: the datasets of the result (to_result()) in /entry/data, in double, with the axes. Those of each
/// plane are linked in /entry/xy, /entry/xz and /entry/yz, so that each is an NXdata with its own axes. At
/// points, the coordinates are x, y and z in /entry/targets, with links to the sums. The file also holds the
/// record of the run.
void write_run(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// CSV: one row per target. Columns are plane,i,j,x,y,z on planes, i,j,k,x,y,z on a grid, index,x,y,z at
/// points (only index for runs saved without the coordinates of their targets); then the values in the order
/// of the result: value for potential, value_2 for potential_2, and so on, gradients under their own names;
/// for complex sums two columns each, with _re and _im.
void write_table(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// Throws ks::Error(input) if the file holds no particle run.
Run read_run(const std::filesystem::path& file);

}  // namespace ks::particles
