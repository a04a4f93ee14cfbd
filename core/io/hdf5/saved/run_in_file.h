#pragma once

#include <string>

#include "core/io/hdf5/hdf5.h"

namespace ks::io {

/// Whether the file has the record of a run, or parts of one. Converted data has the group with a request,
/// but no result.
bool has_run_record(const h5::Handle& file);
/// Throws ks::Error(input) if the file has one: a result is not a frame of a detector.
void require_no_run(const h5::Handle& file, const std::string& file_name);

}  // namespace ks::io
