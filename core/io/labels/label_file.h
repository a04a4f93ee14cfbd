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

// Files of all frame_formats(): of a file that is read its content decides, of one that is written its
// suffix. Formats with objects (HDF5) hold /entry/partition/labels with q_list, phi_list, names,
// static_labels and dynamic_of_static, and any object that FILE::PATH names is read; others hold one image,
// the labels alone: NumPy format 1 to 3, integers or floats that are whole; TIFF of one page, one sample a
// pixel, 8 to 64 bits. Writing is atomic; `overwrite` as for AtomicFile. All throw ks::Error(input) with one
// sentence: an unknown format, a file that ends early, floats that are not whole, negative labels.

/// @param fits throws where the shape is not the wanted one, before the values are read
LabelFile read_labels(const std::string& name, const ShapeCheck& fits = {});
/// The image of labels alone, with as many bins as its highest label says.
QPartition read_label_image(const std::string& name, const ShapeCheck& fits = {});
void write_labels(const std::filesystem::path& file, const LabelFile& labels, bool overwrite);
/// Masks in the same formats (HDF5: any object of rank 2; where the file is named alone /entry/mask, else the
/// pixel_mask of its only NXdetector with one, else its only image): 0 = use, anything else = ignore.
PixelMask read_mask(const std::string& name, const ShapeCheck& fits = {});
/// The values of the same image, [y][x].
Array read_mask_image(const std::string& name, const ShapeCheck& fits = {});
/// The mask of such values. Throws ks::Error(input) where there is no pixel. @param name in messages
PixelMask mask_of(const Array& image, const std::string& name);
/// The image of a file of a format without objects; nothing where it is of one with objects.
std::optional<Array> read_plain_image(const DataName& name, const ShapeCheck& fits = {});
void write_mask(const std::filesystem::path& file, const PixelMask& mask, bool overwrite);

}  // namespace ks::io
