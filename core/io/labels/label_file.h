#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/data/partition/q_partition.h"
#include "core/data/pixel_mask.h"
#include "core/io/files/data_name.h"
#include "core/io/shape_check.h"

namespace ks::io {

/// A partition as files hold it.
struct LabelFile {
    QPartition labels;
    /// Of each bin, 1/angstrom and degrees; NaN where unknown; empty: not in the file.
    std::vector<double> q = {}, phi = {};
    std::vector<std::string> names = {};  ///< of each bin; empty: not in the file
    /// A finer label image [y][x] for I(q, t), and the bin of each of its labels; empty: none. HDF5 only.
    std::vector<std::int32_t> static_labels = {}, dynamic_of = {};
};

// The kind of file follows from its name: .h5 .hdf5 .nxs (/entry/partition/labels with q_list, phi_list,
// names, static_labels and dynamic_of_static, or any object that FILE::PATH names), .npy (NumPy format 1.0, C
// or Fortran order, integers or floats that are whole), .tif .tiff (one page, one sample a pixel, 8, 16 or 32
// bits). NPY and TIFF hold labels alone. Writing is atomic; `overwrite` as for AtomicFile. All throw
// ks::Error(input) with one sentence: an unknown kind, a file that ends early, floats that are not whole,
// negative labels.

/// @param fits throws where the shape is not the wanted one, before the values are read
LabelFile read_labels(const std::string& name, const ShapeCheck& fits = {});
/// The image of labels alone, with as many bins as its highest label says.
QPartition read_label_image(const std::string& name, const ShapeCheck& fits = {});
void write_labels(const std::filesystem::path& file, const LabelFile& labels, bool overwrite);
/// Masks in the same kinds of file (HDF5: /entry/mask, or any object of rank 2): 0 = use, anything else =
/// ignore.
PixelMask read_mask(const std::string& name, const ShapeCheck& fits = {});
/// The image of an NPY or TIFF file; nothing where an HDF5 file is meant.
std::optional<Array> read_plain_image(const DataName& name, const ShapeCheck& fits = {});
void write_mask(const std::filesystem::path& file, const PixelMask& mask, bool overwrite);

}  // namespace ks::io
