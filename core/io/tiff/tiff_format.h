#pragma once

#include "core/io/frame_format.h"

namespace ks::io {

/// The TIFF row of frame_formats().
FrameFormat tiff_format();

}  // namespace ks::io
