#pragma once

#include <filesystem>

namespace ks::io {

/// Whether the file has the HDF5 signature, checked without the library.
bool is_hdf5(const std::filesystem::path& file);

}  // namespace ks::io
