#pragma once

#include <string>

#include "core/input/input_files.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace ks {

/// All that a run of this request reads, by what it is read as: its inputs, its kernel file, and the files
/// which that includes. Reads the kernel file.
/// @param of follows each role: " of repeat 2"
io::NamesRead names_read(const Request& request, const std::string& of = {});
/// All that a run has read: the names of its request, those of all its repeats if it is an average, and the
/// files that it recorded, which its names may no longer lead to.
io::NamesRead names_read(const Run& run, const std::string& of = {});

}  // namespace ks
