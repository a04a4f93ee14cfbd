#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"

namespace ks::io {

/// The result of convert_digis.
struct Converted {
    std::size_t digis = 0, frames = 0, height = 0, width = 0;
    std::size_t saturated = 0;  ///< sums above 65535, stored as 65535
    std::vector<std::string> warnings = {};
};

/// Converts hits to frames: CSV with the header index,module,x,y,adc (columns in any order) to
/// /entry/data/data [module][y][x] u16, adc added up where digis coincide; frames 0..largest module. If there
/// is a column event with several numbers and only one module, frames are events; with several modules as
/// well, ks::Error(input) is thrown. Written atomically, one chunk per frame, gzip. Throws ks::Error(input)
/// naming the line of an invalid number or of a hit outside height x width.
Converted convert_digis(const std::filesystem::path& csv, std::size_t height, std::size_t width,
                        const std::filesystem::path& out, bool overwrite, Progress& progress);

}  // namespace ks::io
