#pragma once

#include "core/io/frame_format.h"

namespace ks::io {

/// The NumPy row of frame_formats().
FrameFormat npy_format();

}  // namespace ks::io
