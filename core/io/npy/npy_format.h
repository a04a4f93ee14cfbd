#pragma once

#include "core/io/frame_format.h"

namespace ks::io {

/// The row of NumPy in frame_formats().
FrameFormat npy_format();

}  // namespace ks::io
