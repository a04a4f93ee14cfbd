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

/// Opens a stack of frames in any of frame_formats(). If the name of an HDF5 file has no object,
/// default_frames() or series_parts() finds the dataset or the datasets. A 2-D array is one frame; a scan of
/// a 4-D array is named "FILE::/path[0]". u64 is read as u32 and f64 as f32 (rounded). Values that do not
/// fit, and i64 values that do not fit i32, cause an error when they are read. A file that is still being
/// written (SWMR) has the frames that it had when it was opened. The name may be that of a series of files
/// with one frame each: a pattern or a folder (see SeriesFrames). Throws ks::Error(input) with one sentence:
/// no such file, an unknown format, a truncated or empty file, no dataset or several candidates (which are
/// listed), strings, a 1-D array, an unsupported type, or an external or virtual source that is missing.
std::shared_ptr<FrameSource> open_frames(const std::string& name);

/// Reads a whole numeric dataset of an HDF5 file; the object must be named unless the file has exactly one
/// candidate of `rank` dimensions. Also throws ks::Error(input) if the host lacks the memory for it.
Array read_array(const std::string& name, std::size_t rank, const ShapeCheck& fits = {});

/// Geometry of the frames "FILE" or "FILE::/path", if the format has one. For HDF5: from the NXdetector that
/// contains or links the frames, with NXbeam or NXmonochromator; units are honoured (without units: NeXus
/// defaults as found in practice, mm for lengths, angstrom for the wavelength). Nothing if the file has no
/// beam centre; missing fields stay 0. Pixels of the file's centre are converted to the convention of
/// ks::Geometry. Throws ks::Error(input) naming the object if a field exists but cannot be used: text,
/// several numbers, a length that is not positive and finite, an unknown unit, or a beam centre given as a
/// length without a pixel size.
std::optional<Geometry> read_geometry(const std::string& frames);

/// A fault in one part of a file's geometry.
struct GeometryFault {
    std::string part;  ///< "wavelength", "distance", "beam_x", "beam_y", "pixel_size_x" or "pixel_size_y"
    Error error;       ///< what read_geometry would throw
};
/// The same for callers that can use an incomplete geometry: faults are collected, and their parts stay 0.
std::optional<Geometry> read_geometry(const std::string& frames, std::vector<GeometryFault>& faults);

/// One object of a file, for trees and `info`.
struct FileNode {
    std::string name;  ///< last part of the path
    std::string path;  ///< "/entry/data"
    enum class Kind { group, dataset, missing } kind = Kind::group;
    std::string type;                ///< "u16", "string", ...; the target of a broken link
    std::vector<std::size_t> shape;  ///< of datasets
    std::string layout;              ///< "contiguous", "chunked 1x512x512, gzip", "virtual"
    std::string value;               ///< small scalars as text, with unit
    std::string nx_class;
    std::string note;     ///< why a group is listed without children: "same as /entry/data"; else empty
    bool frames = false;  ///< can be opened by open_frames
    bool points = false;  ///< an array that may contain points, one per row
    std::vector<FileNode> children;
};
/// For a format without objects, and for a series, the tree has one entry with an empty path.
FileNode read_tree(const std::filesystem::path& file);
/// Text for `kernelscope-cli info FILE[::PATH]`: the tree, or one dataset with type, shape, chunks, filters,
/// frame time, geometry, and the range of the first frame. For a file without frames, its other content; for
/// a TIFF or NumPy file its array, for a series of files their number and missing numbers, for a CSV file its
/// rows and columns.
std::string describe(const std::string& name);

}  // namespace ks::io
