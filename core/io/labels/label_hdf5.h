#pragma once

#include <filesystem>

#include "core/io/labels/label_file.h"
#include "core/io/open_frames.h"

namespace ks::io {

// Partitions and masks in HDF5; label_file.h describes their place in the file. The number of bins is the
// attribute `bins` of the labels, else the length of q_list, phi_list or names, else the highest label.

/// Only the labels, [y][x].
Array read_hdf5_label_image(const DataName& name, const ShapeCheck& fits = {});
LabelFile read_hdf5_labels(const DataName& name, const ShapeCheck& fits = {});
Array read_hdf5_mask(const DataName& name, const ShapeCheck& fits = {});
/// @param shown the name in messages. These throw ks::Error(run).
void write_hdf5_labels(const std::filesystem::path& file, const LabelFile& labels, const std::string& shown);
void write_hdf5_mask(const std::filesystem::path& file, const Array& mask, const std::string& shown);

}  // namespace ks::io
