#include "ui/shell/session/window_project.h"

#include <QDir>
#include <QFileInfo>
#include <QScopeGuard>
#include <algorithm>
#include <set>
#include <utility>

#include "core/input/input_files.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/data_name.h"
#include "core/io/hdf5/hdf5.h"
#include "ui/base/count_text.h"
#include "ui/base/json_read.h"
#include "ui/base/save_folders.h"
#include "ui/base/save_guard.h"
#include "ui/files/data_identity.h"
#include "ui/shell/workbench.h"

namespace ks::ui {
namespace {

using nlohmann::json;

const QString projectSuffix = QStringLiteral(".ksproj");
const QString projectKind = QStringLiteral("project");  ///< of SaveFolders

/// Whether the document contains this for the file, which may be the open one there.
bool holds(const SessionDocument& document, const LeftFiles::Left& wanted) {
    const auto isSame = [&wanted](const LeftFiles::Left& one) {
        return one.page == wanted.page && one.state.values == wanted.state.values &&
               isSameData(one.file, wanted.file);
    };
    if (std::ranges::any_of(document.left.all(), isSame)) return true;
    if (wanted.page == LeftFiles::geometry)
        return std::ranges::any_of(document.geometries, [&wanted](const auto& one) {
            return one.second == wanted.state.values && isSameData(one.first, wanted.file);
        });
    const auto has = [&wanted](const json& values) {
        return std::ranges::all_of(wanted.state.values.items(), [&values](const auto& one) {
            return jsonPart(values, one.key().c_str()) == one.value();
        });
    };
    const std::string parameters = LeftFiles::parameters;
    const bool ofForm = wanted.page.starts_with(parameters);
    const auto page = document.pages.find(ofForm ? wanted.page.substr(parameters.size()) : wanted.page);
    if (page == document.pages.end()) return false;
    const auto own = page->second.state.files.find(PageState::ownData);
    const std::string of = own == page->second.state.files.end() ? document.dataName() : own->second;
    return isSameData(of, wanted.file) &&
           has(ofForm ? to_json(page->second.parameters) : page->second.state.values);
}

/// Whether the document contains this mask for the same frames.
bool holdsMask(const SessionDocument& document, const MaskPlace& place, const MaskState& mask) {
    return std::ranges::any_of(document.masks, [&](const auto& one) {
        return one.second == mask && isSameData(dataOf(one.first), dataOf(place));
    });
}

}  // namespace

WindowProject::WindowProject(Workbench& bench, SessionQuestions& questions,
                             std::function<SessionDocument()> window, QObject* parent)
    : QObject(parent), bench_(bench), questions_(questions), window_(std::move(window)) {
    connect(&bench_.files, &FileSession::runOpened, this,
            [this](int, const SavedRun& opened) { addSaved(opened.run); });
    connect(&bench_.runFiles, &RunFiles::runSaved, this, &WindowProject::addSaved);
}

void WindowProject::setDocument(SessionDocument document) {
    if (session_) {
        // The session may hold work that the project does not. What it brought back without naming it as work
        // is none.
        std::erase_if(document.work, [this](const auto& one) { return session_->contains(one.first); });
        broughtBack_ = std::move(document.work);
        session_.reset();
        return look();
    }
    document_ = std::move(document);
    setModified(false);
}

void WindowProject::leaveOutBroughtBack(Work& work) const {
    std::erase_if(work, [this](const auto& one) {
        if (session_) return !session_->contains(one.first);
        const auto back = broughtBack_.find(one.first);
        return back != broughtBack_.end() && back->second == one.second;
    });
}

void WindowProject::clear() {
    path_.clear();
    document_.reset();
    session_.reset();
    broughtBack_.clear();
    refused_ = {};
    modified_ = false;
    emit changed();
}

void WindowProject::look() {
    setModified(!path_.isEmpty() && !unsavedWork().isEmpty());
}

void WindowProject::setModified(bool modified) {
    if (std::exchange(modified_, modified) != modified) emit changed();
}

// Runs are written by HDF5.
std::optional<Error> WindowProject::whyNotSaved() const {
    const char* const hangs = io::h5::given_up_in();
    if (hangs == nullptr || bench_.runs.rows().empty()) return std::nullopt;
    return Error(ErrorKind::input,
                 tr("HDF5 hangs in %1 and cannot write the runs")
                     .arg(QFileInfo(QString::fromUtf8(hangs)).fileName())
                     .toStdString(),
                 {}, "remove the runs from the table to save the rest, or restart the program");
}

void WindowProject::save(const std::function<void()>& done) {
    if (path_.isEmpty()) return saveAs(done);
    // Another window, or another person, may have written it since.
    if (QFileInfo::exists(path_) && then_ &&
        !io::is_same_content(io::record_of(path_.toStdString()), *then_) && !questions_.replaceChanged(path_))
        return;
    save(path_, true, done);
}

void WindowProject::set(const QString& path, RefusedFiles refused) {
    refused_ = std::move(refused);
    take(path);
}

std::set<std::string> WindowProject::needsFile() const {
    std::set<std::string> ids;
    for (const AnalysisPage* page : bench_.files.analysisPages())
        if (page->needsFile()) ids.insert(page->id().toStdString());
    return ids;
}

void WindowProject::takeRefused(Work session) {
    if (document_) refused_.keepIn(*document_, needsFile());
    refused_ = {};
    session_ = std::move(session);
}

void WindowProject::take(const QString& path) {
    path_ = path;
    then_ = io::record_of(path.toStdString());
    session_.reset();
    broughtBack_.clear();
    bench_.files.remember(path);
    modified_ = false;
    emit changed();
}

void WindowProject::resume(const FileRecord& file, Work session) {
    const QString path = QString::fromStdString(file.file);
    path_ = path;
    then_ = file;
    session_ = std::move(session);
    // Of a project that was saved while the window was empty.
    document_.reset();
    broughtBack_.clear();
    modified_ = false;
    emit changed();
    bench_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("read the project"),
        [path] {
            const std::filesystem::path named = path.toStdString();
            return documentOf(io::read_project(named), named.parent_path()).document;
        },
        [this, path](SessionDocument document) {
            if (path != path_ || document_) return;  // saved, or another one was opened
            document_ = std::move(document);
        },
        [this, path](const Error& error) {
            if (path != path_) return;
            // What it said of them is only here now.
            RefusedFiles refused = std::move(refused_);
            clear();
            refused_ = std::move(refused);
            emit bench_.messages.warned(
                tr("The project of the last session cannot be read: %1").arg(QString::fromUtf8(error.what())),
                {});
        });
}

void WindowProject::saveAs(const std::function<void()>& done) {
    if (const std::optional<Error> why = whyNotSaved()) return emit bench_.messages.failed(*why);
    const QString path = questions_.saveAs(proposal());
    if (path.isEmpty()) return;
    bench_.folders.remember(projectKind, path);
    save(path, true, done);  // the dialog has asked
}

QString WindowProject::proposal() const {
    if (!path_.isEmpty()) return path_;
    const QString data = bench_.files.file() ? bench_.files.file()->path : QString();
    const QString name = data.isEmpty() ? QStringLiteral("kernelscope") : QFileInfo(data).completeBaseName();
    return QDir(bench_.folders.folder(projectKind, data)).filePath(name + projectSuffix);
}

void WindowProject::save(const QString& given, bool overwrite, const std::function<void()>& done) {
    if (const std::optional<Error> why = whyNotSaved()) return emit bench_.messages.failed(*why);
    const QString path = given.endsWith(projectSuffix) ? given : given + projectSuffix;
    const QFileInfo info(path);
    const QString runsFolder =
        info.absolutePath() + QLatin1Char('/') + info.completeBaseName() + QStringLiteral("_runs");
    SessionDocument document = window_();
    struct RunFile {
        std::shared_ptr<const Run> run;
        QString file;
    };
    std::vector<RunFile> files;
    std::vector<KeptRun> runs;
    for (const RunRow& row : bench_.runs.rows()) {
        const QString file = QStringLiteral("%1/run-%2.h5").arg(runsFolder).arg(row.number);
        files.push_back({row.run, file});
        runs.push_back({row.number, row.ticked, file.toStdString()});
    }
    // Runs of the project that were not read still belong to it.
    for (const KeptRun& run : document.runs)
        if (!bench_.runs.find(run.number)) runs.push_back(run);
    document.runs = std::move(runs);
    SessionDocument written = document;
    refused_.keepIn(written, needsFile());
    // A project is handed out together with this folder.
    const QString leafOfRuns = files.empty() ? QString() : QFileInfo(runsFolder).fileName();
    const SaveGuard::Names read = bench_.saves.read();
    bench_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("save the project"),
        [written, files, path, runsFolder, read, overwrite, registry = bench_.registry()] {
            // Of all rows: the runs that are saved are among them.
            const io::FilesRead inUse(read);
            inUse.require_not("saving", path.toStdString());
            io::require_writable(path.toStdString(), overwrite);
            const bool isNew = !QFileInfo::exists(runsFolder);
            if (!files.empty() && !QDir().mkpath(runsFolder))
                throw Error(ErrorKind::input, "the folder of the runs cannot be created",
                            runsFolder.toStdString());
            // Does not remove a folder with files in it.
            const auto removeEmpty = qScopeGuard([&] {
                if (isNew) QDir().rmdir(runsFolder);
            });
            Progress quiet;
            for (const RunFile& one : files) {
                inUse.require_not("saving", one.file.toStdString());
                registry->analysis(one.run->request.analysis).keep(*one.run, one.file.toStdString(), quiet);
            }
            io::write_project(
                path.toStdString(),
                projectOf(written, QFileInfo(path).absolutePath().toStdString(), Elsewhere::fromFolder),
                overwrite);
            return 0;
        },
        [this, document, path, leafOfRuns, done](int) {
            take(path);
            document_ = document;
            bench_.saves.setSucceeded();
            emit bench_.messages.said(
                leafOfRuns.isEmpty()
                    ? tr("Saved %1").arg(path)
                    : tr("Saved %1 and its runs in %2/").arg(QFileInfo(path).fileName(), leafOfRuns),
                8000);
            emit saved(path);
            if (done) done();
        },
        [this](const Error& error) {
            bench_.saves.setFailed(error);
            emit bench_.messages.failed(error);
        });
}

bool WindowProject::isSaved(const RunRow& row) const {
    const auto same = [&row](const std::weak_ptr<const Run>& one) {
        const std::shared_ptr<const Run> run = one.lock();
        return run && (run == row.run || (run->started == row.run->started &&
                                          run->wall_nanoseconds == row.run->wall_nanoseconds));
    };
    const bool inProject = document_ && std::ranges::any_of(document_->runs, [&row](const KeptRun& one) {
                               return one.number == row.number;
                           });
    return inProject || std::ranges::any_of(saved_, same);
}

// Masks, bins and geometries of all files that differ from those in the project.
QStringList WindowProject::unsavedOfFiles(const SessionDocument& now) const {
    const auto leaf = [](const std::string& name) {
        return QFileInfo(QString::fromStdString(io::DataName::parse(name).file.string())).fileName();
    };
    QStringList work;
    for (const auto& [place, mask] : now.masks)
        if (!document_ || !holdsMask(*document_, place, mask))
            work << (mask.changed || mask.mask.size() > 0 ? tr("the mask of %1") : tr("the bins drawn on %1"))
                        .arg(leaf(place.file));
    for (const auto& [name, kept] : now.geometries)
        if (!kept.empty() && !(document_ && holds(*document_, {LeftFiles::geometry, name, {kept, {}}})))
            work << tr("the geometry of %1").arg(leaf(name));
    for (const Page* page : bench_.files.pages()) {
        const std::optional<PageState> byHand = page->state(Page::Scope::file);
        const std::shared_ptr<const OpenFile> given = bench_.files.given(*page);
        if (!byHand || !given) continue;
        if (!document_ || !holds(*document_, {page->id().toStdString(), identityOf(*given), *byHand}))
            work << tr("the bins of the %1 page").arg(page->title());
    }
    std::set<std::string> others;
    for (const LeftFiles::Left& left : now.left.all())
        if (!document_ || !holds(*document_, left)) others.insert(left.file);
    if (!others.empty())
        work << counted(others.size(), tr("changes to 1 other file"), tr("changes to %1 other files"));
    return work;
}

QStringList WindowProject::unsavedWork() const {
    const SessionDocument now = window_();
    QStringList work = unsavedOfFiles(now);
    const auto add = [&work](const std::string& name) {
        if (const QString one = QString::fromStdString(name); !work.contains(one)) work << one;
    };
    for (const auto& [name, digest] : now.work) {
        const auto then = document_ ? document_->work.find(name) : now.work.end();
        const auto back = broughtBack_.find(name);
        const bool isSaved = (document_ && then != document_->work.end() && then->second == digest) ||
                             (back != broughtBack_.end() && back->second == digest);
        if (!isSaved) add(name);
    }
    // Other data have a set-up of their own.
    if (document_ && document_->dataName() == now.dataName())
        for (const auto& [name, digest] : document_->work)
            if (!now.work.contains(name)) add(name);
    std::size_t runs = 0;
    for (const RunRow& row : bench_.runs.rows()) runs += isSaved(row) ? 0 : 1;
    if (runs > 0) work << counted(runs, tr("1 run"), tr("%1 runs"));
    return work;
}

}  // namespace ks::ui
