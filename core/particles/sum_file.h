#pragma once

#include <filesystem>

#include "core/run/run.h"

namespace ks::particles {

/// HDF5: /entry/data/potential_xy, _xz, _yz [i][j] (or potential [target]) in double with the axes, and the
/// record of the run.
void write_run(const Run& run, const std::filesystem::path& out, bool overwrite);
/// CSV: one row a target. On planes plane,i,j,x,y,z and the value; at points index and the value; of complex
/// sums value_re,value_im.
void write_table(const Run& run, const std::filesystem::path& out, bool overwrite);
/// Throws ks::Error(input) where the file holds no run of particles.
Run read_run(const std::filesystem::path& file);

}  // namespace ks::particles
