#pragma once

#include <filesystem>
#include <string>

#include "core/base/progress.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// Why the run of a request cannot be written by write_aps(), and what to give: "needs the frame time, ...";
/// empty: it can. Reads only what the file of the frames states. Throws ks::Error(input) if it is not
/// readable.
std::string why_no_aps(const Request& request);

/// Writes g2 in the layout of results of APS 8-ID, which pyXpcsViewer opens, atomically: /xpcs/multitau with
/// g2 and its error [delay, bin] from delay 1 on, /xpcs/qmap with the bins and the geometry, and the mean
/// image, the mean of each bin in all frames and in ten segments, and the mean of each frame. Bins without a
/// pixel are left out. Reads the frames of the run once more. Throws ks::Error(input) if the frame time or a
/// part of the geometry is not known, or if the files have changed.
void write_aps(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

}  // namespace ks::xpcs
