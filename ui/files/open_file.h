#pragma once

#include <QString>
#include <any>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/data/frame_source.h"
#include "core/data/geometry.h"
#include "core/io/files/file_record.h"
#include "core/io/open_frames.h"
#include "core/io/series/file_states.h"

namespace ks::ui {

/// The files that data consist of, as they were before anything was read from them.
struct DataFiles {
    FileRecord record = {};  ///< of the one that is named; of a series io::record_of_list()
    FileStates states = {};  ///< of it and of the files that it links to
};

/// A file as the window holds it. Frames are read only by jobs of the lane `files`. A file without frames may
/// have a tree, which is empty if the file is not in a frame format.
struct OpenFile {
    QString name;  ///< "FILE" or "FILE::/path", as given; of a folder the pattern of the series in it
    QString path;  ///< the file without the object; a series has no other name
    io::FileNode tree;
    std::shared_ptr<FrameSource> frames;  ///< null: there are none
    std::optional<Geometry> geometry;
    std::vector<io::GeometryFault> faults;  ///< geometry entries that could not be used; they are 0
    std::optional<Error> noFrames = {};     ///< why there are no frames
    std::vector<std::string> columns = {};  ///< of a CSV file; empty: no CSV file, or no header line
    std::string endWarning = {};            ///< io::csv_end_warning() of a CSV file
    /// Of `path`, before anything was read from it; of a series io::record_of_list().
    FileRecord record = {};
    FileStates states = {};  ///< of it and of the files that its frames link to, at that time
    /// Short name: "stack.h5"; of a series "img_#####.tif, 120 files".
    QString title = {};
    bool isSeries = false;
    /// See data_identity.h: "FILE" or "FILE::/path". Nothing: the file was not opened by its name.
    std::optional<std::string> identity = {};
    std::any content = {};  ///< result of Page::reader() of the page that took the file
};

/// The path of a file as sessions store it: absolute, without accessing the disk, which may not respond.
std::string absolutePath(const QString& file);
/// "FILE" or "FILE::/path" with that path.
std::string absoluteName(const OpenFile& file);

/// "FILE" or "FILE::/path", the same for all names of these data, as far as is known.
std::string identityOf(const OpenFile& file);
/// Whether `now` is the same data as `before`: under another name, or reopened under its name, which may mean
/// another file meanwhile.
bool isSameData(const OpenFile& before, const OpenFile& now);

/// The content of a file if it is a Content; null: it belongs to another page or has not been read.
template <class Content>
std::shared_ptr<const Content> contentOf(const OpenFile& file) {
    const auto* held = std::any_cast<std::shared_ptr<const Content>>(&file.content);
    return held ? *held : nullptr;
}

/// Names, record and states of the file alone: nothing of its contents. Throws ks::Error(input) for a series
/// that cannot be listed.
OpenFile filesOf(const QString& name);
/// Reads the tree, the geometry and the header of the frames. Throws ks::Error(input), also if there are no
/// frames.
OpenFile openFile(const QString& name);
/// The same for a file that may contain something other than frames. Throws ks::Error(input) if there is no
/// such file. Of a CSV file only the header and the end are read.
OpenFile openAnyFile(const QString& name);

}  // namespace ks::ui
