#include "ui/shell/session/window_session.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QScopedValueRollback>
#include <QStandardPaths>
#include <algorithm>
#include <utility>

#include "core/base/json_problem.h"
#include "core/input/input_files.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/data_name.h"
#include "core/io/files/same_file.h"
#include "core/run/parameters/data_parameters.h"
#include "ui/base/count_text.h"
#include "ui/base/history.h"
#include "ui/base/json_read.h"
#include "ui/base/save_guard.h"
#include "ui/base/tables/table_states.h"
#include "ui/files/data_identity.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/shell/demo.h"
#include "ui/shell/drawer.h"
#include "ui/shell/session/opened_run.h"
#include "ui/shell/session/project_code.h"
#include "ui/shell/trust/refused_code.h"
#include "ui/shell/workbench.h"

namespace ks::ui {
namespace {

using nlohmann::json;

constexpr qint64 longestBackMs = 15000;

const QString keepingNotice = QStringLiteral("keeping"), goneNotice = QStringLiteral("gone"),
              unopenedNotice = QStringLiteral("unopened project"), kernelNotice = QStringLiteral("kernels"),
              refusedNotice = QStringLiteral("refused");
constexpr std::size_t namedFiles = 6;  ///< in a notice

/// Initial parameters of an analysis on the data of its page.
ParameterSet defaultsOf(const AnalysisPage& page, const QString& analysis,
                        const std::vector<ParameterSpec>& specs) {
    ParameterSet all = defaults(specs);
    if (page.analysis() != analysis) return all;
    for (const auto& [id, value] : among(specs, page.ownParameters().ofData)) all[id] = value;
    return all;
}

PageState sessionState(const Page& page) {
    return page.state(Page::Scope::session).value_or(PageState());
}

/// Its page held other data than the open file.
bool hasOwnData(const PageState& state) {
    return state.files.contains(PageState::ownData);
}

/// Names of files that are not open are resolved when a file next to them is opened.
void mentionFiles(const SessionDocument& document) {
    for (const auto& [place, mask] : document.masks) mentionFile(place.file);
    for (const auto& [name, kept] : document.geometries) mentionFile(name.substr(0, endOfFile(name)));
    for (const LeftFiles::Left& one : document.left.all())
        mentionFile(one.file.substr(0, endOfFile(one.file)));
}

/// LeftFiles::rename()
std::string resolvedName(const std::string& name) {
    return identityOf(name);
}

/// Results of a job before any question is asked.
struct ProjectRead {
    ReadDocument document;
    QStringList changed = {};  ///< data files; for a project only
};

}  // namespace

QString sessionsFolder() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
        .filePath(QStringLiteral("sessions"));
}

WindowSession::WindowSession(Workbench& bench, QWidget* window)
    : QObject(window),
      bench_(bench),
      questions_(dialogQuestions(window)),
      others_(new OtherSessions(bench, this)),
      project_(new WindowProject(
          bench, questions_, [this] { return document(); }, this)),
      runKernels_(new RunKernels(bench, this)),
      runs_(new KeptRuns(bench.jobs, bench.registry(), bench.runs, this)),
      work_(*bench.registry(), bench.files) {
    const FileSession& files = bench_.files;
    connect(&files, &FileSession::projectNamed, this, &WindowSession::openProject);
    connect(&files, &FileSession::fileComes, this, &WindowSession::fileOpens);
    connect(&files, &FileSession::pageLeaves, this, &WindowSession::fileLeaves);
    connect(&files, &FileSession::pageComes, this, &WindowSession::fileComes);
    connect(&files, &FileSession::pageGiven, this, &WindowSession::fileGiven);
    const SessionGeometry& geometry = *bench_.context.geometry;
    connect(&geometry, &SessionGeometry::fileLeaves, this, &WindowSession::geometryLeaves);
    connect(&geometry, &SessionGeometry::fileChanged, this, &WindowSession::geometryComes);
    connect(&files, &FileSession::notOpened, this, [this] {
        if (!opening_.empty()) setLack(tr("Not opened: %1"), opening_);
        opening_.clear();
    });
    timer_.setInterval(keepEveryMs);
    connect(&timer_, &QTimer::timeout, this, &WindowSession::keepNow);
    connect(&timer_, &QTimer::timeout, this, [this] {
        // A partly restored window differs from any project.
        if (!reading_ && opening_.empty() && !back_.isActive()) project_->look();
    });
    back_.setInterval(100);
    connect(&back_, &QTimer::timeout, this, &WindowSession::lookWhetherBack);
    connect(others_, &OtherSessions::openWanted, this, &WindowSession::openOther);
    connect(runs_, &KeptRuns::failingChanged, this, &WindowSession::tellKeeping);
    // A file that no session names is lost.
    connect(runs_, &KeptRuns::runWritten, this, &WindowSession::keepNow);
    const auto* const opened = new OpenedRun(
        bench_, [this](const QString& gone) { return questions_.whereIs(gone); }, this);
    connect(opened, &OpenedRun::variantTaken, this, [this](int number) {
        if (const RunRow* const row = bench_.runs.find(number)) runKernels_->expect(*row);
    });
    runs_->setOwnFiles([this](const QString& file) { return store_ && store_->isRunFile(file); });
}

WindowSession::~WindowSession() = default;

void WindowSession::takeStore() {
    store_ = std::make_shared<SessionStore>(folder_);
    others_->setStore(store_);
    store_->adoptPages();
    bench_.context.desk->setKeptFolder(store_->pagesFolder());
    store_->adoptKernels();
    tellKernels();
    emit kernelsFolderChanged();
}

void WindowSession::tellKernels() {
    KernelDrafts drafts;
    drafts.setFolder(store_->kernelsFolder());
    untoldKernels_ = drafts.all();
    seenKernels_.clear();
    showUntoldKernels();
}

void WindowSession::showUntoldKernels() {
    if (untoldKernels_.empty()) return emit bench_.messages.noticeEnded(kernelNotice);
    const auto nameOf = [](const QString& file) { return QFileInfo(file).completeBaseName(); };
    Notice::Action show{tr("Show")};
    QStringList others;
    for (const KernelDrafts::Draft& one : untoldKernels_) {
        if (!one.of.isEmpty())
            others << tr("%1 contains the text of %2 from another window.")
                          .arg(nameOf(one.file), nameOf(one.of));
        show.menu.push_back(
            {nameOf(one.file), [this, one] { emit kernelWanted(one.analysis, one.file); }, {}});
    }
    const bool single = show.menu.size() == 1;
    if (single) show.act = std::exchange(show.menu, {}).front().act;
    const QString text = single
                             ? tr("The text of the kernel %1 is not saved in its file; a copy was kept.")
                                   .arg(nameOf(untoldKernels_.front().file))
                             : tr("The texts of %1 kernels are not saved in their files; copies were kept.")
                                   .arg(untoldKernels_.size());
    emit bench_.messages.noticed(
        {kernelNotice, (QStringList{text} + others).join(QLatin1Char(' ')), {show}, [this] {
             untoldKernels_.clear();
         }});
}

void WindowSession::kernelShown(const QString& file) {
    if (untoldKernels_.empty()) return;
    // What the notice says of all remains true of all.
    seenKernels_.insert(file);
    if (!std::ranges::all_of(untoldKernels_,
                             [this](const auto& one) { return seenKernels_.contains(one.file); }))
        return;
    untoldKernels_.clear();
    showUntoldKernels();
}

void WindowSession::begin(const QString& folder, Begin how, const QString& page) {
    folder_ = folder;
    work_.setFresh(document());
    timer_.start();
    try {
        takeStore();
    } catch (const Error& error) {
        return setDocumentFailure(QString::fromUtf8(error.what()));
    }
    const SessionStart wanted = sessionStart(*bench_.settings);
    const bool ended = store_->restoringEnded();
    QString before;
    bool back = how == Begin::bySetting && store_->first() && wanted != SessionStart::empty && !ended &&
                QFileInfo::exists(store_->file());
    if (back && wanted == SessionStart::ask) back = questions_.bringBack();
    if (ended)
        emit bench_.messages.warned(
            tr("Kernelscope exited while it was restoring the last session, so it starts empty this time. "
               "File > Previous sessions opens that session."));
    if (back) {
        if (!page.isEmpty()) givenPage_ = page;
        store_->setRestoring(true);
        read(store_->file(), true);
    } else {
        store_->setRestoring(false);
        const QString aside = store_->putAside();
        if (!ended) before = aside;
    }
    others_->begin(before);
}

void WindowSession::openOther(const QString& file) {
    others_->leave(file);
    read(file, true);
}

void WindowSession::openProject(const QString& path) {
    read(path, false);
}

void WindowSession::read(const QString& path, bool own) {
    reading_ = true;
    before_ = document();
    hadDevices_ = bench_.request.devices().isEnabled();
    pageChosen_ = false;
    for (const Page* page : bench_.files.pages()) page->drawer().forgetChoice();
    bench_.files.setOpening(true);
    emit bench_.messages.said(tr("Opening %1").arg(path));
    bench_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("read a project"),
        [path, own] {
            const std::filesystem::path file = path.toStdString();
            ProjectRead read{documentOf(io::read_project(file), file.parent_path())};
            if (own) read.changed = read.document.changed();
            return read;
        },
        [this, path, own](ProjectRead read) {
            reading_ = false;
            bench_.files.setOpening(false);
            emit bench_.messages.said({});
            take(path, own, std::move(read.document), read.changed);
        },
        [this, path](const Error& error) {
            reading_ = false;
            bench_.files.setOpening(false);
            emit bench_.messages.said({});
            if (store_ && path == store_->file()) {
                const QString aside = store_->putAside();
                store_->setRestoring(false);
                others_->look();
                return emit bench_.messages.warned(
                    tr("The last session cannot be read (%2); it is kept as %1")
                        .arg(aside, QString::fromUtf8(error.what())));
            }
            bench_.files.refuse(error);
        });
}

void WindowSession::take(const QString& path, bool own, ReadDocument read, QStringList changed) {
    const bool restores = own && store_ && path == store_->file();
    const bool empty =
        bench_.runs.rowCount() == 0 && (restores || (!bench_.files.file() && !document().holdsWork()));
    emit bench_.messages.noticeEnded(unopenedNotice);
    // Before the other questions, which would be asked twice.
    if (!empty && !mayLose([this, path, own] { this->read(path, own); })) return;
    RefusedFiles refusedFiles;
    if (!own) {
        // A session that was opened as a project: another user's choice.
        read.takeRefused(project_->needsFile());
        const QStringList outside = unknown(read.outside());
        if (!outside.isEmpty() && !questions_.readOutside(outside)) refusedFiles = read.leaveOut(outside);
        keepRefused(*bench_.settings, path,
                    askForCode(read.document, *bench_.registry(), bench_.files.trust(), path));
    }
    QStringList warnings;
    if (!read.damaged.isEmpty()) {
        read.damaged.removeDuplicates();
        QString told = tr("%1 of %2 could not be read").arg(read.damaged.join(QStringLiteral(", ")), path);
        // The next write of the session would overwrite data that the user may still need.
        if (store_ && path == store_->file()) {
            const QString copy = QFileInfo(path).dir().filePath(QStringLiteral("before-damaged.ksproj"));
            QFile::remove(copy);
            if (QFile::copy(path, copy)) told += tr("; a copy of the whole file is kept as %1").arg(copy);
        }
        warnings << told;
    }
    std::string gone, goneObject;
    if (!read.document.file.empty() && !read.dataFileIsThere()) {
        const QString name = QString::fromStdString(read.document.file);
        const QString found = own ? QString() : questions_.whereIs(name);
        if (!found.isEmpty()) {
            read.moveDataFile(found.toStdString());
        } else if (!empty && !own) {
            return refuseGone(path, name, read.writtenFiles);
        } else {
            gone = std::exchange(read.document.file, {});
            goneObject = std::exchange(read.document.object, {});
        }
    }
    if (!own) changed = read.changed();
    if (!changed.isEmpty())
        warnings << tr("the data have changed since the session or project was saved: %1")
                        .arg(changed.join(QStringLiteral(", ")));
    if (!own) joinProject(read.document, warnings);
    if (!empty) {
        // With the other setting, the user has just been asked.
        const bool untold =
            sessionStart(*bench_.settings) != SessionStart::empty && !project_->unsavedWork().isEmpty();
        if (store_) {
            keepAtOnce();
            const QString aside = store_->putAside();
            last_.reset();
            if (untold && !aside.isEmpty()) others_->tellOf(aside);
        }
        clear();
    }
    gone_ = gone;
    goneObject_ = goneObject;
    goneOf_ = gone.empty() ? ReadDocument() : read;
    if (!gone_.empty()) tellGone(QString::fromStdString(gone_));
    opened_ = own && store_ && path != store_->file() ? path : QString();
    warnings_ = warnings;
    missingFolders_ = own ? std::set<std::string>() : read.missingFolders;
    if (!own)
        project_->set(path, std::move(refusedFiles));
    else if (read.document.project)
        project_->resume(*read.document.project, read.document.work);
    if (own) project_->setRefused(read.document.refused);
    if (!read.document.file.empty())
        for (const std::string& name : read.writtenFiles) read.moved.files[name] = read.document.file;
    runs_->read(read.document.runs, read.moved);
    left_ = read.document.left;
    usersFile_ = restores ? bench_.files.newest() : QString();
    if (empty) keepUsers(read.document);
    bringBack(read.document);
    runKernels_->expect(own ? tr("the session") : tr("the project"), read.document);
}

void WindowSession::keepUsers(SessionDocument& document) const {
    SessionDocument now = this->document();
    // The state of a file that was opened meanwhile is not that of the session's file; and the forms of tools
    // choose by themselves when they hear of devices and variants.
    const bool newDevices = !hadDevices_ && bench_.request.devices().isEnabled();
    for (const Page* page : bench_.files.pages())
        if (const std::string id = page->id().toStdString();
            bench_.files.given(*page) || (newDevices && !bench_.files.analysisPage(*page)))
            now.pages[id].state = before_.pages.contains(id) ? before_.pages.at(id).state : PageState();
    keepChanges(document, before_, now, *bench_.registry());
    for (const Page* page : bench_.files.pages())
        if (const auto at = document.pages.find(page->id().toStdString());
            at != document.pages.end() && page->drawer().tabChosen())
            at->second.raised = page->drawer().raised();
    if (hadDevices_ && now.device != before_.device) document.device = now.device;
}

QStringList WindowSession::unknown(const QStringList& files) const {
    QStringList known = bench_.files.everOpened();
    const SessionDocument here = document();
    for (const auto& [id, page] : here.pages)
        for (const auto& [role, name] : page.state.files) known << QString::fromStdString(name);
    for (const KeptRun& run : here.runs) known << QString::fromStdString(run.file);
    const QString demos = QFileInfo(demoFolder()).canonicalFilePath();  // empty if it does not exist
    QStringList left;
    for (const QString& file : files) {
        const QString leaf = QFileInfo(file).fileName();
        const bool opened = std::ranges::any_of(known, [&](const QString& name) {
            const QFileInfo one(
                QString::fromStdString(io::DataName::parse(name.toStdString()).file.string()));
            // Others are not accessed: their disk may not respond.
            return one.fileName() == leaf && one.canonicalFilePath() == file;
        });
        const bool isDemo = !demos.isEmpty() && file.startsWith(demos + QLatin1Char('/'));
        if (!opened && !isDemo) left << file;
    }
    return left;
}

void WindowSession::clear() {
    bench_.queue.cancelAll();
    bench_.files.closeAll();
    runs_->forget();
    for (const RunRow& row : std::vector<RunRow>(bench_.runs.rows())) bench_.runs.removeRun(row.number);
    bench_.context.mask->bringBackAll({});
    waiting_.clear();
    waitingGeometries_.clear();
    gone_.clear();
    goneObject_.clear();
    goneOf_ = {};
    setLack({}, {});
    emit bench_.messages.noticeEnded(goneNotice);
    emit bench_.messages.noticeEnded(refusedNotice);
    project_->clear();
}

void WindowSession::bringBack(const SessionDocument& document) {
    const History::Quiet quiet(*bench_.context.history);
    triedFor_.clear();
    atWaiting_.clear();
    since_.start();
    back_.start();
    for (const auto& [analysis, page] : document.pages) {
        const QString id = QString::fromStdString(analysis);
        bench_.request.setChoices(id, {page.parameters, QString::fromStdString(page.variant)});
        for (Page* one : bench_.files.pages()) {
            if (one->id() != id) continue;
            one->setDrawerOpen(page.drawerOpen);
            one->drawer().setRaised(page.raised);
            one->drawer().holdViews(page.views);
            if (needsFile(*one)) {
                waiting_[analysis] = page.state;
                atWaiting_[analysis] = sessionState(*one);
                continue;
            }
            one->setState(page.state, Page::Scope::session);
            // It needs no file, but held one.
            if (const auto own = page.state.files.find(PageState::ownData); own != page.state.files.end())
                waiting_[analysis].files.insert(*own);
        }
    }
    for (Page* one : bench_.files.pages())
        if (TableStates* const tables = TableStates::of(*one))
            tables->bringBack(jsonPart(document.tables, one->id().toStdString().c_str()));
    mentionFiles(document);
    bench_.context.mask->bringBackAll(document.masks);
    waitingGeometries_ = document.geometries;
    // Nothing has been changed for the others.
    for (const std::string& name : document.dataNames()) waitingGeometries_.try_emplace(name, json::object());
    waitingFor_ = document.dataName();
    waitingWork_ = document.work;
    bench_.runs.setLastNumber(document.lastRun);
    if (!document.device.empty()) bench_.request.wantDevice(QString::fromStdString(document.device));
    FileSession& files = bench_.files;
    files.wantPage(givenPage_.isEmpty() ? QString::fromStdString(document.page)
                                        : std::exchange(givenPage_, {}));
    const QString usersFile = std::exchange(usersFile_, {});
    if (pageChosen_) files.stayOnPage();
    if (!usersFile.isEmpty()) files.wantPage({});
    if (document.file.empty()) {
        if (!pageChosen_ && usersFile.isEmpty()) showPageOf(files.wantedPage());
        // Without a file, pages take what needs none; nothing of it waits for the first file to be opened.
        if (gone_.empty()) {
            for (Page* one : bench_.files.pages())
                if (const auto at = waiting_.find(one->id().toStdString()); at != waiting_.end())
                    one->setState(at->second, Page::Scope::session);
            std::erase_if(waiting_, [](const auto& one) { return !hasOwnData(one.second); });
        }
        return;
    }
    // Until it is open.
    gone_ = document.file;
    goneObject_ = document.object;
    opening_ = document.file;
    const QString stored = QString::fromStdString(io::DataName{document.file, document.object}.to_string());
    bench_.files.open(usersFile.isEmpty() ? stored : usersFile);
}

void WindowSession::showPageOf(const QString& analysis) {
    const QScopedValueRollback leads(leads_, true);
    emit pageWanted(analysis);
}

void WindowSession::refuseGone(const QString& project, const QString& gone,
                               const std::vector<std::string>& written) {
    const QString leaf = QFileInfo(project).fileName();
    const QString then = written.empty() ? QString() : QString::fromStdString(written.front());
    QString why = tr("its data are not at %1").arg(gone);
    if (!then.isEmpty() && then != gone) why += tr(", and were at %1 when it was saved").arg(then);
    bench_.files.refuse(Error(ErrorKind::input, why.toStdString(), project.toStdString()));
    emit bench_.messages.noticed({unopenedNotice,
                                  tr("%1 was not opened, since its data were not found: %2").arg(leaf, gone),
                                  // Opening it again asks for them again.
                                  {{tr("Locate..."),
                                    [this, project] {
                                        emit bench_.messages.noticeEnded(unopenedNotice);
                                        openProject(project);
                                    }}},
                                  [] {}});
}

// Pages with a file of their own do not show it.
void WindowSession::setLack(const QString& text, const std::string& file) {
    const QString leaf = QFileInfo(QString::fromStdString(file)).fileName();
    for (Page* const page : bench_.files.pages()) page->setLack(text.isEmpty() ? text : text.arg(leaf));
}

void WindowSession::fileOpens(const OpenFile& file) {
    setLack({}, {});
    left_.rename(resolvedName);
    // A name may lead to another file meanwhile, with a state of its own.
    const std::string now = identityOf(file);
    apartFrom_.clear();
    if (const auto& open = bench_.files.file();
        open && open->name == file.name && identityOf(*open) != now &&
        std::ranges::count(left_.all(), now, &LeftFiles::Left::file) > 0)
        apartFrom_ = file.name;
    const std::string name = std::filesystem::path(file.path.toStdString()).filename().string();
    const bool found = !gone_.empty() && std::filesystem::path(gone_).filename().string() == name;
    gone_.clear();
    goneObject_.clear();
    if (found) emit bench_.messages.noticeEnded(goneNotice);
    // Another one opened meanwhile replaces it.
    const std::string expected = std::exchange(opening_, {});
    if (found || (!expected.empty() && expected == absolutePath(file.path))) return;
    // A file other than the one that it was stored with; pages stored with their own file continue to wait.
    for (const auto& [id, state] : waiting_) {
        if (hasOwnData(state)) continue;
        if (state.isWithoutFile()) {
            for (Page* page : bench_.files.pages())
                if (page->id().toStdString() == id) page->setState(state, Page::Scope::anyFile);
            continue;
        }
        if (state != PageState()) left_.leave(id, identityOf(waitingFor_), state);
        for (AnalysisPage* page : bench_.files.analysisPages())
            if (page->id().toStdString() == id && page->needsFile()) {
                leaveParameters(left_, *page, identityOf(waitingFor_));
                takeParameters(*page, identityOf(file));
            }
    }
    std::erase_if(waiting_, [](const auto& one) { return !hasOwnData(one.second); });
    // They are restored with their files all the same.
    for (const auto& [owner, kept] : std::exchange(waitingGeometries_, {}))
        left_.leaveGeometry(identityOf(owner), kept);
    pageChosen_ = false;
    bench_.files.wantPage({});
}

bool WindowSession::needsFile(const Page& page) const {
    const AnalysisPage* const role = bench_.files.analysisPage(page);
    return role && role->needsFile();
}

std::string WindowSession::leavingAs(const OpenFile& before) const {
    const std::shared_ptr<const OpenFile>& now = bench_.files.file();
    const bool goesOn = now && now->name == before.name && now->name != apartFrom_;
    return identityOf(goesOn ? *now : before);
}

void WindowSession::geometryLeaves() {
    const SessionGeometry& geometry = *bench_.context.geometry;
    left_.leaveGeometry(leavingAs(*geometry.file()), geometry.keep());
}

void WindowSession::geometryComes() {
    SessionGeometry& geometry = *bench_.context.geometry;
    if (!geometry.file()) return;
    const History::Quiet quiet(*bench_.context.history);
    const std::string name = identityOf(*geometry.file());
    const PageState* const left = left_.find(LeftFiles::geometry, name);
    const auto waiting = std::ranges::find_if(
        waitingGeometries_, [&name](const auto& one) { return identityOf(one.first) == name; });
    if (waiting != waitingGeometries_.end())
        geometry.bringBack(waitingGeometries_.extract(waiting).mapped());
    else if (left)
        geometry.bringBack(left->values);
    left_.leaveGeometry(name, {});
}

void WindowSession::fileLeaves(Page* page) {
    const std::string file = leavingAs(*bench_.files.given(*page));
    left_.leave(page->id().toStdString(), file, page->state(Page::Scope::file));
    if (const AnalysisPage* const role = bench_.files.analysisPage(*page))
        leaveParameters(left_, *role, file);
    leaves_ = true;
}

ParameterSet WindowSession::ofData(const AnalysisPage& page, const QString& analysis) const {
    const std::vector<ParameterSpec> specs =
        of_data(bench_.registry()->analysis(analysis.toStdString()).info().parameters);
    ParameterSet set = bench_.request.choices(analysis).parameters;
    if (page.analysis() == analysis) page.fillOwn(set);
    set = among(specs, set);
    const ParameterSet plain = defaultsOf(page, analysis, specs);
    std::erase_if(set, [&plain](const auto& one) { return plain.at(one.first) == one.second; });
    return set;
}

void WindowSession::leaveParameters(LeftFiles& left, const AnalysisPage& page,
                                    const std::string& file) const {
    for (const QString& analysis : page.analyses()) {
        const ParameterSet set = ofData(page, analysis);
        left.leave(LeftFiles::parameters + analysis.toStdString(), file,
                   set.empty() ? std::nullopt : std::optional(PageState{to_json(set), {}}));
    }
}

void WindowSession::takeParameters(AnalysisPage& page, const std::string& file) {
    const QStringList own = page.ownParameters().ids;
    for (const QString& analysis : page.analyses()) {
        const std::vector<ParameterSpec> specs =
            of_data(bench_.registry()->analysis(analysis.toStdString()).info().parameters);
        ParameterSet set = defaultsOf(page, analysis, specs);
        if (const PageState* const left = left_.find(LeftFiles::parameters + analysis.toStdString(), file)) {
            try {
                ParameterSet kept = set;
                for (const auto& [id, value] : among(specs, parameter_set_from(left->values)))
                    kept[id] = value;
                set = checked(specs, kept);
            } catch (const std::exception&) {
                // Of another version: the defaults are used.
            }
        }
        RequestForm::Choices choices = bench_.request.choices(analysis);
        ParameterSet form = choices.parameters, ofPage;
        for (const auto& [id, value] : set)
            (own.contains(QString::fromStdString(id)) ? ofPage : form)[id] = value;
        if (form != choices.parameters) {
            choices.parameters = form;
            bench_.request.setChoices(analysis, choices);
        }
        if (page.analysis() != analysis || ofPage.empty()) continue;
        ParameterSet now;
        page.fillOwn(now);
        if (!std::ranges::all_of(ofPage, [&now](const auto& one) {
                const auto at = now.find(one.first);
                return at != now.end() && at->second == one.second;
            }))
            page.apply(ofPage);
    }
}

void WindowSession::fileComes(Page* page) {
    const std::string id = page->id().toStdString();
    const auto before = atWaiting_.extract(id);
    if (const auto at = waiting_.find(id); before && at != waiting_.end() && at->second != PageState())
        keepChanges(at->second, before.mapped(), sessionState(*page));
    if (const auto at = waiting_.find(id);
        at != waiting_.end() && at->second != PageState() && !at->second.isWithoutFile())
        page->setState(at->second, Page::Scope::expected);
    else if (const PageState* left = left_.find(id, identityOf(*bench_.files.file())))
        page->setState(*left, Page::Scope::expected);
}

void WindowSession::fileGiven(Page* page) {
    const std::string id = page->id().toStdString(), file = identityOf(*bench_.files.file());
    const bool hadAnother = std::exchange(leaves_, false);
    const auto waits = waiting_.extract(id);
    // If the page had another file when the session was stored, nothing waits for this one.
    if (waits && waits.mapped().isWithoutFile())
        page->setState(waits.mapped(), Page::Scope::anyFile);
    else if (waits && waits.mapped() != PageState())
        return page->setState(waits.mapped(), Page::Scope::session);
    // Input made before there was any file is meant for the first one.
    const auto isLeft = [&](const QString& analysis) {
        return left_.find(LeftFiles::parameters + analysis.toStdString(), file) != nullptr;
    };
    AnalysisPage* const role = bench_.files.analysisPage(*page);
    if (role && (hadAnother || std::ranges::any_of(page->analyses(), isLeft))) takeParameters(*role, file);
    if (const PageState* left = left_.find(id, file)) page->setState(*left, Page::Scope::file);
}

void WindowSession::pageShown(const Page& page) {
    const bool another = std::exchange(shown_, &page) != &page;
    if (another && comesBack() && !leads_ && !bench_.files.leads()) {
        pageChosen_ = true;
        bench_.files.stayOnPage();
    }
    const auto at = waiting_.find(page.id().toStdString());
    if (at == waiting_.end() || !opening_.empty() || back_.isActive()) return;
    const auto own = at->second.files.find(PageState::ownData);
    if (own == at->second.files.end()) return;
    triedFor_ = page.id();
    pageChosen_ = false;
    opening_ = io::DataName::parse(own->second).file.string();
    bench_.files.wantPage(page.analysis());
    since_.start();
    back_.start();
    bench_.files.open(QString::fromStdString(own->second));
}

// The display of the file is read by jobs.
void WindowSession::lookWhetherBack() {
    const bool working = !opening_.empty() || runs_->reading() || bench_.jobs.running() > 0;
    if (working && since_.elapsed() < longestBackMs) return;
    if (runs_->reading()) return;
    back_.stop();
    // The window went to a page's own file by way of that page.
    if (const QString wanted = bench_.files.wantedPage();
        bench_.files.file() && !wanted.isEmpty() && triedFor_.isEmpty() && !pageChosen_)
        showPageOf(wanted);
    pageChosen_ = false;
    bench_.files.wantPage({});
    for (const Page* page : bench_.files.pages()) page->drawer().releaseViews();
    if (store_) store_->setRestoring(false);
    if (!project_->path().isEmpty()) project_->setDocument(document());
    if (runs_->unread() > 0)
        warnings_ << tr("only the newest %2 runs are read; %1 more are not")
                         .arg(runs_->unread())
                         .arg(KeptRuns::mostRead);
    if (runs_->lost() > 0) warnings_ << lostRunsText();
    if (!warnings_.isEmpty()) {
        emit bench_.messages.warned(capitalised(warnings_.front()), warnings_.mid(1).join(QLatin1Char('\n')));
    }
    warnings_.clear();
    tellRefused();
    emit broughtBack();
    // A page that became visible meanwhile; one whose file failed is not retried endlessly.
    if (const Page* page = bench_.files.page(); page && page->id() != triedFor_) pageShown(*page);
}

QString WindowSession::lostRunsText() const {
    const QString lost = counted(runs_->lost(), tr("1 run cannot be read"), tr("%1 runs cannot be read"));
    const std::set<std::string>& from = runs_->lostFrom();
    if (from.size() == 1 && missingFolders_.contains(*from.begin()))
        return tr("%1: the project's folder %2 is missing and must be copied beside %3")
            .arg(lost, QFileInfo(QString::fromStdString(*from.begin())).fileName(),
                 QFileInfo(project_->path()).fileName());
    return (runs_->lost() == 1 ? tr("%1: %2") : tr("%1; the error of the first one: %2"))
        .arg(lost, runs_->whyLost());
}

SessionDocument WindowSession::document() const {
    SessionDocument document;
    if (bench_.files.file()) {
        // Without accessing the disk, which may not respond.
        const OpenFile& file = *bench_.files.file();
        document.given = file.path.toStdString();
        document.file = absolutePath(file.path);
        document.object = file.name.mid(file.path.size() + 2).toStdString();
    } else {
        document.file = document.given = gone_;
        document.object = goneObject_;
    }
    document.left = left_;
    document.project = project_->file();
    document.refused = project_->refused();
    if (bench_.files.page()) document.page = bench_.files.page()->id().toStdString();
    document.device = bench_.request.deviceTitle().toStdString();
    for (const Page* page : bench_.files.pages()) {
        for (const QString& analysis : page->analyses()) {
            const RequestForm::Choices choices = bench_.request.choices(analysis);
            KeptPage& kept = document.pages[analysis.toStdString()];
            kept.parameters = choices.parameters;
            kept.variant = choices.variant.toStdString();
        }
        const std::string id = page->id().toStdString();
        KeptPage& kept = document.pages[id];
        kept.drawerOpen = page->drawerOpen();
        kept.raised = page->drawer().raised();
        kept.views = page->drawer().views();
        if (const TableStates* const tables = TableStates::of(*page))
            if (nlohmann::json all = tables->all(); !all.empty()) document.tables[id] = std::move(all);
        const auto waits = waiting_.find(id);
        const std::shared_ptr<const OpenFile> open = bench_.files.file(), own = bench_.files.given(*page);
        const bool holdsOther = open && own && own != open;
        if (waits != waiting_.end() && needsFile(*page)) {
            kept.state = waits->second;
        } else if (holdsOther && !page->accepts(*open)) {
            kept.state = sessionState(*page);
            kept.state.files[PageState::ownData] = absoluteName(*own);
        } else if (!needsFile(*page)) {
            kept.state = sessionState(*page);
            if (waits != waiting_.end())
                kept.state.files.insert(waits->second.files.begin(), waits->second.files.end());
        } else if (!open || own == open) {
            kept.state = sessionState(*page);
        } else if (own) {
            // When it is shown it gets the open file.
            if (const auto any = page->state(Page::Scope::anyFile)) {
                kept.state = *any;
                kept.state.values[PageState::withoutFile] = true;
            }
            document.left.leave(id, identityOf(*own), page->state(Page::Scope::file));
            const AnalysisPage* const role = bench_.files.analysisPage(*page);
            if (!role) continue;
            leaveParameters(document.left, *role, identityOf(*own));
            for (const QString& analysis : page->analyses()) {
                ParameterSet& form = document.pages[analysis.toStdString()].parameters;
                for (const auto& [parameter, value] : ofData(*role, analysis)) form.erase(parameter);
            }
        }
    }
    collectGeometries(document);
    document.masks = bench_.context.mask->keepAll();
    // Open data have the names by which they will be opened.
    for (const std::string& name : document.dataNames())
        renameMasks(document.masks, [&name](const std::string& other) {
            return other != name && identityOf(other) == identityOf(name) ? name : other;
        });
    document.runs = runs_->kept();
    document.lastRun = bench_.runs.lastNumber();
    collectWork(document);
    return document;
}

SessionDocument WindowSession::toKeep() const {
    SessionDocument now = document();
    project_->leaveOutBroughtBack(now.work);
    return now;
}

void WindowSession::collectWork(SessionDocument& document) const {
    std::map<std::string, ParameterSet> changed;
    PageWork::Waiting waiting{{}, waitingWork_};
    for (const AnalysisPage* page : bench_.files.analysisPages()) {
        // Those of other data are in document.left.
        const std::shared_ptr<const OpenFile> open = bench_.files.file(), own = bench_.files.given(*page);
        if (page->needsFile() && open && own && own != open && page->accepts(*open)) continue;
        for (const QString& analysis : page->analyses())
            changed[analysis.toStdString()] = ofData(*page, analysis);
        if (page->needsFile() && waiting_.contains(page->id().toStdString()))
            waiting.pages.insert(page->id().toStdString());
    }
    document.work = work_.in(document, changed, waiting);
}

// Those of the open file and of files held by individual pages.
void WindowSession::collectGeometries(SessionDocument& document) const {
    LeftFiles& left = document.left;
    for (const auto& [name, kept] : waitingGeometries_) left.leaveGeometry(identityOf(name), kept);
    if (const SessionGeometry& now = *bench_.context.geometry; now.file())
        left.leaveGeometry(identityOf(*now.file()), now.keep());
    for (const std::string& name : document.dataNames())
        if (const PageState* const one = left.find(LeftFiles::geometry, identityOf(name))) {
            document.geometries[name] = one->values;
            left.leaveGeometry(identityOf(name), {});
        }
}

void WindowSession::keepNow() {
    if (!store_ && !folder_.isEmpty()) {
        try {
            takeStore();
            store_->putAside();
            setDocumentFailure({});
        } catch (const Error& error) {
            setDocumentFailure(QString::fromUtf8(error.what()));
        }
    }
    // A partly restored document would replace the complete one.
    if (!store_ || reading_ || !opening_.empty()) return;
    if (writing_) {
        again_ = true;
        return;
    }
    runs_->write([store = store_](int number) { return store->newRunFile(number); });
    SessionDocument now = toKeep();
    if (last_ == now) {
        // It was changed back after a write had failed: what is on the disk is right.
        setDocumentFailure({});
        return endOpening();
    }
    emit aboutToWrite();
    writing_ = true;
    bench_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("keep the session"),
        [store = store_, now, age = ++age_] {
            store->write(now, age);
            return 0;
        },
        [this, now](int) {
            writing_ = false;
            last_ = now;
            setDocumentFailure({});
            endOpening();
            emit written();
            if (std::exchange(again_, false)) keepNow();
        },
        [this](const Error& error) {
            writing_ = again_ = false;
            setDocumentFailure(QString::fromUtf8(error.what()));
        });
}

// The opened session is now stored as that of this window.
void WindowSession::endOpening() {
    if (opened_.isEmpty() || back_.isActive() || runs_->reading()) return;
    // Its unreadable parts exist nowhere else.
    if (runs_->lost() == 0) others_->discard(opened_);
    opened_.clear();
}

WindowSession::Unkept WindowSession::keepAtOnce() {
    if (!store_ || reading_ || !opening_.empty()) return {};
    Unkept unkept;
    unkept.runs = runs_->writeNow([this](int number) { return store_->newRunFile(number); });
    const SessionDocument now = toKeep();
    try {
        store_->write(now, ++age_);
        last_ = now;
        endOpening();
        store_->removeOtherRuns(now);
        store_->setRestoring(false);
    } catch (const Error& error) {
        unkept.document = error;
    } catch (const std::exception& error) {
        unkept.document = Error(ErrorKind::run, problem_of(error), store_->file().toStdString());
    }
    setDocumentFailure(unkept.document ? QString::fromUtf8(unkept.document->what()) : QString());
    return unkept;
}

void WindowSession::setDocumentFailure(const QString& why) {
    if (std::exchange(documentFailure_, why) != why) tellKeeping();
}

void WindowSession::tellKeeping() {
    QStringList lost;
    if (!documentFailure_.isEmpty()) lost << tr("the session");
    if (runs_->failing() > 0) lost << counted(runs_->failing(), tr("1 run"), tr("%1 runs"));
    if (lost.isEmpty()) return emit bench_.messages.noticeEnded(keepingNotice);
    emit bench_.messages.noticed(
        {keepingNotice,
         tr("Kernelscope could not save %1 for the next start and tries again every few seconds. %2")
             .arg(lost.join(tr(" and ")),
                  documentFailure_.isEmpty() ? runs_->whyFailing() : documentFailure_),
         {{tr("Save project..."), [this] { project_->saveAs(); }}}});
}

void WindowSession::tellGone(const QString& gone) {
    if (!bench_.files.file()) setLack(tr("Not found: %1"), gone.toStdString());
    emit bench_.messages.noticed(
        {goneNotice,
         tr("Data not found: %1. Your changes to these files are restored when you locate or open them.")
             .arg(gone),
         {{tr("Locate..."),
           [this, gone] {
               if (const QString found = questions_.whereIs(gone); !found.isEmpty()) locate(gone, found);
           }}},
         [] {}});
}

void WindowSession::tellRefused() {
    const RefusedFiles& refused = project_->refused();
    if (!refused.whole) return emit bench_.messages.noticeEnded(refusedNotice);
    if (!bench_.files.file() && refused.has(refused.whole->document.file))
        setLack(tr("Not read: %1"), refused.whole->document.file);
    QStringList paths, leaves;
    for (const std::string& file : refused.files) {
        paths << QString::fromStdString(file);
        leaves << QFileInfo(paths.back()).fileName();
    }
    const QString text = counted(refused.files.size(), tr("1 file outside the project's folder was not read"),
                                 tr("%1 files outside the project's folder were not read"));
    const bool one = paths.size() == 1;
    Notice::Action read{one ? tr("Read it") : tr("Read them"), [this] { readRefused(); }};
    read.tip = (one ? tr("Read this file now, with what the project says of it:\n%1")
                    : tr("Read these files now, with what the project says of them:\n%1"))
                   .arg(listedText(paths, namedFiles, "\n"));
    emit bench_.messages.noticed(
        {refusedNotice, tr("%1: %2").arg(text, listedText(leaves, namedFiles)), {read}, [] {}});
}

// As if the project were opened anew, with all that was done since.
void WindowSession::readRefused() {
    // A partly restored window is not yet the one to which they belong.
    if (reading_ || !opening_.empty() || back_.isActive() || runs_->reading()) return;
    emit bench_.messages.noticeEnded(refusedNotice);
    ReadDocument read;
    SessionDocument& document = read.document;
    document = toKeep();
    const std::vector<KeptRun> runsBefore = document.runs;
    const RefusedFiles refused = document.refused;
    const ReadDocument& whole = *refused.whole;
    const bool ofData = refused.has(whole.document.file), isThere = whole.dataFileIsThere();
    const bool isOpen = bench_.files.file() != nullptr;
    if (isOpen && ofData && isThere) leaveOpenData(document, whole.document);
    if (!isOpen || (ofData && isThere)) {
        document.file.clear();
        document.given.clear();
        document.object.clear();
    }
    read.takeRefused(project_->needsFile());
    project_->takeRefused(document.work);
    if (const QStringList changed = whole.changed(); ofData && !changed.isEmpty())
        warnings_ << tr("the data have changed since the session or project was saved: %1")
                         .arg(changed.join(QStringLiteral(", ")));
    if (ofData && !isThere) {
        if (!isOpen) {
            gone_ = std::exchange(document.file, {});
            goneObject_ = std::exchange(document.object, {});
        }
        goneOf_ = read;
        tellGone(QString::fromStdString(whole.document.file));
    } else if (ofData) {
        for (const std::string& name : whole.writtenFiles) read.moved.files[name] = document.file;
    }
    std::vector<KeptRun> runs;
    for (const KeptRun& run : document.runs)
        if (!std::ranges::count(runsBefore, run)) runs.push_back(run);
    bench_.files.closeAll();
    left_ = document.left;
    runs_->readAlso(std::move(runs), read.moved);
    moveInputs(read.moved);
    bringBack(document);
}

void WindowSession::leaveOpenData(SessionDocument& document, const SessionDocument& project) const {
    const LeftFiles left = leftOfAll();
    for (auto one = left.all().rbegin(); one != left.all().rend(); ++one)
        document.left.leave(one->page, one->file, one->state);
    document.geometries.erase(document.dataName());
    for (const std::string& id : project_->needsFile()) {
        const auto page = document.pages.find(id);
        const auto then = project.pages.find(id);
        if (page == document.pages.end() || hasOwnData(page->second.state)) continue;
        page->second.state = {};
        if (then != project.pages.end()) page->second.parameters = then->second.parameters;
    }
}

void WindowSession::locate(const QString& gone, const QString& found) {
    const std::string from = gone.toStdString(), to = absolutePath(found);
    emit bench_.messages.noticeEnded(goneNotice);
    ReadDocument read = std::exchange(goneOf_, {});
    read.document = document();
    read.document.file = from;
    read.moveDataFile(to);
    for (const std::string& name : read.writtenFiles) read.moved.files[name] = to;
    moveInputs(read.moved);
    if (gone_ == from) {
        left_ = read.document.left;
        bringBack(read.document);
        return;
    }
    // Another file has replaced it meanwhile.
    left_.move(from, to);
    bench_.context.mask->move(from, to);
    bench_.files.open(found);
}

// Files next to the one that was found are accessed.
void WindowSession::moveInputs(const MovedFiles& moved) {
    std::vector<std::pair<int, std::shared_ptr<const Run>>> runs;
    for (const RunRow& row : bench_.runs.rows()) runs.emplace_back(row.number, row.run);
    bench_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("inputs of runs"),
        [runs, moved] {
            std::vector<std::shared_ptr<const Run>> now;
            now.reserve(runs.size());
            for (const auto& [number, run] : runs) now.push_back(with_moved_inputs(run, moved));
            return now;
        },
        [this, runs](const std::vector<std::shared_ptr<const Run>>& now) {
            for (std::size_t i = 0; i < runs.size(); ++i) {
                const auto& [number, run] = runs[i];
                const RunRow* const row = bench_.runs.find(number);
                if (row && row->run == run && now[i] != run) bench_.runs.replaceRun(number, now[i]);
            }
        },
        [this](const Error& error) { emit bench_.messages.failed(error); });
}

void WindowSession::joinProject(SessionDocument& project, QStringList& warnings) const {
    const SessionDocument here = document();
    std::set<std::string> files;
    for (const std::string& file : project.dataFiles()) files.insert(resolvedFile(file));
    project.left.rename(resolvedName);
    for (const std::string& name : project.dataNames()) {
        const QString leaf =
            QFileInfo(QString::fromStdString(io::DataName::parse(name).file.string())).fileName();
        const auto open = here.geometries.find(name);
        const PageState* const left = here.left.find(LeftFiles::geometry, identityOf(name));
        const json mine = open != here.geometries.end() ? open->second : left ? left->values : json();
        if (mine.empty()) continue;
        json& given = project.geometries[name];
        if (given.empty()) {
            given = mine;
            warnings << tr("the project has no geometry for %1; the geometry that you changed here is kept")
                            .arg(leaf);
        } else if (given != mine) {
            warnings
                << tr("the geometry of %1 now comes from the project; the geometry that you changed here is "
                      "in File > Previous sessions")
                       .arg(leaf);
        }
    }
    // For other files the project contains only their changes.
    const LeftFiles all = leftOfAll();
    std::set<std::string> others;
    for (auto one = all.all().rbegin(); one != all.all().rend(); ++one) {
        const PageState* const given = project.left.find(one->page, one->file);
        const std::string file = io::DataName::parse(one->file).file.string();
        if (files.contains(resolvedFile(file))) continue;
        if (given == nullptr)
            project.left.leave(one->page, one->file, one->state);
        else if (*given != one->state)
            others.insert(QFileInfo(QString::fromStdString(file)).fileName().toStdString());
    }
    for (const std::string& leaf : others)
        warnings << tr("changes to %1 now come from the project; those you made here are in File > Previous "
                       "sessions")
                        .arg(QString::fromStdString(leaf));
    for (const auto& [place, mask] : here.masks) {
        const std::string& file = place.file;
        const auto given = std::ranges::find_if(project.masks, [&place = place](const auto& one) {
            return one.first.height == place.height && one.first.width == place.width &&
                   isSameData(dataOf(one.first), dataOf(place));
        });
        if (!files.contains(resolvedFile(file)) && given == project.masks.end()) {
            project.masks.emplace(place, mask);
        } else if (given == project.masks.end() || given->second != mask) {
            warnings
                << tr("the mask of %1 now comes from the project; the mask that you drew here is in File > "
                      "Previous sessions")
                       .arg(QFileInfo(QString::fromStdString(file)).fileName());
        }
    }
}

LeftFiles WindowSession::leftOfAll() const {
    LeftFiles left = left_;
    for (const AnalysisPage* page : bench_.files.analysisPages()) {
        const std::shared_ptr<const OpenFile> given = bench_.files.given(*page);
        if (!given) continue;
        left.leave(page->id().toStdString(), identityOf(*given), page->state(Page::Scope::file));
        leaveParameters(left, *page, identityOf(*given));
    }
    if (const SessionGeometry& now = *bench_.context.geometry; now.file())
        left.leaveGeometry(identityOf(*now.file()), now.keep());
    return left;
}

// Checks and previews are repeated when they are needed.
bool WindowSession::mayStop() const {
    QStringList jobs;
    if (bench_.queue.running())
        jobs << tr("a run in progress");
    else if (!bench_.queue.measurable())
        jobs << tr("a measurement in progress");
    if (const int waiting = bench_.queue.waiting(); waiting > 0)
        jobs << counted(static_cast<std::size_t>(waiting), tr("1 waiting run"), tr("%1 waiting runs"));
    return jobs.isEmpty() || questions_.stop(jobs);
}

// What the session keeps is not lost.
bool WindowSession::mayLose(const std::function<void()>& afterSave) {
    QStringList work;
    const bool keeps = store_ && sessionStart(*bench_.settings) != SessionStart::empty;
    const Unkept unkept = keeps ? keepAtOnce() : Unkept();
    if (!folder_.isEmpty() && (!keeps || unkept.document)) {
        work = project_->unsavedWork();
    } else if (unkept.runs) {
        std::size_t runs = 0;
        for (const RunRow& row : bench_.runs.rows())
            runs += runs_->isFailing(row.number) && !project_->isSaved(row) ? 1 : 0;
        if (runs > 0) work << counted(runs, tr("1 run"), tr("%1 runs"));
    }
    if (work.isEmpty()) return true;
    if (const std::optional<Error> why = project_->whyNotSaved()) {
        if (!questions_.loseForGood(work, QString::fromStdString(why->message()))) return false;
        others_->setSeen();
        return true;
    }
    switch (questions_.lose(work)) {
        case WorkAnswer::discard:
            // The remaining contents of the session file are offered in the menu, not at the next start.
            others_->setSeen();
            return true;
        case WorkAnswer::save:
            project_->save([this, afterSave] { QTimer::singleShot(0, this, afterSave); });
            return false;
        case WorkAnswer::stay:
            break;
    }
    return false;
}

// They are not part of projects, so that saving one is no solution.
bool WindowSession::mayLoseKernels() {
    const std::vector<KernelDrafts::Draft> texts =
        keepKernels_ ? keepKernels_() : std::vector<KernelDrafts::Draft>();
    if (texts.empty()) return true;
    QStringList names;
    for (const KernelDrafts::Draft& one : texts) names << QFileInfo(one.file).completeBaseName();
    const WorkAnswer answer = questions_.loseKernels(names);
    if (answer != WorkAnswer::save) return answer == WorkAnswer::discard;
    for (const KernelDrafts::Draft& one : texts) {
        const QString leaf = QFileInfo(one.file).fileName();
        const QString path = questions_.saveKernelAs(QDir::home().filePath(leaf));
        if (path.isEmpty()) return false;
        try {
            SaveGuard::Names read = bench_.saves.read();
            std::erase_if(read, [&one](const auto& use) {  // its own file is where it belongs
                return io::is_same_file(use.second, one.file.toStdString());
            });
            io::require_not_read("saving", path.toStdString(), read);
            io::write_text(path.toStdString(), one.text.toStdString(), true);  // the dialog has asked
        } catch (const Error& error) {
            emit bench_.messages.failed(error);
            return false;
        }
    }
    return true;
}

// Measurements and tunings are not part of projects, either.
bool WindowSession::mayLoseResults() {
    UnkeptWork& unkept = bench_.desk.unkept();
    const QStringList work = unkept.writeNow();
    return work.isEmpty() || questions_.loseForGood(work, QString::fromUtf8(unkept.why()->what()));
}

bool WindowSession::mayClose() {
    const std::function<void()> again =
        closeAgain_ ? std::exchange(closeAgain_, nullptr) : [this] { emit closeWanted(); };
    const auto closeSaved = [this, again] {
        stops_ = true;
        again();
    };
    const bool agreed = std::exchange(stops_, false);
    if ((!agreed && !mayStop()) || !mayLose(closeSaved) || !mayLoseKernels() || !mayLoseResults())
        return false;
    timer_.stop();
    if (store_) store_->setRestoring(false);
    return true;
}

void WindowSession::keepForEnd() {
    timer_.stop();
    if (keepKernels_) keepKernels_();  // the user is not asked now about texts that cannot be kept
    keepAtOnce();
    bench_.desk.unkept().writeNow();
    emit aboutToWrite();
}

}  // namespace ks::ui
