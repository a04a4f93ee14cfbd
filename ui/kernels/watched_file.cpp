#include "ui/kernels/watched_file.h"

#include <QDir>
#include <QFileInfo>
#include <utility>

#include "core/base/error.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/file_text.h"

namespace ks::ui {
namespace {

constexpr int settleMs = 60;  ///< an editor empties a file, then writes it

QString textOfFile(const QString& name) {
    return QString::fromStdString(
        io::small_text(name.toStdString(), "a kernel's source", io::largest_kernel));
}

}  // namespace

WatchedFile::WatchedFile(QObject* parent) : QObject(parent) {
    settle_.setSingleShot(true);
    settle_.setInterval(settleMs);
    connect(&settle_, &QTimer::timeout, this, &WatchedFile::look);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, &settle_, qOverload<>(&QTimer::start));
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, &settle_, qOverload<>(&QTimer::start));
}

void WatchedFile::open(const QString& file) {
    openGone(file, file.isEmpty() ? QString() : textOfFile(file));
    gone_ = false;
}

void WatchedFile::openGone(const QString& file, const QString& text) {
    if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
    if (!watcher_.directories().isEmpty()) watcher_.removePaths(watcher_.directories());
    file_ = file;
    text_ = text;
    gone_ = true;
    watch();
}

void WatchedFile::watch() {
    if (file_.isEmpty()) return;
    // A replaced file is a different file to the system; its folder reports the change.
    if (QFileInfo::exists(file_) && !watcher_.files().contains(file_)) watcher_.addPath(file_);
    const QString folder = QFileInfo(file_).path();
    if (QFileInfo::exists(folder) && !watcher_.directories().contains(folder)) watcher_.addPath(folder);
}

void WatchedFile::save(const QString& text) {
    QDir().mkpath(QFileInfo(file_).path());  // if that fails, writing reports why
    io::write_text(file_.toStdString(), text.toStdString(), true);
    text_ = text;
    gone_ = false;
    watch();
}

void WatchedFile::look() {
    if (file_.isEmpty()) return;
    watch();
    if (!QFileInfo::exists(file_)) {
        gone_ = true;
        return emit removedOutside();
    }
    try {
        const QString now = textOfFile(file_);
        const bool back = std::exchange(gone_, false);
        if (now != text_ || back) emit changedOutside(now);
    } catch (const Error&) {
        return;  // being written; the next change is reported
    }
}

}  // namespace ks::ui
