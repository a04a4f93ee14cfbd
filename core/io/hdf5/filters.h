#pragma once

#include <hdf5.h>

#include <string>

/// Filters that HDF5 does not have itself: what they are called, which package holds their plugin, and the
/// one that comes with us.
namespace ks::io::h5 {

constexpr H5Z_filter_t bitshuffle_filter = 32008, zstd_filter = 32015;
/// What bitshuffle's numbers say of its compression.
constexpr unsigned bits_alone = 0, bits_with_lz4 = 2, bits_with_zstd = 3;

/// Name of a filter: "gzip", "bitshuffle", or "filter 32099".
std::string filter_name(H5Z_filter_t filter);
/// What to do where a filter is not there: the package to install and the folders that are looked through.
std::string filter_hint(H5Z_filter_t filter);

/// Adds the folder that HDF5 was built with to those where plugins are looked for, which HDF5_PLUGIN_PATH
/// otherwise takes the place of. The caller holds a Lock.
void add_plugin_folder();
/// Gives HDF5 the filter zstd, which Debian 12 has no plugin for. The caller holds a Lock.
void add_zstd_filter();

}  // namespace ks::io::h5
