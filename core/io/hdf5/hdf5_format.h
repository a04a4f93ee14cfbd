#pragma once

#include <filesystem>

#include "core/io/frame_format.h"

namespace ks::io {

/// Whether the file has the signature of HDF5, told without the library.
bool is_hdf5(const std::filesystem::path& file);

/// The row of HDF5 in frame_formats().
FrameFormat hdf5_format();

}  // namespace ks::io
