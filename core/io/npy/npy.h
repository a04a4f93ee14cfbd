#pragma once

#include <filesystem>

#include <functional>

#include "core/base/array.h"
#include "core/io/shape_check.h"

namespace ks::io {

class AtomicFile;

/// Reads an image [y][x] from a NumPy file (formats 1.0 to 3.0, C or Fortran order, either byte order,
/// booleans, integers, and floats of 4 or 8 bytes; i1 is read as i16). Throws ks::Error(input): no such file,
/// not NumPy, an unreadable header, another dtype, not 2 dimensions, a truncated file, or more data than the
/// host has memory for.
Array read_npy(const std::filesystem::path& file, const ShapeCheck& fits = {});

/// The values of such a file in storage order, some thousands at a time as arrays of rank 1: for files
/// of any size.
void read_npy_pieces(const std::filesystem::path& file, const std::function<void(const Array&)>& take);

/// Writes an image [y][x] in format 1.0, C order, little endian. Throws ks::Error(run).
void write_npy(AtomicFile& file, const Array& values);

}  // namespace ks::io
