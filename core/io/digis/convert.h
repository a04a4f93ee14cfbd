#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"

namespace ks::io {

/// What convert_digis did.
struct Converted {
    std::size_t digis = 0, frames = 0, height = 0, width = 0;
    std::size_t saturated = 0;  ///< sums that passed 65535 and were kept there
    std::vector<std::string> warnings = {};
};

/// Hits to frames: CSV with the header index,module,x,y,adc (any order of these columns) to /entry/data/data
/// [module][y][x] u16, adc added up where digis coincide; frames 0..largest module. Where there is a column
/// event with several numbers, and one module, frames are events; throws ks::Error(input) for several modules
/// too. Written atomically, chunked by frame, gzip. Throws ks::Error(input) naming the line for a bad number
/// or a hit outside of height x width.
Converted convert_digis(const std::filesystem::path& csv, std::size_t height, std::size_t width,
                        const std::filesystem::path& out, bool overwrite, Progress& progress);

}  // namespace ks::io
