#include "ui/shell/session/session_store.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QSysInfo>
#include <QUuid>
#include <algorithm>
#include <csignal>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/json_problem.h"
#include "ui/base/count_text.h"
#include "ui/kernels/kernel_drafts.h"

namespace ks::ui {
namespace {

constexpr int mostWindows = 64;
const QString runsFolder = QStringLiteral("runs"), kernelsLeaf = QStringLiteral("kernels"),
              pagesLeaf = QStringLiteral("pages"), lockLeaf = QStringLiteral("lock"),
              sessionLeaf = QStringLiteral("session.ksproj");

/// Whether a window holds the place. Does not take its lock: a window starting meanwhile would skip it.
bool isHeld(const QDir& place) {
    const QLockFile lock(place.filePath(lockLeaf));
    qint64 process = 0;
    QString host, program;
    if (!lock.getLockInfo(&process, &host, &program)) return false;
    if (!host.isEmpty() && host != QSysInfo::machineHostName()) return true;
    return ::kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH;
}

/// Names of files that belong together, such as those of one measurement on several devices, by their
/// beginning.
std::map<QString, QFileInfoList> groupsIn(const QDir& folder) {
    static const QRegularExpression number(QStringLiteral("-\\d+\\.json$"));
    std::map<QString, QFileInfoList> groups;
    for (const QFileInfo& one : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files))
        groups[one.fileName().remove(number)] << one;
    return groups;
}

QDateTime newestOf(const QFileInfoList& files) {
    QDateTime newest = files.front().lastModified();
    for (const QFileInfo& one : files) newest = std::max(newest, one.lastModified());
    return newest;
}

std::string leafOf(const std::string& file) {
    return std::filesystem::path(file).filename().string();
}

ReadDocument readSession(const QString& file) {
    const std::filesystem::path path = file.toStdString();
    return documentOf(io::read_project(path), path.parent_path());
}

OtherSession lookedAt(const QString& file) {
    OtherSession session;
    session.file = file;
    session.written = QFileInfo(file).lastModified();
    try {
        const ReadDocument read = readSession(file);
        const SessionDocument& document = read.document;
        std::set<std::string> data = document.dataFiles();
        for (const auto& [place, mask] : document.masks) data.insert(place.file);
        for (const LeftFiles::Left& left : document.left.all())
            data.insert(io::DataName::parse(left.file).file.string());
        // The open one first.
        if (!document.file.empty()) session.data << QString::fromStdString(leafOf(document.file));
        for (const std::string& one : data)
            if (one != document.file) session.data << QString::fromStdString(leafOf(one));
        session.runs = document.runs.size();
        for (const auto& [name, digest] : document.work) session.work << QString::fromStdString(name);
        // The unreadable part may have been work.
        session.holdsWork = document.holdsWork() || !read.damaged.isEmpty();
    } catch (const std::exception& error) {
        session.damaged = QString::fromStdString(problem_of(error));
        session.holdsWork = true;
    }
    return session;
}

/// Oldest first.
QFileInfoList asideIn(const QDir& place) {
    return place.entryInfoList({QStringLiteral("before*.ksproj")}, QDir::Files, QDir::Time | QDir::Reversed);
}

}  // namespace

QString OtherSession::text() const {
    constexpr std::size_t most = 3;
    QStringList parts;
    if (!damaged.isEmpty())
        parts << QObject::tr("damaged: %1").arg(file);
    else if (!data.isEmpty())
        parts << listedText(data, most);
    else
        parts << (work.isEmpty() ? QObject::tr("no data") : listedText(work, most));
    if (runs > 0) parts << counted(runs, QObject::tr("1 run"), QObject::tr("%1 runs"));
    parts << QLocale(QLocale::English).toString(written, QStringLiteral("d MMM yyyy HH:mm"));
    return parts.join(QStringLiteral(" \u2013 "));
}

SessionStore::SessionStore(const QString& folder) : root_(folder) {
    for (int place = 1; place <= mostWindows; ++place) {
        folder_ = QDir(folder).filePath(QString::number(place));
        if (!QDir().mkpath(path(runsFolder)))
            throw Error(ErrorKind::input, "the folder of the session cannot be created",
                        folder_.toStdString());
        lock_ = std::make_unique<QLockFile>(path(lockLeaf));
        lock_->setStaleLockTime(0);  // a window may be open for weeks; one that was killed is detected
        if (lock_->tryLock(0)) {
            place_ = place;
            return;
        }
        if (lock_->error() != QLockFile::LockFailedError)
            throw Error(ErrorKind::input, "the folder of the session is not writable", folder_.toStdString());
    }
    throw Error(ErrorKind::input, "so many windows are open that the session of this one cannot be kept",
                folder.toStdString());
}

QString SessionStore::path(const QString& leaf) const {
    return QDir(folder_).filePath(leaf);
}

QString SessionStore::newRunFile(int number) const {
    // Numbers start again with each session.
    const QString unique = QUuid::createUuid().toString(QUuid::Id128).left(12);
    return path(QStringLiteral("%1/run-%2-%3.h5").arg(runsFolder).arg(number).arg(unique));
}

bool SessionStore::isRunFile(const QString& file) const {
    const QDir runs = QFileInfo(file).absoluteDir(), place = QFileInfo(runs.absolutePath()).absoluteDir();
    return runs.dirName() == runsFolder &&
           QFileInfo(place.absolutePath()).absolutePath() == QFileInfo(root_).absoluteFilePath();
}

QString SessionStore::putAside() {
    if (!QFileInfo::exists(file())) return {};
    const OtherSession session = lookedAt(file());
    const QDir place(folder_);
    QFileInfoList aside = asideIn(place);
    if (!session.holdsWork && (session.data.isEmpty() || hasOthers())) {
        QFile::remove(file());
        return {};
    }
    // A session without work, such as a file that was viewed, is replaced by one with work.
    for (const QFileInfo& one : aside)
        if (!lookedAt(one.filePath()).holdsWork) QFile::remove(one.filePath());
    aside = asideIn(place);
    while (aside.size() >= mostAside) QFile::remove(aside.takeFirst().filePath());
    const QString unique = QUuid::createUuid().toString(QUuid::Id128).left(12);
    const QString name = path(QStringLiteral("before-%1.ksproj").arg(unique));
    return QFile::rename(file(), name) ? name : QString();
}

QStringList SessionStore::otherFiles() const {
    QStringList files;
    const QDir root(root_);
    for (const QString& leaf : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QDir place(root.filePath(leaf));
        for (const QFileInfo& one : asideIn(place)) files << one.filePath();
        if (const QString session = place.filePath(sessionLeaf);
            QFileInfo(session) != QFileInfo(file()) && QFileInfo::exists(session) && !isHeld(place))
            files << session;
    }
    return files;
}

std::vector<OtherSession> SessionStore::others() const {
    std::vector<OtherSession> all;
    for (const QString& one : otherFiles()) all.push_back(lookedAt(one));
    std::ranges::sort(all, std::greater<>(), &OtherSession::written);
    return all;
}

bool SessionStore::hasOthers() const {
    return !otherFiles().isEmpty();
}

void SessionStore::discard(const QString& file) const {
    if (otherFiles().contains(file)) QFile::remove(file);
}

void SessionStore::adoptKernels() const {
    KernelDrafts own;
    own.setFolder(kernelsFolder());
    const QDir root(root_);
    for (const QString& leaf : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QDir place(root.filePath(leaf));
        if (place.exists(kernelsLeaf) && QFileInfo(place.path()) != QFileInfo(folder_) && !isHeld(place))
            own.adopt(place.filePath(kernelsLeaf));
    }
}

void SessionStore::adoptPages() const {
    const QDir root(root_), own(pagesFolder());
    for (const QString& leaf : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QDir place(root.filePath(leaf)), pages(place.filePath(pagesLeaf));
        if (!pages.exists() || QFileInfo(place.path()) == QFileInfo(folder_) || isHeld(place)) continue;
        const std::map<QString, QFileInfoList> here = groupsIn(own);
        for (const auto& [name, files] : groupsIn(pages)) {
            const auto same = here.find(name);
            if (same != here.end() && newestOf(same->second) >= newestOf(files)) continue;
            if (!root.mkpath(own.path())) return;
            // A name that is free at neither place while the files change places.
            const QString between = QStringLiteral(".replaced");
            const QFileInfoList before = same == here.end() ? QFileInfoList() : same->second;
            for (const QFileInfo& one : before) QFile::rename(one.filePath(), one.filePath() + between);
            for (const QFileInfo& one : files) QFile::rename(one.filePath(), own.filePath(one.fileName()));
            for (const QFileInfo& one : before)
                QFile::rename(one.filePath() + between, pages.filePath(one.fileName()));
        }
    }
}

void SessionStore::removeOtherRuns(const SessionDocument& document) const {
    std::set<std::string> named;
    for (const KeptRun& run : document.runs) named.insert(leafOf(run.file));
    const QDir root(root_);
    for (const QString& leaf : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        for (const QString& session : QDir(root.filePath(leaf)).entryList({QStringLiteral("*.ksproj")})) {
            const QString one = QDir(root.filePath(leaf)).filePath(session);
            if (QFileInfo(one) == QFileInfo(file())) continue;
            try {
                for (const KeptRun& run : readSession(one).document.runs) named.insert(leafOf(run.file));
            } catch (const std::exception&) {
                return;  // it is not known which runs it names
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
    io::write_project(file().toStdString(), projectOf(document, folder_.toStdString(), Elsewhere::byPath),
                      true);
    newest_ = age;
}

}  // namespace ks::ui
