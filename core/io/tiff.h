#pragma once

#include <filesystem>

#include "core/data/array.h"

namespace ks::io {

/// Reads an image [y][x] from a TIFF file: one page, one sample a pixel, integers of 8, 16 or 32 bits (i8 is
/// read as i16) or floats of 32, in strips or tiles, compressed as libtiff knows. Throws ks::Error(input): no
/// such file, not TIFF, damaged or ending early, several pages or samples, other bits.
Array read_tiff(const std::filesystem::path& file);

/// Writes u8, u16 or u32 [y][x] as one page, deflated. @param shown the name in messages. Throws
/// ks::Error(run).
void write_tiff(const std::filesystem::path& file, const Array& values, const std::filesystem::path& shown);

}  // namespace ks::io
