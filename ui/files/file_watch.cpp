#include "ui/files/file_watch.h"

#include <QFileInfo>
#include <QStringList>
#include <deque>
#include <set>
#include <system_error>
#include <utility>

namespace ks::ui {
namespace {

/// A program writes a file in several steps.
constexpr int writtenMs = 200;
/// A later state of a file that differs already.
constexpr int lastingMs = 1000;
/// Each look asks the disk for every file of a series.
constexpr qint64 lookedMs = 1000;
/// Of the system's watches, which are limited.
constexpr std::size_t mostWatched = 100;

/// Folders with the symbolic links that a path leads through. The system watches what a link leads to, and
/// reports a link that leads elsewhere now as a change of its folder alone.
std::set<std::filesystem::path> foldersOfLinks(const std::filesystem::path& file) {
    constexpr int mostLinks = 40;  // as the system follows
    std::set<std::filesystem::path> folders;
    std::error_code none;
    const std::filesystem::path whole = std::filesystem::absolute(file, none);
    std::deque<std::filesystem::path> rest(whole.begin(), whole.end());
    std::filesystem::path at;  // without links
    for (int links = 0; !rest.empty() && links < mostLinks;) {
        const std::filesystem::path part = rest.front();
        rest.pop_front();
        if (part == "..") {
            at = at.parent_path();
        } else if (const std::filesystem::path next = at / part; std::filesystem::is_symlink(next, none)) {
            folders.insert(at);
            ++links;
            const std::filesystem::path target = std::filesystem::read_symlink(next, none);
            rest.insert(rest.begin(), target.begin(), target.end());
        } else if (!part.empty() && part != ".") {
            at = next;  // an absolute target begins anew
        }
    }
    return folders;
}

}  // namespace

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
    settle_.setSingleShot(true);
    connect(&settle_, &QTimer::timeout, this, &FileWatch::look);
    // Not restarted by each step of a continuing write: the first report counts.
    const auto start = [this] {
        if (!settle_.isActive()) settle_.start(writtenMs);
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
    told_.reset();
    newest_.reset();
    file_ = std::move(file);
    if (!file_) return;
    QStringList paths;
    if (file_->isSeries) paths << QFileInfo(file_->path).absolutePath();
    for (const std::filesystem::path& one : file_->states.missing())
        paths << QFileInfo(QString::fromStdString(one.string())).absolutePath();
    std::set<std::filesystem::path> folders;
    for (const std::filesystem::path& one : file_->states.files()) {
        if (static_cast<std::size_t>(paths.size()) >= mostWatched) break;
        paths << QString::fromStdString(one.string());
        folders.merge(foldersOfLinks(one));
    }
    for (const std::filesystem::path& one : folders) paths << QString::fromStdString(one.string());
    paths.removeDuplicates();
    if (!paths.isEmpty()) watcher_.addPaths(paths);
    look();
}

void FileWatch::look() {
    if (!file_) return;
    looked_.start();
    std::optional<Found> now;
    if (const auto found = file_->states.changed()) now = Found{*found, io::state_of(*found)};
    const bool first = !told_, lasts = now == std::exchange(newest_, now);
    if (now == told_) return watchFound();
    if (first || lasts) return tell(now);
    watchFound();
    settle_.start(lastingMs);
}

void FileWatch::tell(const std::optional<Found>& now) {
    told_ = now;
    if (!now) {
        changed_.reset();
        emit restored();
        return;
    }
    changed_ = QString::fromStdString(now->file.string());
    watchFound();
    emit changed(*changed_);
}

void FileWatch::watchFound() {
    if (!told_) return;
    // A file that was removed or replaced is no longer watched under its name.
    const QFileInfo found(*changed_);
    QStringList paths{found.absolutePath()};
    if (found.isFile()) paths << found.absoluteFilePath();
    for (const QString& one : paths)
        if (!watcher_.files().contains(one) && !watcher_.directories().contains(one)) watcher_.addPath(one);
}

void FileWatch::lookAtTimes() {
    if (!looked_.isValid() || looked_.hasExpired(lookedMs)) look();
}

}  // namespace ks::ui
