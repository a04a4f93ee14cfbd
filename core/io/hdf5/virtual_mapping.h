#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/held/along.h"

namespace ks::io {

/// One source of a virtual dataset: pixels of the selection `from` of the source are those of `to`, in the
/// order of both (the last dimension runs fastest).
struct VirtualMapping {
    std::string file;  ///< as written; "." is the same file
    std::string path;
    std::vector<Along> to;    ///< by dimension of the virtual dataset
    std::vector<Along> from;  ///< by dimension of the source; empty: all of it
    /// False where a selection is no grid of blocks: `to` and `from` are its bounds alone.
    bool regular = true;
};

/// The text that a function of HDF5 gives: read(nullptr, 0) is its length, below 0 on failure (then empty).
std::string read_name(const std::function<ssize_t(char*, std::size_t)>& read);

/// All sources of a virtual dataset of that shape; a source with a printf-style name ("part_%b.h5") is
/// resolved into as many as the shape demands, at least one.
std::vector<VirtualMapping> virtual_mappings(hid_t properties, const std::vector<std::size_t>& shape);

/// Where HDF5 looks for a source: as written if absolute, below HDF5_VDS_PREFIX, in the folder of the master
/// file, in the current folder. Throws ks::Error(input) where it is in none of them, NotFollowed(input) where
/// it may not be opened.
std::filesystem::path find_virtual_source(const std::string& file, const std::filesystem::path& master);

}  // namespace ks::io
