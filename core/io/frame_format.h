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
#include "core/io/rotation.h"
#include "core/io/shape_check.h"

namespace ks::io {

class AtomicFile;

/// What a file states about the pixels of its detector.
struct FilePixels {
    std::vector<std::string> masks;    ///< names of images of pixels to ignore, "FILE::/path"
    std::optional<double> saturation;  ///< the largest valid count
    std::vector<std::string> faults;   ///< entries that cannot be used, one sentence each
};

/// A file format for frames and for images such as masks and labels. Everything that the program does with
/// such files uses this table: a format is one row of frame_formats() and one folder.
struct FrameFormat {
    std::string id;                     ///< "hdf5"
    std::string title;                  ///< "HDF5"
    std::string noun;                   ///< "an HDF5 file", in sentences
    std::vector<std::string> suffixes;  ///< ".h5", ...: in lower case, that of new files first
    /// True if a file contains named objects, FILE::/path, such as images. Otherwise a file is one array,
    /// named by the file alone.
    bool objects = false;
    /// An array [n][columns] may be a table: points.
    bool tables = false;
    /// True if files with a single frame can form a series (core/io/series/), even if other files of the
    /// format have several frames. Different files are then opened and read from several threads at once.
    bool one_frame_per_file = false;

    /// Whether the content of a regular file is of this format, whatever its name.
    bool (*sniff)(const std::filesystem::path& file);
    /// See open_frames(), which has checked that the file is regular. Must return a StoredFrames if the two
    /// functions below are null.
    std::shared_ptr<FrameSource> (*open)(const DataName& name);
    /// The objects of the file; for a format without objects one entry with an empty path. Null: a file is
    /// one stack of frames, from which the entry is made.
    FileNode (*tree)(const std::filesystem::path& file) = nullptr;
    /// The lines of `info` after the one that names the file. Null: they are made from the stack, too.
    std::string (*describe)(const DataName& name) = nullptr;

    /// The functions below are null if the format does not support them.

    /// Geometry of the detector that recorded the frames. The frames may be named by the file alone.
    std::optional<Geometry> (*geometry)(const DataName& frames, std::vector<GeometryFault>& faults) = nullptr;
    FilePixels (*pixels)(const DataName& frames) = nullptr;
    /// See read_rotation().
    std::optional<Rotation> (*rotation)(const DataName& frames, std::vector<std::string>& faults) = nullptr;
    /// An image [y][x] of a format without objects; null: its only frame is the image.
    Array (*read_image)(const std::filesystem::path& file, const ShapeCheck& fits) = nullptr;
    /// @param image u8 or i32, not negative
    void (*write_image)(AtomicFile& file, const Array& image) = nullptr;
};

/// Whether masks and labels can be written in this format.
bool can_write(const FrameFormat& format);
/// All formats, in the order in which dialogs list them.
std::span<const FrameFormat> frame_formats();

/// By its content; null if that is no known format, not a regular file or unreadable.
const FrameFormat* format_of_content(const std::filesystem::path& file);
/// By the suffix of its name, ignoring case; null if it is unknown.
const FrameFormat* format_of_suffix(const std::filesystem::path& file);
/// The format that a name implies: by content, else by suffix, else, if an object is named, a format with
/// objects. Null if it cannot be determined.
const FrameFormat* format_of(const DataName& name);

/// The format to read a file with. Throws ks::Error(input) naming it: no such file, a directory, a pipe, an
/// empty file, an unknown format, or an object in a format without objects.
const FrameFormat& format_to_read(const DataName& name);
/// The format implied by the suffix of a new file. Throws ks::Error(input) naming the known suffixes.
const FrameFormat& format_to_write(const std::filesystem::path& file);

/// "HDF5, TIFF or NumPy", for sentences and help.
std::string format_titles();
/// The same of formats with one frame per file: "TIFF".
std::string series_titles();
/// "*.h5 *.hdf5" of one format.
std::string name_patterns(const FrameFormat& format);
/// The same of all formats.
std::string name_patterns();

}  // namespace ks::io
