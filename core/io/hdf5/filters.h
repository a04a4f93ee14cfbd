#pragma once

#include <hdf5.h>

#include <string>

/// Filters that HDF5 loads from plugins: what they are called, and which package holds them.
namespace ks::io::h5 {

/// Name of a filter: "gzip", "bitshuffle", or "filter 32099".
std::string filter_name(H5Z_filter_t filter);
/// What to do where a filter is not there: the package to install and the folders that are looked through.
std::string filter_hint(H5Z_filter_t filter);

/// Adds the folder that HDF5 was built with to those where plugins are looked for, which HDF5_PLUGIN_PATH
/// otherwise takes the place of. The caller holds a Lock.
void add_plugin_folder();

}  // namespace ks::io::h5
