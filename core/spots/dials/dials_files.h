#pragma once

#include <filesystem>
#include <string>

#include "core/base/progress.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace ks::spots {

/// Why the spots of a request cannot be written for DIALS: "needs the wavelength, which is unknown; set
/// --wavelength"; empty: they can. Reads what the files of the frames state about the experiment.
std::string why_no_dials(const Request& request);

/// Writes PREFIX.expt, the experiments (beam, detector, goniometer, scan, images) as JSON, and PREFIX.refl,
/// the kept spots as a reflection table in MessagePack, as dials.find_spots does, without shoeboxes. Stills
/// have an experiment per frame, a rotation series has one. Both files are complete before either gets its
/// name. Throws ks::Error(input) for what why_no_dials() names, and for a series whose names DIALS cannot
/// describe.
/// @param prefix of the names of both files
void write_dials(const Run& run, const std::filesystem::path& prefix, bool overwrite, Progress& progress);

}  // namespace ks::spots
