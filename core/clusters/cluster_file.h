#pragma once

#include <filesystem>

#include "core/base/progress.h"
#include "core/run/run.h"

namespace ks::clusters {

/// Writes a run atomically. If the name ends in .csv: the labels, `index,module,label` in input order
/// (followed by `event` if the digis have events). Else HDF5: /entry/digis (module, label), /entry/clusters
/// (the table), /entry/modules (module, event, start, digis, clusters) and the record of the run.
void write_run(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// Writes the table of clusters atomically: `label,module,size,charge,x,y,xmin,xmax,ymin,ymax` (and `event`);
/// x and y are centroids of pixel centres (index + 0.5), the box is of pixel indices, inclusive.
void write_table(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// Reads back an HDF5 file of write_run. Throws ks::Error(input).
Run read_run(const std::filesystem::path& file);

}  // namespace ks::clusters
