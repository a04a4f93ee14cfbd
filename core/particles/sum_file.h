#pragma once

#include <filesystem>

#include "core/base/progress.h"
#include "core/run/run.h"

namespace ks::particles {

/// HDF5: the datasets of the result (to_result()) in /entry/data in double with the axes, those of each plane
/// by links in /entry/xy, /entry/xz and /entry/yz, so that each is an NXdata with its own axes; at points
/// where these are, as x, y and z in /entry/targets, with links to the sums; and the record of the run.
void write_run(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// CSV: one row a target. On planes plane,i,j,x,y,z, on a grid i,j,k,x,y,z, at points index,x,y,z (of runs
/// that were saved without the places of their targets index alone); then the values
/// in the order of the result: value of potential, value_2 of potential_2, and so on, gradients by their own
/// names; of complex sums two columns each, with _re and _im.
void write_table(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// Throws ks::Error(input) where the file holds no run of particles.
Run read_run(const std::filesystem::path& file);

}  // namespace ks::particles
