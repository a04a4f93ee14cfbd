#include "ui/shell/session/window_session.h"

#include <QDir>
#include <QFileInfo>
#include <QScopedValueRollback>
#include <QStandardPaths>
#include <algorithm>
#include <utility>

#include "core/input/input_files.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/data_name.h"
#include "ui/base/count_text.h"
#include "ui/base/history.h"
#include "ui/base/jobs.h"
#include "ui/base/save_folders.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/runs/run_session.h"
#include "ui/runs/run_table_model.h"
#include "ui/shell/demo.h"
#include "ui/shell/drawer.h"
#include "ui/shell/file_session.h"
#include "ui/shell/page.h"
#include "ui/shell/request_form.h"

namespace ks::ui {
namespace {

using nlohmann::json;

constexpr qint64 longestBackMs = 15000;
const QString projectSuffix = QStringLiteral(".ksproj");
const QString projectKind = QStringLiteral("project");  ///< of SaveFolders

std::string absolutePath(const std::filesystem::path& file) {
    std::error_code ignored;
    const std::filesystem::path whole = std::filesystem::absolute(file, ignored);
    return (ignored ? file : whole.lexically_normal()).string();
}

std::string nameOf(const OpenFile& file) {
    return io::DataName{absolutePath(file.path.toStdString()),
                        file.name.mid(file.path.size() + 2).toStdString()}
        .to_string();
}

/// What a job reads before anybody is asked.
struct ProjectRead {
    ReadDocument document;
    bool changed = false;  ///< the data file; of a project of one's own only
};

}  // namespace

QString sessionsFolder() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
        .filePath(QStringLiteral("sessions"));
}

WindowSession::WindowSession(const SessionParts& parts, QWidget* window)
    : QObject(window),
      parts_(parts),
      questions_(dialogQuestions(window)),
      runs_(new KeptRuns(parts.context.jobs, parts.registry, parts.runs, this)) {
    const FileSession& files = parts_.files;
    connect(&files, &FileSession::projectNamed, this, &WindowSession::openProject);
    connect(&files, &FileSession::fileComes, this, &WindowSession::fileOpens);
    connect(&files, &FileSession::pageLeaves, this, &WindowSession::fileLeaves);
    connect(&files, &FileSession::pageComes, this, &WindowSession::fileComes);
    connect(&files, &FileSession::pageGiven, this, &WindowSession::fileGiven);
    const SessionGeometry& geometry = *parts_.context.geometry;
    connect(&geometry, &SessionGeometry::fileLeaves, this, &WindowSession::geometryLeaves);
    connect(&geometry, &SessionGeometry::fileChanged, this, &WindowSession::geometryComes);
    connect(&files, &FileSession::notOpened, this, [this] { opening_.clear(); });
    connect(&files, &FileSession::runOpened, this,
            [this](int, const SavedRun& saved) { runSaved(saved.run); });
    timer_.setInterval(keepEveryMs);
    connect(&timer_, &QTimer::timeout, this, &WindowSession::keepNow);
    back_.setInterval(100);
    connect(&back_, &QTimer::timeout, this, &WindowSession::lookWhetherBack);
    runs_->setOwnFiles([this](const QString& file) { return store_ && store_->isRunFile(file); });
}

WindowSession::~WindowSession() = default;

void WindowSession::begin(const QString& folder, Begin how, const QString& page) {
    try {
        store_ = std::make_shared<SessionStore>(folder);
    } catch (const Error& error) {
        return emit warned(tr("The session is not kept: %1").arg(QString::fromUtf8(error.what())));
    }
    for (Page* one : parts_.files.pages()) one->setKeptFolder(store_->pagesFolder());
    const SessionStart wanted = sessionStart(parts_.settings);
    const bool ended = store_->restoringEnded();
    bool back = how == Begin::bySetting && store_->first() && wanted != SessionStart::empty && !ended &&
                QFileInfo::exists(store_->file());
    if (back && wanted == SessionStart::ask) back = questions_.bringBack();
    if (ended)
        emit warned(
            tr("The program ended while the last session came back: it begins empty. File > Open session "
               "before opens the last one."));
    if (back) {
        if (!page.isEmpty()) givenPage_ = page;
        store_->setRestoring(true);
        read(store_->file(), true);
    } else {
        store_->setRestoring(false);
        store_->putAside();
    }
    timer_.start();
}

bool WindowSession::hasBefore() const {
    return store_ && QFileInfo::exists(store_->fileBefore());
}

void WindowSession::openBefore() {
    if (hasBefore()) read(store_->fileBefore(), true);
}

void WindowSession::openProject(const QString& path) {
    read(path, false);
}

void WindowSession::read(const QString& path, bool own) {
    reading_ = true;
    emit message(tr("Opening %1").arg(path));
    parts_.context.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("read a project"),
        [path, own] {
            const std::filesystem::path file = path.toStdString();
            ProjectRead read{documentOf(io::read_project(file), file.parent_path()), false};
            const ReadDocument& found = read.document;
            const auto named = found.named.find(found.document.file);
            if (own && named != found.named.end() && found.dataFileIsThere())
                read.changed = io::is_changed(named->second, found.document.file);
            return read;
        },
        [this, path, own](ProjectRead read) {
            reading_ = false;
            emit message({});
            take(path, own, std::move(read.document), read.changed);
        },
        [this, path](const Error& error) {
            reading_ = false;
            emit message({});
            if (store_ && path == store_->file()) {
                store_->putAside();
                store_->setRestoring(false);
                return emit warned(tr("The last session cannot be read, and was put aside: %1")
                                       .arg(QString::fromUtf8(error.what())));
            }
            parts_.files.refuse(error);
        });
}

void WindowSession::take(const QString& path, bool own, ReadDocument read, bool changed) {
    const bool empty = !parts_.files.file() && parts_.runs.rowCount() == 0;
    const auto refused = [this](const QString& sentence) {
        parts_.files.refuse(Error(ErrorKind::input, sentence.toStdString()));
    };
    if (!own) {
        const QStringList outside = unknown(read.outside());
        if (!outside.isEmpty() && !questions_.readOutside(outside)) read.leaveOut(outside);
    }
    QStringList warnings;
    if (!read.document.file.empty() && !read.dataFileIsThere()) {
        const QString gone = QString::fromStdString(read.document.file);
        const QString found = own ? QString() : questions_.whereIs(gone);
        if (!found.isEmpty()) {
            read.moveDataFile(found.toStdString());
        } else if (!empty) {
            return refused(tr("the data of the project are not there: %1").arg(gone));
        } else {
            warnings << tr("the data are not there: %1").arg(gone);
            gone_ = std::exchange(read.document.file, {});
            goneObject_ = std::exchange(read.document.object, {});
        }
    }
    const auto named = read.named.find(read.document.file);
    if (!own && named != read.named.end()) changed = io::is_changed(named->second, read.document.file);
    if (changed)
        warnings << tr("the data have changed since then: %1")
                        .arg(QFileInfo(QString::fromStdString(read.document.file)).fileName());
    if (!empty) {
        if (!mayLose()) return;
        if (store_) {
            keepAtOnce();
            store_->putAside();
        }
        const std::string gone = std::exchange(gone_, {});
        clear();
        gone_ = gone;
    }
    warnings_ = warnings;
    if (!own) {
        project_ = path;
        parts_.files.remember(path);
    }
    runs_->read(read.document.runs, read.writtenFiles, read.document.file);
    // A project of somebody else says nothing about other files than its own.
    if (own) left_ = read.document.left;
    bringBack(read.document);
}

QStringList WindowSession::unknown(const QStringList& files) const {
    QStringList known = parts_.files.everOpened();
    const SessionDocument here = document();
    for (const auto& [id, page] : here.pages)
        for (const auto& [role, name] : page.state.files) known << QString::fromStdString(name);
    for (const KeptRun& run : here.runs) known << QString::fromStdString(run.file);
    const QString demos = QFileInfo(demoFolder()).canonicalFilePath();  // empty where it is not there
    QStringList left;
    for (const QString& file : files) {
        const QString leaf = QFileInfo(file).fileName();
        const bool opened = std::ranges::any_of(known, [&](const QString& name) {
            const QFileInfo one(
                QString::fromStdString(io::DataName::parse(name.toStdString()).file.string()));
            // Others are not looked at: their disk may not answer.
            return one.fileName() == leaf && one.canonicalFilePath() == file;
        });
        const bool isDemo = !demos.isEmpty() && file.startsWith(demos + QLatin1Char('/'));
        if (!opened && !isDemo) left << file;
    }
    return left;
}

void WindowSession::clear() {
    parts_.running.cancelAll();
    runs_->forget();
    for (const RunRow& row : std::vector<RunRow>(parts_.runs.rows())) parts_.runs.removeRun(row.number);
    parts_.context.mask->editor().newMask();
    waiting_.clear();
    waitingMask_.reset();
    waitingGeometries_.clear();
    gone_.clear();
    goneObject_.clear();
    project_.clear();
    ofProject_.reset();
}

void WindowSession::bringBack(const SessionDocument& document) {
    const History::Quiet quiet(*parts_.context.history);
    triedFor_.clear();
    since_.start();
    back_.start();
    for (const auto& [analysis, page] : document.pages) {
        const QString id = QString::fromStdString(analysis);
        parts_.request.setChoices(id, {page.parameters, QString::fromStdString(page.variant)});
        for (Page* one : parts_.files.pages()) {
            if (one->id() != id) continue;
            one->setDrawerOpen(page.drawerOpen);
            one->drawer().setRaised(page.raised);
            one->drawer().holdViews(page.views);
            if (one->needsFile())
                waiting_[analysis] = page.state;
            else
                one->bringBack(page.state);
        }
    }
    waitingMask_ = document.mask;
    waitingGeometries_ = document.geometries;
    // Of the others nothing was changed.
    for (const std::string& name : document.dataNames()) waitingGeometries_.try_emplace(name, json::object());
    waitingFor_ = document.dataName();
    parts_.runs.setLastNumber(document.lastRun);
    if (!document.device.empty()) parts_.request.wantDevice(QString::fromStdString(document.device));
    FileSession& files = parts_.files;
    files.wantPage(givenPage_.isEmpty() ? QString::fromStdString(document.page)
                                        : std::exchange(givenPage_, {}));
    if (document.file.empty()) {
        emit pageWanted(files.wantedPage());
        // Without a file pages take what needs none.
        if (gone_.empty())
            for (Page* one : parts_.files.pages())
                if (const auto at = waiting_.find(one->id().toStdString()); at != waiting_.end())
                    one->bringBack(at->second);
        return;
    }
    // Until it is open.
    gone_ = document.file;
    goneObject_ = document.object;
    opening_ = document.file;
    parts_.files.open(QString::fromStdString(io::DataName{document.file, document.object}.to_string()));
}

void WindowSession::fileOpens(const OpenFile& file) {
    const std::string name = std::filesystem::path(file.path.toStdString()).filename().string();
    const bool found = !gone_.empty() && std::filesystem::path(gone_).filename().string() == name;
    gone_.clear();
    goneObject_.clear();
    // Another one that is opened meanwhile takes its place.
    const std::string expected = std::exchange(opening_, {});
    if (found || (!expected.empty() && expected == absolutePath(file.path.toStdString()))) return;
    // Another file than the one that it was kept with; pages that were kept with one of their own wait on.
    for (const auto& [id, state] : waiting_)
        if (!state.files.contains(PageState::ownData)) left_.leave(id, waitingFor_, state);
    std::erase_if(waiting_, [](const auto& one) { return !one.second.files.contains(PageState::ownData); });
    if (waiting_.empty()) waitingMask_.reset();
    // With their files they come back all the same.
    for (const auto& [owner, kept] : std::exchange(waitingGeometries_, {})) left_.leaveGeometry(owner, kept);
    parts_.files.wantPage({});
}

void WindowSession::geometryLeaves() {
    const SessionGeometry& geometry = *parts_.context.geometry;
    left_.leaveGeometry(nameOf(*geometry.file()), geometry.keep());
}

void WindowSession::geometryComes() {
    SessionGeometry& geometry = *parts_.context.geometry;
    if (!geometry.file()) return;
    const History::Quiet quiet(*parts_.context.history);
    const std::string name = nameOf(*geometry.file());
    const PageState* const left = left_.find(LeftFiles::geometry, name);
    if (const auto waits = waitingGeometries_.extract(name))
        geometry.bringBack(waits.mapped());
    else if (left)
        geometry.bringBack(left->values);
    left_.leaveGeometry(name, {});
}

void WindowSession::fileLeaves(Page* page) {
    left_.leave(page->id().toStdString(), nameOf(*parts_.files.given(*page)), page->keepOfFile());
}

void WindowSession::fileComes(Page* page) {
    const std::string id = page->id().toStdString();
    if (const auto at = waiting_.find(id); at != waiting_.end())
        page->expect(at->second);
    else if (const PageState* left = left_.find(id, nameOf(*parts_.files.file())))
        page->expect(*left);
}

void WindowSession::fileGiven(Page* page) {
    const std::string id = page->id().toStdString();
    if (const auto at = waiting_.find(id); at != waiting_.end()) {
        const PageState state = std::move(at->second);
        waiting_.erase(at);
        page->bringBack(state);
    } else if (const PageState* left = left_.find(id, nameOf(*parts_.files.file()))) {
        page->bringBackOfFile(*left);
    }
    if (waitingMask_ && parts_.context.mask->file() == parts_.files.file())
        parts_.context.mask->bringBack(*std::exchange(waitingMask_, std::nullopt));
}

void WindowSession::pageShown(const Page& page) {
    const auto at = waiting_.find(page.id().toStdString());
    if (at == waiting_.end() || !opening_.empty() || back_.isActive()) return;
    const auto own = at->second.files.find(PageState::ownData);
    if (own == at->second.files.end()) return;
    triedFor_ = page.id();
    opening_ = io::DataName::parse(own->second).file.string();
    parts_.files.wantPage(page.analysis());
    since_.start();
    back_.start();
    parts_.files.open(QString::fromStdString(own->second));
}

// What is shown of the file is read by jobs.
void WindowSession::lookWhetherBack() {
    const bool working = !opening_.empty() || runs_->reading() || parts_.context.jobs.running() > 0;
    if (working && since_.elapsed() < longestBackMs) return;
    if (runs_->reading()) return;
    back_.stop();
    // To a file of a page's own the window came by that page, and the user may have gone on since.
    if (const QString wanted = parts_.files.wantedPage();
        parts_.files.file() && !wanted.isEmpty() && triedFor_.isEmpty())
        emit pageWanted(wanted);
    parts_.files.wantPage({});
    for (const Page* page : parts_.files.pages()) page->drawer().releaseViews();
    if (store_) store_->setRestoring(false);
    if (!project_.isEmpty()) ofProject_ = document();
    if (runs_->unread() > 0)
        warnings_ << tr("%1 of its runs are not read: the newest %2 are here")
                         .arg(runs_->unread())
                         .arg(KeptRuns::mostRead);
    if (runs_->lost() > 0)
        warnings_ << tr("%1 runs cannot be read, the first: %2").arg(runs_->lost()).arg(runs_->whyLost());
    if (!warnings_.isEmpty()) {
        emit warned(capitalised(warnings_.front()), warnings_.mid(1).join(QLatin1Char('\n')));
    }
    warnings_.clear();
    emit broughtBack();
    // A page that came in sight meanwhile; one whose file failed is not tried without end.
    if (const Page* page = parts_.files.page(); page && page->id() != triedFor_) pageShown(*page);
}

SessionDocument WindowSession::document() const {
    SessionDocument document;
    if (parts_.files.file()) {
        // Without a look at the disk, which may not answer.
        const OpenFile& file = *parts_.files.file();
        document.given = file.path.toStdString();
        document.file = absolutePath(document.given);
        document.object = file.name.mid(file.path.size() + 2).toStdString();
    } else {
        document.file = document.given = gone_;
        document.object = goneObject_;
    }
    document.left = left_;
    if (parts_.files.page()) document.page = parts_.files.page()->id().toStdString();
    document.device = parts_.request.deviceTitle().toStdString();
    for (const Page* page : parts_.files.pages()) {
        for (const QString& analysis : page->analyses()) {
            const RequestForm::Choices choices = parts_.request.choices(analysis);
            KeptPage& kept = document.pages[analysis.toStdString()];
            kept.parameters = choices.parameters;
            kept.variant = choices.variant.toStdString();
        }
        const std::string id = page->id().toStdString();
        KeptPage& kept = document.pages[id];
        kept.drawerOpen = page->drawerOpen();
        kept.raised = page->drawer().raised();
        kept.views = page->drawer().views();
        if (const auto waits = waiting_.find(id); waits != waiting_.end())
            kept.state = waits->second;
        else if (!page->needsFile() || !parts_.files.file() ||
                 parts_.files.given(*page) == parts_.files.file())
            kept.state = page->keep();
        else if (const auto own = parts_.files.given(*page); own && !page->accepts(*parts_.files.file())) {
            kept.state = page->keep();
            kept.state.files[PageState::ownData] = nameOf(*own);
        } else if (own) {
            // Once it is shown it gets the open file.
            document.left.leave(id, nameOf(*own), page->keepOfFile());
        }
    }
    collectGeometries(document);
    document.mask = waitingMask_ ? waitingMask_ : parts_.context.mask->keep();
    document.runs = runs_->kept();
    document.lastRun = parts_.runs.lastNumber();
    return document;
}

// Those of the open file and of files that pages hold of their own.
void WindowSession::collectGeometries(SessionDocument& document) const {
    LeftFiles& left = document.left;
    for (const auto& [name, kept] : waitingGeometries_) left.leaveGeometry(name, kept);
    if (const SessionGeometry& now = *parts_.context.geometry; now.file())
        left.leaveGeometry(nameOf(*now.file()), now.keep());
    for (const std::string& name : document.dataNames())
        if (const PageState* const one = left.find(LeftFiles::geometry, name)) {
            document.geometries[name] = one->values;
            left.leaveGeometry(name, {});
        }
}

void WindowSession::keepNow() {
    // A document of what is half back would take the place of the whole.
    if (!store_ || reading_ || !opening_.empty() || writing_) return;
    runs_->write([store = store_](int number) { return store->newRunFile(number); });
    SessionDocument now = document();
    if (last_ == now) return;
    emit aboutToWrite();
    writing_ = true;
    parts_.context.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("keep the session"),
        [store = store_, now, age = ++age_] {
            store->write(now, age);
            return 0;
        },
        [this, now](int) {
            writing_ = failing_ = false;
            last_ = now;
            emit written();
        },
        [this](const Error& error) {
            writing_ = false;
            if (std::exchange(failing_, true)) return;
            emit warned(tr("The session could not be kept: %1").arg(QString::fromUtf8(error.what())));
        });
}

void WindowSession::keepAtOnce() {
    if (!store_ || reading_ || !opening_.empty()) return;
    runs_->writeNow([this](int number) { return store_->newRunFile(number); });
    const SessionDocument now = document();
    store_->write(now, ++age_);
    store_->removeOtherRuns(now);
    store_->setRestoring(false);
    last_ = now;
}

QStringList WindowSession::unsavedWork() const {
    SessionDocument now = document();
    const std::optional<MaskState> mask = now.mask;
    QStringList work;
    if (mask && mask->byHand() && !(ofProject_ && ofProject_->mask == mask))
        work << (mask->mask.size() > 0 ? tr("the mask") : tr("the bins drawn by hand"));
    std::size_t runs = 0;
    for (const RunRow& row : parts_.runs.rows()) {
        const auto same = [&row](const std::weak_ptr<const Run>& one) {
            const std::shared_ptr<const Run> run = one.lock();
            return run && (run == row.run || (run->started == row.run->started &&
                                              run->wall_nanoseconds == row.run->wall_nanoseconds));
        };
        const bool inProject =
            ofProject_ && std::ranges::any_of(ofProject_->runs, [&row](const KeptRun& one) {
                return one.number == row.number;
            });
        if (!inProject && std::ranges::none_of(saved_, same)) ++runs;
    }
    if (runs > 0) work << (runs == 1 ? tr("1 run") : tr("%1 runs").arg(runs));
    return work;
}

// What the session keeps is not lost.
bool WindowSession::mayLose() {
    if (!store_) return true;
    if (sessionStart(parts_.settings) != SessionStart::empty) {
        try {
            keepAtOnce();
            return true;
        } catch (const std::exception&) {
            // The disk may be full.
        }
    }
    const QStringList work = unsavedWork();
    if (work.isEmpty()) return true;
    switch (questions_.lose(work)) {
        case WorkAnswer::discard:
            return true;
        case WorkAnswer::save:
            saveProject();
            return false;  // the user closes once it is written
        case WorkAnswer::stay:
            break;
    }
    return false;
}

bool WindowSession::mayClose() {
    if (!mayLose()) return false;
    timer_.stop();
    if (store_) store_->setRestoring(false);
    return true;
}

void WindowSession::saveProject() {
    if (project_.isEmpty())
        saveProjectAs();
    else
        saveProject(project_, true);
}

void WindowSession::saveProjectAs() {
    const QString path = questions_.saveAs(projectProposal());
    if (path.isEmpty()) return;
    parts_.folders.remember(projectKind, path);
    saveProject(path, true);  // the dialog has asked
}

QString WindowSession::projectProposal() const {
    if (!project_.isEmpty()) return project_;
    const QString data = parts_.files.file() ? parts_.files.file()->path : QString();
    const QString name = data.isEmpty() ? QStringLiteral("kernelscope") : QFileInfo(data).completeBaseName();
    return QDir(parts_.folders.folder(projectKind, data)).filePath(name + projectSuffix);
}

void WindowSession::saveProject(const QString& given, bool overwrite) {
    const QString path = given.endsWith(projectSuffix) ? given : given + projectSuffix;
    const QFileInfo info(path);
    const QString runsFolder =
        info.absolutePath() + QLatin1Char('/') + info.completeBaseName() + QStringLiteral("_runs");
    SessionDocument document = this->document();
    struct RunFile {
        std::shared_ptr<const Run> run;
        QString file;
    };
    std::vector<RunFile> files;
    std::vector<KeptRun> runs;
    for (const RunRow& row : parts_.runs.rows()) {
        const QString file = QStringLiteral("%1/run-%2.h5").arg(runsFolder).arg(row.number);
        files.push_back({row.run, file});
        runs.push_back({row.number, row.ticked, file.toStdString()});
    }
    // Runs of the project that were not read are still its own.
    for (const KeptRun& run : document.runs)
        if (!parts_.runs.find(run.number)) runs.push_back(run);
    document.runs = std::move(runs);
    document.left = {};
    std::map<std::string, std::string> read;
    if (!document.file.empty()) read["the open file"] = document.file;
    parts_.context.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("save the project"),
        [document, files, path, runsFolder, read, overwrite, registry = parts_.registry] {
            io::require_not_read("saving", path.toStdString(), read);
            io::require_writable(path.toStdString(), overwrite);
            if (!files.empty() && !QDir().mkpath(runsFolder))
                throw Error(ErrorKind::input, "the folder of the runs cannot be made",
                            runsFolder.toStdString());
            Progress quiet;
            for (const RunFile& one : files) {
                io::require_not_read("saving", one.file.toStdString(), one.run->request);
                registry->analysis(one.run->request.analysis).keep(*one.run, one.file.toStdString(), quiet);
            }
            io::write_project(path.toStdString(),
                              projectOf(document, QFileInfo(path).absolutePath().toStdString()), overwrite);
            return 0;
        },
        [this, document, path](int) {
            project_ = path;
            ofProject_ = document;
            parts_.files.remember(path);
            emit message(tr("Saved %1").arg(path), 8000);
            emit projectSaved(path);
        },
        [this](const Error& error) { emit failed(error); });
}

}  // namespace ks::ui
