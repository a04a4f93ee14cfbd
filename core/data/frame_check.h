#pragma once

#include <string>

#include "core/base/array.h"
#include "core/base/error.h"

namespace ks {

/// "480 x 640"
inline std::string size_text(std::size_t height, std::size_t width) {
    return std::to_string(height) + " x " + std::to_string(width);
}

/// Throws ks::Error(run) if the array is not one frame, [y][x].
inline void require_frame(const Array& frame) {
    if (frame.rank() != 2)
        throw Error(ErrorKind::run,
                    "expected one frame, [y][x], found an array of rank " + std::to_string(frame.rank()));
}

}  // namespace ks
