#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/held/along.h"

namespace ks::io {

/// One source of a virtual dataset: pixels in the selection `from` of the source correspond to those in `to`,
/// both in order (the last dimension varies fastest).
struct VirtualMapping {
    std::string file;  ///< as written; "." is the same file
    std::string path;
    std::vector<Along> to;    ///< by dimension of the virtual dataset
    std::vector<Along> from;  ///< by dimension of the source; empty: all of it
    /// False if a selection is not a grid of blocks: `to` and `from` are then only its bounds.
    bool regular = true;
};

/// The text that an HDF5 function returns: read(nullptr, 0) is its length, negative on failure (then empty).
std::string read_name(const std::function<ssize_t(char*, std::size_t)>& read);

/// All sources of a virtual dataset of that shape; a source with a printf-style name ("part_%b.h5") is
/// resolved into as many as the shape requires, at least one.
std::vector<VirtualMapping> virtual_mappings(hid_t properties, const std::vector<std::size_t>& shape);

/// Where HDF5 searches for a source: as written if absolute, below HDF5_VDS_PREFIX, in the folder of the file
/// that names it, in the current folder. Throws ks::Error(input) if it is in none of them, NotFollowed(input)
/// if it may not be opened.
std::filesystem::path find_virtual_source(const std::string& file, const std::filesystem::path& master);

}  // namespace ks::io
