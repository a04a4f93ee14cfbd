#pragma once

#include "core/io/frame_format.h"

namespace ks::io {

/// The row of HDF5 in frame_formats().
FrameFormat hdf5_format();

}  // namespace ks::io
