#pragma once

#include <filesystem>

#include "core/io/frame_format.h"

namespace ks::io {

/// Whether the file has the HDF5 signature, checked without the library.
bool is_hdf5(const std::filesystem::path& file);

/// The HDF5 row of frame_formats().
FrameFormat hdf5_format();

}  // namespace ks::io
