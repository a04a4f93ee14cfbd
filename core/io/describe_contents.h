#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/io/hdf5/hdf5.h"
#include "core/io/open_frames.h"

namespace ks::io {

/// "34.7 MiB".
std::string bytes_text(std::uint64_t bytes);
/// A line of `info`: a label of 12 characters and what it says.
std::string info_row(const std::string& label, const std::string& value);

/// The node of a path at or below a node, or null.
const FileNode* find_node(const FileNode& node, const std::string& path);
/// Whether open_frames can open anything at or below a node.
bool holds_frames(const FileNode& node);
/// "particles, by vector.cpu"; empty where the file records no run at or below a node.
std::string run_text(const h5::Handle& file, const FileNode& node);
/// A line for an HDF5 file or group without frames: its datasets with their shapes.
std::string contents_text(const FileNode& node);
/// Lines for a CSV file: rows, columns, and what each holds. Throws ks::Error(input) as CsvReader does.
std::string describe_csv(const std::filesystem::path& file);
/// Lines for a NumPy file: its type and shape, what it can be used as, and what its columns hold where it may
/// be points. Throws ks::Error(input) as read_npy() does, but for the number of dimensions.
std::string describe_npy(const std::filesystem::path& file);

}  // namespace ks::io
