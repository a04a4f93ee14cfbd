#include "ui/kernels/watched_file.h"

#include <QDir>
#include <QFileInfo>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/file_text.h"
#include "ui/kernels/file_bytes.h"

namespace ks::ui {
namespace {

constexpr int againMs = 500;
constexpr int settleMs = 60;  ///< an editor empties a file, then writes it

std::string bytesOfFile(const QString& name) {
    return io::small_text(name.toStdString(), "a kernel's source", io::largest_kernel);
}

}  // namespace

bool isInFolder(const QString& file) {
    const QFileInfo named(file);
    return named.exists() || named.isSymLink();
}

WatchedFile::WatchedFile(QObject* parent) : QObject(parent) {
    settle_.setSingleShot(true);
    settle_.setInterval(settleMs);
    connect(&settle_, &QTimer::timeout, this, &WatchedFile::look);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, &settle_, qOverload<>(&QTimer::start));
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, &settle_, qOverload<>(&QTimer::start));
}

void WatchedFile::open(const QString& file) {
    std::string bytes = file.isEmpty() ? std::string() : bytesOfFile(file);
    openGone(file, shownText(bytes));
    bytes_ = std::move(bytes);
    gone_ = false;
}

void WatchedFile::openUnread(const QString& file) {
    openGone(file, {});
    gone_ = false;
    unread_ = true;
}

void WatchedFile::openGone(const QString& file, const QString& text) {
    if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
    if (!watcher_.directories().isEmpty()) watcher_.removePaths(watcher_.directories());
    file_ = file;
    text_ = text;
    bytes_ = text.toStdString();
    gone_ = true;
    unread_ = failed_ = false;
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
    std::string now = bytes(text);
    // It could neither be run nor be opened again.
    if (now.size() > io::largest_kernel)
        throw Error(ErrorKind::input,
                    "expected a kernel's source of at most " + std::to_string(io::largest_kernel) +
                        " bytes, found " + std::to_string(now.size()) + " in the editor",
                    file_.toStdString(), "nothing was written; shorten the text to save it");
    requireUnchanged();
    io::write_text(file_.toStdString(), now, true);
    bytes_ = std::move(now);
    text_ = text;
    gone_ = unread_ = false;
    watch();
}

// The change may have come just now, or be one that cannot be shown.
void WatchedFile::requireUnchanged() {
    if (gone_ || unread_ || !QFileInfo::exists(file_)) return;
    const char* const hint = "move the file away to save your text under its name";
    try {
        if (bytesOfFile(file_) == bytes_) return;
    } catch (const Error& error) {
        throw Error(ErrorKind::input, "another program changed the file: " + error.message(),
                    file_.toStdString(), hint);
    }
    settle_.start();
    throw Error(ErrorKind::input, "another program has just changed the file", file_.toStdString());
}

std::string WatchedFile::bytes(const QString& text) const {
    return bytesOf(text, bytes_, file_.toStdString());
}

void WatchedFile::look() {
    if (file_.isEmpty()) return;
    watch();
    if (unread_ ? !isInFolder(file_) : !QFileInfo::exists(file_)) {
        gone_ = true;
        return emit removedOutside();
    }
    try {
        bytes_ = bytesOfFile(file_);
        const QString now = shownText(bytes_);
        const bool back = gone_ || unread_;
        gone_ = unread_ = false;
        failed_ = false;
        if (now != text_ || back) emit changedOutside(now);
    } catch (const Error& error) {
        // It may be being written.
        if (std::exchange(failed_, true)) return emit unreadableOutside(error);
        QTimer::singleShot(againMs, this, &WatchedFile::look);
    }
}

}  // namespace ks::ui
