#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/hdf5/hdf5.h"
#include "core/io/open_frames.h"

namespace ks::io {

class StoredFrames;

/// "34.7 MiB".
std::string bytes_text(std::uint64_t bytes);
/// A line of `info`: a label of 12 characters and its text.
std::string info_row(const std::string& label, const std::string& value);

/// The node of a path at or below a node, or null.
const FileNode* find_node(const FileNode& node, const std::string& path);
/// The tree of a file without objects: its one array.
FileNode tree_of_one(const std::filesystem::path& file, FileNode array);
/// The tree of a file that is one stack of frames.
FileNode tree_of_frames(const std::filesystem::path& file, const StoredFrames& frames);
/// The lines of `info` for such a file: type, shape, layout, use, and the range of the first frame.
std::string describe_frames(StoredFrames& frames);
/// Lines for the geometry of a file, if it has one, and for what cannot be used of it.
std::string geometry_text(const std::optional<Geometry>& geometry, const std::vector<GeometryFault>& faults);
/// Whether open_frames can open anything at or below a node.
bool holds_frames(const FileNode& node);
/// "particles, by vector.cpu"; empty if the file records no run at or below a node.
std::string run_text(const h5::Handle& file, const FileNode& node);
/// A line for an HDF5 file or group without frames: its datasets with their shapes.
std::string contents_text(const FileNode& node);
/// Lines for a CSV file: rows, columns, and the range of each column. Throws ks::Error(input)
/// as CsvReader does.
std::string describe_csv(const std::filesystem::path& file);

/// Minimum and maximum of values that arrive piece by piece.
struct ValueRange {
    double smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
    std::size_t not_finite = 0;

    void take(const Array& values);
    /// "0 to 12, 3 not finite"
    std::string text() const;
};
/// Largest number of bytes that `info` reads at once.
constexpr std::uint64_t max_described = std::uint64_t{64} << 20;
/// The range of the values of the first frame, unless it is too large to read.
std::string first_frame_text(FrameSource& source);

/// What is known so far about a column of a table.
struct ColumnRange {
    std::string name;
    double smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
    std::size_t empty = 0, not_a_number = 0, infinite = 0;
    bool words = false;

    void take(std::string_view text);
    void take(double value);
    /// "0 to 12, 2 empty"
    std::string text() const;
};
/// What an image [y][x] can be used as: "an image of 5 x 7 pixels: labels of bins, or a mask".
std::string image_text(std::size_t height, std::size_t width);
/// Whether an array [n][columns] may contain points: x, y, z and up to two weights.
bool may_be_points(const std::vector<std::size_t>& shape);
/// One line per column.
std::string columns_text(const std::vector<ColumnRange>& columns);

}  // namespace ks::io
