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
#include "core/io/files/file_states.h"
#include "core/io/open_frames.h"

namespace ks::ui {

/// A file as the window holds it. Frames are read by jobs of the lane `files` only. A file without frames may
/// have a tree, which is empty where it is of no format of frames.
struct OpenFile {
    QString name;  ///< "FILE" or "FILE::/path", as given
    QString path;  ///< the file alone
    io::FileNode tree;
    std::shared_ptr<FrameSource> frames;  ///< null: there are none
    std::optional<Geometry> geometry;
    std::vector<io::GeometryFault> faults;  ///< parts of the geometry that could not be used; they are 0
    std::optional<Error> noFrames = {};     ///< why there are no frames
    std::vector<std::string> columns = {};  ///< of a CSV file; empty: it is none, or has no header line
    FileRecord record = {};                 ///< of `path`, before anything of it was read
    FileStates states = {};  ///< of it and of the files that its frames lead to, as they were then
    std::any content = {};   ///< what Page::reader() of the page that took it returned
};

/// The path of a file as sessions name it: absolute, without a look at the disk, which may not answer.
std::string absolutePath(const QString& file);
/// "FILE" or "FILE::/path" with that path.
std::string absoluteName(const OpenFile& file);

/// The content of a file where it is a Content; null: it is another page's, or was not read yet.
template <class Content>
std::shared_ptr<const Content> contentOf(const OpenFile& file) {
    const auto* held = std::any_cast<std::shared_ptr<const Content>>(&file.content);
    return held ? *held : nullptr;
}

/// Reads the tree, the geometry and the header of the frames. Throws ks::Error(input), also where there are
/// no frames.
OpenFile openFile(const QString& name);
/// The same for a file that may hold something else than frames. Throws ks::Error(input) where there is no
/// such file. Of a CSV file the header alone is read.
OpenFile openAnyFile(const QString& name);

}  // namespace ks::ui
