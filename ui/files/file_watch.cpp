#include "ui/files/file_watch.h"

#include <QFileInfo>
#include <QStringList>
#include <utility>

namespace ks::ui {
namespace {

/// A program writes a file in several steps.
constexpr int writtenMs = 200;
/// Each look asks the disk for every file of a series.
constexpr qint64 lookedMs = 1000;
/// Of the system's watches, which are limited.
constexpr std::size_t mostWatched = 100;

}  // namespace

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
    settle_.setSingleShot(true);
    settle_.setInterval(writtenMs);
    connect(&settle_, &QTimer::timeout, this, &FileWatch::look);
    // Not restarted by each step of a continuing write: the first report counts.
    const auto start = [this] {
        if (!settle_.isActive()) settle_.start();
    };
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, start);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, start);
}

void FileWatch::watchNone() {
    if (const QStringList watched = watcher_.files() + watcher_.directories(); !watched.isEmpty())
        watcher_.removePaths(watched);
}

void FileWatch::setFile(std::shared_ptr<const OpenFile> file) {
    watchNone();
    settle_.stop();
    looked_.invalidate();
    changed_.reset();
    file_ = std::move(file);
    if (!file_) return;
    QStringList paths;
    if (file_->isSeries) paths << QFileInfo(file_->path).absolutePath();
    for (const std::filesystem::path& one : file_->states.missing())
        paths << QFileInfo(QString::fromStdString(one.string())).absolutePath();
    for (const std::filesystem::path& one : file_->states.files())
        if (static_cast<std::size_t>(paths.size()) < mostWatched)
            paths << QString::fromStdString(one.string());
    if (!paths.isEmpty()) watcher_.addPaths(paths);
    look();
}

void FileWatch::look() {
    if (!file_ || changed_) return;
    looked_.start();
    const std::optional<std::filesystem::path> found = file_->states.changed();
    if (!found) return;
    changed_ = QString::fromStdString(found->string());
    watchNone();
    emit changed(*changed_);
}

void FileWatch::lookAtTimes() {
    if (!looked_.isValid() || looked_.hasExpired(lookedMs)) look();
}

}  // namespace ks::ui
