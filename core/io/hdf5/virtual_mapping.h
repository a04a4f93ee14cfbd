#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/hdf5/hdf5.h"

namespace ks::io {

/// One source of a virtual dataset.
struct VirtualMapping {
    std::string file;  ///< as written; "." is the same file
    std::string path;
    /// The frames [first, last) of the virtual dataset (its first dimension) that it gives, or some of them.
    std::size_t first = 0, last = 0;
    /// True where frame f of the virtual dataset is frame f + shift of the source.
    bool frame_by_frame = false;
    std::ptrdiff_t shift = 0;
};

/// All sources of a virtual dataset of that shape; a source with a printf-style name ("part_%b.h5") is
/// resolved into as many as the shape demands, at least one.
std::vector<VirtualMapping> virtual_mappings(hid_t properties, const std::vector<std::size_t>& shape);

/// Where HDF5 looks for a source: as written if absolute, below HDF5_VDS_PREFIX, in the folder of the master
/// file, in the current folder. Throws ks::Error(input) where it is in none of them.
std::filesystem::path find_virtual_source(const std::string& file, const std::filesystem::path& master);

}  // namespace ks::io
