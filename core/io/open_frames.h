#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/data/frame_source.h"
#include "core/data/geometry.h"
#include "core/io/files/data_name.h"
#include "core/io/shape_check.h"

namespace ks::io {

/// Opens a stack of frames of any of frame_formats(). Of HDF5 without an object: the signal that the file
/// names, else the only 3-D (then 2-D) numeric dataset, or 2-D ones that are a frame each (see
/// default_frames), or a series in parts (see series_parts); a 2-D array is one frame, a scan of a 4-D one is
/// named "FILE::/path[0]". Throws ks::Error(input) with one sentence: no such file, none of the formats, cut,
/// dataset missing (or several candidates: they are listed), of strings, 1-D, of an unsupported type, empty,
/// or with an external or virtual source that is missing. u64 is read as u32 and f64 as f32 (rounded); values
/// that do not fit, and i64 values that do not fit i32, fail at read. A file that is still being written
/// (SWMR) has the frames that it had when it was opened.
std::shared_ptr<FrameSource> open_frames(const std::string& name);

/// Reads a whole numeric dataset of an HDF5 file; the object must be given unless the file holds one
/// candidate of `rank` dimensions. Throws ks::Error(input) also where the host has not the memory for it.
Array read_array(const std::string& name, std::size_t rank, const ShapeCheck& fits = {});

/// Geometry of the frames "FILE" or "FILE::/path", if the format has one. Of HDF5: from the NXdetector that
/// holds or links the frames with NXbeam or NXmonochromator, units honoured (none: NeXus defaults as found in
/// the wild, mm for lengths, angstrom for the wavelength). Nothing where the file has no beam centre; fields
/// that are absent stay 0. Pixels of the file's centre are converted to the convention of ks::Geometry.
/// Throws ks::Error(input) naming the object for a field that is there and cannot be used: text, several
/// numbers, a length that is not positive and finite, an unknown unit, or a beam centre in a length without a
/// pixel size.
std::optional<Geometry> read_geometry(const std::string& frames);

/// What is wrong with one part of a file's geometry.
struct GeometryFault {
    std::string part;  ///< "wavelength", "distance", "beam_x", "beam_y", "pixel_size_x" or "pixel_size_y"
    Error error;       ///< what read_geometry would throw
};
/// The same for callers who can do with a part of it: faults are collected and their parts left 0.
std::optional<Geometry> read_geometry(const std::string& frames, std::vector<GeometryFault>& faults);

/// One object of a file, for trees and `info`.
struct FileNode {
    std::string name;  ///< last part of the path
    std::string path;  ///< "/entry/data"
    enum class Kind { group, dataset, missing } kind = Kind::group;
    std::string type;                ///< "u16", "string", ...; the target of a dangling link
    std::vector<std::size_t> shape;  ///< of datasets
    std::string layout;              ///< "contiguous", "chunked 1x512x512, gzip", "virtual"
    std::string value;               ///< small scalars as text, with unit
    std::string nx_class;
    std::string note;     ///< why a group has no children here: "same as /entry/data"; else empty
    bool frames = false;  ///< can be opened by open_frames
    bool points = false;  ///< an array that may hold points, one a row
    std::vector<FileNode> children;
};
/// Of a format without objects the tree has one entry, whose path is empty.
FileNode read_tree(const std::filesystem::path& file);
/// Text for `kernelscope-cli info FILE[::PATH]`: the tree, or one dataset with type, shape, chunks, filters,
/// frame time, geometry, smallest and largest value of the first frame. Of a file without frames what
/// else it holds, of a TIFF or NumPy file its array, of a CSV file its rows and columns.
std::string describe(const std::string& name);

}  // namespace ks::io
