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

/// A partition as stored in files.
struct LabelFile {
    QPartition labels;
    /// Per bin, in 1/angstrom and degrees; NaN if unknown; empty: not in the file.
    std::vector<double> q = {}, phi = {};
    std::vector<std::string> names = {};  ///< per bin; empty: not in the file
    /// A finer label image [y][x] for I(q, t), and the bin of each of its labels; empty: none. HDF5 only.
    std::vector<std::int32_t> static_labels = {}, dynamic_of = {};
};

// Files of all frame_formats(): the content decides the format of a file that is read, the suffix that of one
// that is written. Formats with objects (HDF5) contain /entry/partition/labels with q_list, phi_list, names,
// static_labels and dynamic_of_static, and any object named by FILE::PATH can be read, as well as q maps of
// APS 8-ID (qmap.h). Others contain one image, the labels only: NumPy format 1 to 3, integers or integral
// floats; TIFF with one page, one sample per pixel, 8 to 64 bits. Writing is atomic; `overwrite` as for
// AtomicFile. All throw ks::Error(input) with one sentence: an unknown format, a truncated file, floats that
// are not integral, negative labels.

/// @param fits throws if the shape is not the wanted one, before the values are read
LabelFile read_labels(const std::string& name, const ShapeCheck& fits = {});
/// Only the image of labels, with as many bins as its highest label.
QPartition read_label_image(const std::string& name, const ShapeCheck& fits = {});
void write_labels(const std::filesystem::path& file, const LabelFile& labels, bool overwrite);
/// Masks in the same formats: 0 = use, anything else = ignore. In HDF5, any object of rank 2; if only the
/// file is named, /entry/mask, else the pixel_mask of its only NXdetector with one, else its only image.
PixelMask read_mask(const std::string& name, const ShapeCheck& fits = {});
/// The values of that image, [y][x].
Array read_mask_image(const std::string& name, const ShapeCheck& fits = {});
/// The mask given by such values. Throws ks::Error(input) if there are no pixels.
/// @param name in messages
PixelMask mask_of(const Array& image, const std::string& name);
/// The image of a file of a format without objects; nothing for a format with objects.
std::optional<Array> read_plain_image(const DataName& name, const ShapeCheck& fits = {});
void write_mask(const std::filesystem::path& file, const PixelMask& mask, bool overwrite);

}  // namespace ks::io
