#include "ui/runs/user/user_variants_watch.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QStringList>
#include <utility>

#include "ui/files/nearest_folder.h"

namespace ks::ui {
namespace {

/// Editors write a file in several steps.
constexpr int settleMs = 200;
/// Of a system's watches, which are few.
constexpr qsizetype maxWatched = 500;

void addFolder(const QString& folder, int deeper, QStringList& to) {
    to << folder;
    // Kernels include files with any suffix.
    QDirIterator files(folder, QDir::Files);
    while (files.hasNext() && to.size() < maxWatched) to << files.next();
    if (deeper == 0) return;
    QDirIterator folders(folder, QDir::Dirs | QDir::NoDotAndDotDot);
    while (folders.hasNext() && to.size() < maxWatched) addFolder(folders.next(), deeper - 1, to);
}

}  // namespace

UserVariantsWatch::UserVariantsWatch(QString folder, QObject* parent)
    : QObject(parent), folder_(std::move(folder)) {
    settle_.setSingleShot(true);
    settle_.setInterval(settleMs);
    connect(&settle_, &QTimer::timeout, this, [this] {
        watch();
        emit changed();
    });
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, &settle_, qOverload<>(&QTimer::start));
    connect(&watcher_, &QFileSystemWatcher::fileChanged, &settle_, qOverload<>(&QTimer::start));
    if (!folder_.isEmpty()) watch();
}

void UserVariantsWatch::watch() {
    const QStringList before = watcher_.files() + watcher_.directories();
    if (!before.isEmpty()) watcher_.removePaths(before);
    QStringList paths;
    if (QFileInfo(folder_).isDir())
        addFolder(folder_, 2, paths);
    else
        paths << nearestFolder(folder_);
    watcher_.addPaths(paths);
}

}  // namespace ks::ui
