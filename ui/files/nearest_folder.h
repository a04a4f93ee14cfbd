#pragma once

#include <QFileInfo>
#include <QString>

namespace ks::ui {

/// A folder, or the nearest one above it that exists.
inline QString nearestFolder(QString folder) {
    while (!QFileInfo(folder).isDir() && folder != QFileInfo(folder).path())
        folder = QFileInfo(folder).path();
    return folder;
}

}  // namespace ks::ui
