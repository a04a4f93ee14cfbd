#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/frame_source.h"
#include "core/data/geometry.h"
#include "core/io/open_frames.h"

namespace ks::ui {

/// A file as the window holds it. Frames are read by jobs of the lane `files` only.
struct OpenFile {
    QString name;  ///< "FILE" or "FILE::/path", as given
    QString path;  ///< the file alone
    io::FileNode tree;
    std::shared_ptr<FrameSource> frames;
    std::optional<Geometry> geometry;
    std::vector<io::GeometryFault> faults;  ///< what of the geometry could not be used; its parts are 0
};

/// Reads the tree, the geometry and the header of the frames. Throws ks::Error(input).
inline OpenFile openFile(const QString& name) {
    const io::DataName data = io::DataName::parse(name.toStdString());
    OpenFile file{name, QString::fromStdString(data.file.string()), {}, {}, {}, {}};
    file.frames = io::open_frames(name.toStdString());
    file.tree = io::read_tree(data.file);
    file.geometry = io::read_geometry(data.file, file.faults);
    return file;
}

}  // namespace ks::ui
