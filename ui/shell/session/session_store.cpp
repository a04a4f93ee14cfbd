#include "ui/shell/session/session_store.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>
#include <set>

#include "core/base/error.h"

namespace ks::ui {
namespace {

constexpr int mostWindows = 64;
const QString runsFolder = QStringLiteral("runs");

}  // namespace

SessionStore::SessionStore(const QString& folder) {
    for (int place = 1; place <= mostWindows; ++place) {
        folder_ = QDir(folder).filePath(QString::number(place));
        if (!QDir().mkpath(path(runsFolder)))
            throw Error(ErrorKind::input, "the folder of the session cannot be made", folder_.toStdString());
        lock_ = std::make_unique<QLockFile>(path(QStringLiteral("lock")));
        lock_->setStaleLockTime(0);  // a window may be open for weeks; one that was killed is found out
        if (lock_->tryLock(0)) {
            place_ = place;
            return;
        }
        if (lock_->error() != QLockFile::LockFailedError)
            throw Error(ErrorKind::input, "the folder of the session cannot be written to",
                        folder_.toStdString());
    }
    throw Error(ErrorKind::input, "too many windows are open to keep the session of this one",
                folder.toStdString());
}

QString SessionStore::path(const QString& leaf) const {
    return QDir(folder_).filePath(leaf);
}

QString SessionStore::newRunFile(int number) const {
    // Numbers begin anew with each session.
    const QString unique = QUuid::createUuid().toString(QUuid::Id128).left(12);
    return path(QStringLiteral("%1/run-%2-%3.h5").arg(runsFolder).arg(number).arg(unique));
}

bool SessionStore::isRunFile(const QString& file) const {
    return QFileInfo(file).absolutePath() == QFileInfo(path(runsFolder)).absoluteFilePath();
}

void SessionStore::putAside() {
    if (!QFileInfo::exists(file())) return;
    try {
        const ReadDocument read = documentOf(io::read_project(file().toStdString()), folder_.toStdString());
        const bool empty = read.document.file.empty(), before = QFileInfo::exists(fileBefore());
        if (!read.document.holdsWork() && (empty || before)) {
            QFile::remove(file());
            return;
        }
    } catch (const Error&) {
        // A damaged one is put aside, too: somebody may want to look at it.
    }
    QFile::remove(fileBefore());
    QFile::rename(file(), fileBefore());
}

void SessionStore::removeOtherRuns(const SessionDocument& document) {
    std::set<std::string> named;
    const auto leafOf = [](const std::string& file) {
        return std::filesystem::path(file).filename().string();
    };
    for (const KeptRun& run : document.runs) named.insert(leafOf(run.file));
    if (QFileInfo::exists(fileBefore())) {
        try {
            const ReadDocument read =
                documentOf(io::read_project(fileBefore().toStdString()), folder_.toStdString());
            for (const KeptRun& run : read.document.runs) named.insert(leafOf(run.file));
        } catch (const Error&) {
            return;
        }
    }
    QDir runs(path(runsFolder));
    for (const QString& leaf : runs.entryList({QStringLiteral("run-*.h5")}, QDir::Files))
        if (!named.contains(leaf.toStdString())) runs.remove(leaf);
}

bool SessionStore::restoringEnded() const {
    return QFileInfo::exists(path(QStringLiteral("restoring")));
}

void SessionStore::setRestoring(bool now) {
    QFile mark(path(QStringLiteral("restoring")));
    if (now)
        (void)mark.open(QIODevice::WriteOnly);
    else
        mark.remove();
}

void SessionStore::write(const SessionDocument& document, quint64 age) {
    const std::lock_guard lock(writing_);
    if (age < newest_) return;
    io::write_project(file().toStdString(), projectOf(document, folder_.toStdString()), true);
    newest_ = age;
}

}  // namespace ks::ui
