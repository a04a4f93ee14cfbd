#pragma once

#include <hdf5.h>

#include <string>

/// Filters that are not built into HDF5: their names, the packages of their plugins, and the one
/// that we provide.
namespace ks::io::h5 {

constexpr H5Z_filter_t bitshuffle_filter = 32008, zstd_filter = 32015;
/// Values of bitshuffle's compression parameter.
constexpr unsigned bits_alone = 0, bits_with_lz4 = 2, bits_with_zstd = 3;

/// Name of a filter: "gzip", "bitshuffle", or "filter 32099".
std::string filter_name(H5Z_filter_t filter);
/// What to do if a filter is missing: the package to install and the folders that are searched.
std::string filter_hint(H5Z_filter_t filter);

/// Adds HDF5's built-in plugin folder to the searched ones, which HDF5_PLUGIN_PATH otherwise replaces. The
/// caller holds a Lock.
void add_plugin_folder();
/// Provides HDF5 with the filter zstd, for which Debian 12 has no plugin. The caller holds a Lock.
void add_zstd_filter();

}  // namespace ks::io::h5
