#pragma once

#include <string>

#include "core/io/hdf5/hdf5.h"

namespace ks::io {

/// "contiguous", "chunked 1x512x512, shuffle, gzip", "virtual, 3 sources"
std::string layout_text(hid_t dataset);

}  // namespace ks::io
