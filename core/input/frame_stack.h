#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/element_type.h"
#include "core/base/progress.h"
#include "core/data/geometry.h"

namespace ks::io {

/// What write_frame_stack() has written.
struct FrameStack {
    std::string source;  ///< "FILE::/path", or the name of a series
    std::size_t frames = 0, height = 0, width = 0;
    ElementType type = ElementType::u8;
    std::vector<std::size_t> absent;        ///< frames for which the source has no values
    std::optional<Geometry> geometry;       ///< a part that is unknown is 0
    std::optional<double> frame_time;       ///< seconds
    std::optional<double> saturation;       ///< the largest valid count
    std::optional<std::size_t> masked;      ///< pixels that the source's mask ignores
    std::vector<std::string> notices = {};  ///< what could not be used or was changed, one sentence each
};

/// Writes any frames that open_frames() reads into one HDF5 file: /entry/data/data [frame][y][x], one chunk
/// per frame, bitshuffle and LZ4, with every value as it was read, and with the geometry, frame time, mask
/// and saturation that the source states. If the geometry is complete, the file is an NXmx file. A frame
/// without values is not stored, and its pixels read as a value that is not a count. Written atomically.
/// Throws ks::Error(input) if the source cannot be opened, or a frame is damaged or holds values that frames
/// cannot have; see AtomicFile for the output.
/// @param frames a file, an object in it, or a series of files
FrameStack write_frame_stack(const std::string& frames, const std::filesystem::path& out, bool overwrite,
                             Progress& progress);

}  // namespace ks::io
