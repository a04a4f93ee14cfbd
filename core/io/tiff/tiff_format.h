#pragma once

#include "core/io/frame_format.h"

namespace ks::io {

/// The row of TIFF in frame_formats().
FrameFormat tiff_format();

}  // namespace ks::io
