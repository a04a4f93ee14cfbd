#pragma once

#include <memory>

#include "core/io/hdf5/hdf5.h"

namespace ks::io::h5 {

/// What became of a file that is written.
struct DiskState {
    int error = 0;        ///< errno of the first write that failed; 0: none did
    bool closed = false;  ///< nothing of the file is open any more
};

/// File access properties for H5Fcreate with which writing never fails for HDF5. It keeps what it could not
/// write (a full disk), cannot close the file then, tries again when the process ends, and crashes. Here the
/// first failure is noted in `state`, and what comes after it is kept in memory (without values of datasets,
/// which are not read again) until the file is closed; who writes looks at `state` and gives the file up.
/// Otherwise the file is the one that HDF5's own driver writes.
Handle disk_access(const std::shared_ptr<DiskState>& state);

}  // namespace ks::io::h5
