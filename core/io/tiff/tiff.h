#pragma once

#include <filesystem>

#include "core/base/array.h"
#include "core/io/shape_check.h"

namespace ks::io {

class AtomicFile;

/// Reads an image [y][x] from a TIFF file: one page, one sample per pixel, integers of 8, 16 or 32 bits (i8
/// is read as i16) or floats of 32 bits, in strips or tiles, with any compression that libtiff supports.
/// Throws ks::Error(input): no such file, not TIFF, damaged or truncated, several pages or samples, another
/// number of bits.
Array read_tiff(const std::filesystem::path& file, const ShapeCheck& fits = {});

/// Writes u8, u16 or u32 [y][x] as one page, deflated. Throws ks::Error(run).
void write_tiff(AtomicFile& file, const Array& values);

}  // namespace ks::io
