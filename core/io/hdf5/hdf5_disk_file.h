#pragma once

#include <memory>

#include "core/io/hdf5/hdf5.h"

namespace ks::io::h5 {

/// State of a file that is being written.
struct DiskState {
    int error = 0;        ///< errno of the first write that failed; 0: none did
    bool closed = false;  ///< no object of the file is open any more
};

/// File access properties for H5Fcreate under which writing never fails for HDF5. HDF5 keeps what it could
/// not write (on a full disk), then cannot close the file, retries when the process ends, and crashes. Here,
/// the first failure is recorded in `state`, and later writes are kept in memory until the file is closed
/// (except values of datasets, which are not read again). The code that writes checks `state` and discards
/// the file. If nothing fails, the file equals the one that HDF5's own driver writes.
Handle disk_access(const std::shared_ptr<DiskState>& state);

}  // namespace ks::io::h5
