#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/data/frame_source.h"
#include "core/data/geometry.h"
#include "core/io/files/data_name.h"
#include "core/io/open_frames.h"
#include "core/io/shape_check.h"

namespace ks::io {

class AtomicFile;

/// What a file says about the pixels of its detector.
struct FilePixels {
    std::vector<std::string> masks;    ///< names of images of pixels to ignore, "FILE::/path"
    std::optional<double> saturation;  ///< the largest valid count
    std::vector<std::string> faults;   ///< what of it cannot be used, one sentence each
};

/// A kind of file that holds frames, and images such as masks and labels. All that the program does with
/// such files goes by this table: a format is one row of frame_formats() and a folder of its own.
struct FrameFormat {
    std::string id;                     ///< "hdf5"
    std::string title;                  ///< "HDF5"
    std::string noun;                   ///< "an HDF5 file", in sentences
    std::vector<std::string> suffixes;  ///< ".h5", ...: in small letters, first that of new files
    /// A file holds objects with names, FILE::/path, and images are such objects. Otherwise a file is one
    /// array, named by the file alone.
    bool objects = false;
    /// An array [n][columns] may be a table: points.
    bool tables = false;

    /// Whether the content of a regular file is of this format, whatever its name.
    bool (*sniff)(const std::filesystem::path& file);
    /// See open_frames(), which has checked that the file is regular.
    std::shared_ptr<FrameSource> (*open)(const DataName& name);
    /// The objects of the file; of a file without objects one entry, whose path is empty.
    FileNode (*tree)(const std::filesystem::path& file);
    /// The lines of `info` after the one that names the file.
    std::string (*describe)(const DataName& name);

    /// The functions below are null where the format has no such thing.

    /// Of the detector that the frames are of; their name may be the file's alone.
    std::optional<Geometry> (*geometry)(const DataName& frames, std::vector<GeometryFault>& faults) = nullptr;
    FilePixels (*pixels)(const DataName& frames) = nullptr;
    /// An image [y][x] of a format without objects; null: its one frame is the image.
    Array (*read_image)(const std::filesystem::path& file, const ShapeCheck& fits) = nullptr;
    /// @param image of u8 or i32, not negative
    void (*write_image)(AtomicFile& file, const Array& image) = nullptr;
};

/// Whether masks and labels can be written in this format.
bool can_write(const FrameFormat& format);
/// All formats, in the order in which dialogs list them.
std::span<const FrameFormat> frame_formats();

/// By what is in it; null where that is no format, no regular file or cannot be read.
const FrameFormat* format_of_content(const std::filesystem::path& file);
/// By the ending of its name in any case; null for another one.
const FrameFormat* format_of_suffix(const std::filesystem::path& file);
/// The format that a name means: that of the content, else of the suffix, else where an object is named one
/// with objects. Null where nothing tells.
const FrameFormat* format_of(const DataName& name);

/// The format to read a file with. Throws ks::Error(input) naming it: no such file, a directory, a pipe, an
/// empty file, none of the formats, an object of a format without objects.
const FrameFormat& format_to_read(const DataName& name);
/// The format that the suffix of a new file means. Throws ks::Error(input) naming the suffixes there are.
const FrameFormat& format_to_write(const std::filesystem::path& file);

/// "HDF5, TIFF or NumPy", for sentences and help.
std::string format_titles();
/// "*.h5 *.hdf5" of one format.
std::string name_patterns(const FrameFormat& format);
/// The same of all formats.
std::string name_patterns();

}  // namespace ks::io
