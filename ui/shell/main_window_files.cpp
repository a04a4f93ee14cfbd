#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTabBar>
#include <algorithm>
#include <map>
#include <string>
#include <variant>

#include "core/base/progress.h"
#include "core/input/input_files.h"
#include "core/io/files/data_name.h"
#include "core/record/project_file.h"
#include "core/record/run_record.h"
#include "core/record/saved_run.h"
#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/base/save_folders.h"
#include "ui/files/data_panel.h"
#include "ui/plots/export_dialog.h"
#include "ui/shell/demo.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session/window_session.h"

namespace ks::ui {
namespace {

constexpr int maxRecent = 10;
const QString recentKey = QStringLiteral("recentFiles");

/// The file is a project.
struct ProjectName {};

/// With inputs named where they are now, so that it can be repeated; else why it cannot be.
SavedRun readRun(const Registry& registry, const std::filesystem::path& file) {
    Run run = open_run(registry, file);
    SavedRun saved;
    try {
        const CheckMode check = run.request.check;
        run.request = repeated_request(registry, run, file, {});
        run.request.check = check;
    } catch (const Error& error) {
        saved.lost = error;
    }
    saved.run = std::make_shared<const Run>(std::move(run));
    return saved;
}

}  // namespace

void MainWindow::open(const QString& name) {
    statusBar()->showMessage(tr("Opening %1").arg(name));
    if (name.endsWith(QStringLiteral(".ksproj"))) return kept_->openProject(name);
    using Content = std::variant<SavedRun, OpenFile, ProjectName>;
    jobs_.start(
        Jobs::Lane::files, QStringLiteral("open"),
        [name, registry = registry_]() -> Content {
            const io::DataName data = io::DataName::parse(name.toStdString());
            if (data.object.empty() && io::is_project(data.file)) return ProjectName();
            if (data.object.empty() && io::holds_run(data.file)) return readRun(*registry, data.file);
            return openAnyFile(name);
        },
        [this, name](Content content) {
            if (auto* file = std::get_if<OpenFile>(&content))
                opened(std::move(*file));
            else if (std::holds_alternative<ProjectName>(content))
                kept_->openProject(name);
            else
                openedRun(name, std::get<SavedRun>(content));
        },
        [this](const Error& error) { notOpened(error); });
}

void MainWindow::openedRun(const QString& path, const SavedRun& saved) {
    statusBar()->clearMessage();
    if (errors_->isVisible()) errors_->dismiss();
    remember(path);
    const Request& request = saved.run->request;
    setPage(QString::fromStdString(request.analysis));
    const int number = runs_.addRun(saved.run, false);
    kept_->runSaved(saved.run);
    statusBar()->showMessage(tr("%1 is run %2").arg(QFileInfo(path).fileName()).arg(number), 15000);
    const std::vector<InputSpec>& inputs = registry_->analysis(request.analysis).info().inputs;
    const auto data = inputs.empty() ? request.inputs.end() : request.inputs.find(inputs.front().role);
    if (saved.lost) {
        errors_->showWarning(tr("Run %1 can be seen, not repeated: %2")
                                 .arg(number)
                                 .arg(QString::fromUtf8(saved.lost->what())));
    } else if (data != request.inputs.end() && !data->second.values &&
               (!file_ || !runs_.isOfFile(*runs_.find(number)))) {
        open(QString::fromStdString(data->second.name));
    }
    emit runOpened(number);
}

void MainWindow::notOpened(const Error& error) {
    statusBar()->clearMessage();
    kept_->fileNotOpened();
    showError(error);
    emit openFailed(error);
}

void MainWindow::opened(OpenFile file) {
    Page* const taker = pageFor(file);
    if (!taker)
        return notOpened(file.noFrames.value_or(
            Error(ErrorKind::input, "no page can use this file", file.name.toStdString())));
    const std::function<std::any()> reader = taker->reader(file);
    if (!reader) return take(std::move(file), *taker);
    jobs_.start(
        Jobs::Lane::files, QStringLiteral("open"), reader,
        [this, file, taker](const std::any& content) {
            OpenFile whole = file;
            whole.content = content;
            take(std::move(whole), *taker);
        },
        [this](const Error& error) { notOpened(error); });
}

void MainWindow::take(OpenFile file, Page& taker) {
    statusBar()->clearMessage();
    if (errors_->isVisible()) errors_->dismiss();
    // What was done to other data cannot be taken back here.
    if (file_ && file_->name != file.name) history().clear();
    kept_->fileOpens(file);
    setFile(std::make_shared<const OpenFile>(std::move(file)));
    live_.reset();
    setPage(taker.analysis());
    giveFile(taker);
    remember(file_->name);
    if (!file_->faults.empty()) {
        const Error& fault = file_->faults.front().error;
        errors_->showWarning(tr("Part of the geometry is left out: %1").arg(QString::fromUtf8(fault.what())));
    }
    updateActions();
    emit fileOpened(file_->name);
}

void MainWindow::setFile(std::shared_ptr<const OpenFile> file) {
    file_ = std::move(file);
    folders_->setData(file_->path);
    runs_.setFile(file_->path);
    data_->setFile(*file_);
    describeFile();
    markPages();
}

void MainWindow::takeFileOf(const Page& page) {
    if (!file_ || page.accepts(*file_)) return;
    std::shared_ptr<const OpenFile> own = given_.value(&page);
    for (const Page* one : pages_)
        if (!own && given_.contains(one) && page.accepts(*given_.value(one))) own = given_.value(one);
    if (own) setFile(own);
}

void MainWindow::describeFile() {
    const QString leaf = QFileInfo(file_->path).fileName();
    setWindowTitle(leaf + QStringLiteral(" \u2013 Kernelscope"));
    if (!file_->frames) {
        const auto bytes = static_cast<std::uint64_t>(QFileInfo(file_->path).size());
        summary_->setText(tr("%1, %2").arg(leaf, formatBytes(bytes)));
        summary_->setToolTip(file_->name);
        return;
    }
    const FrameSource& frames = *file_->frames;
    summary_->setText(tr("%1, %2 \u00d7 %3 %4, %5")
                          .arg(counted(frames.frames(), tr("1 frame"), tr("%1 frames")))
                          .arg(frames.height())
                          .arg(frames.width())
                          .arg(QString::fromLatin1(name_of(frames.type())), formatBytes(frames.bytes())));
    summary_->setToolTip(QString::fromStdString(frames.name()));
}

void MainWindow::markPages() {
    for (std::size_t i = 0; i < pages_.size(); ++i)
        tabs_->setTabToolTip(static_cast<int>(i),
                             pages_[i]->accepts(*file_)
                                 ? QString()
                                 : tr("Has no use for %1").arg(QFileInfo(file_->path).fileName()));
}

void MainWindow::giveFile(Page& page) {
    // A hidden page waits for it: reading and binning for all of them would hold up the one in sight.
    if (!file_ || given_.value(&page) == file_ || !page.accepts(*file_)) return;
    given_[&page] = file_;
    const History::Quiet quiet(history());
    kept_->fileComes(page);
    page.setFile(file_);
    kept_->fileGiven(page);
}

Page* MainWindow::pageFor(const OpenFile& file) const {
    const auto wanted = std::ranges::find(pages_, kept_->wantedPage(), &Page::analysis);
    if (wanted != pages_.end() && (*wanted)->accepts(file)) return *wanted;
    const auto preferring =
        std::find_if(pages_.begin(), pages_.end(), [&](const Page* one) { return one->prefers(file); });
    if (preferring != pages_.end()) return *preferring;
    if (shown_ && shown_->accepts(file)) return shown_;
    const auto at =
        std::find_if(pages_.begin(), pages_.end(), [&](const Page* one) { return one->accepts(file); });
    return at == pages_.end() ? nullptr : *at;
}

void MainWindow::openDemo() {
    const std::optional<Demo> demo = shown_ ? shown_->demo() : std::nullopt;
    if (!demo) return;
    statusBar()->showMessage(tr("Making the demo data"));
    jobs_.start(
        Jobs::Lane::general, QStringLiteral("demo"),
        [registry = registry_, analysis = shown_->analysis(), made = *demo] {
            return demoFile(*registry, analysis, made);
        },
        [this](const QString& path) { open(path); });
}

QStringList MainWindow::recentFiles() const {
    return settings_->value(recentKey).toStringList();
}

void MainWindow::remember(const QString& name) {
    QStringList names = recentFiles();
    names.removeAll(name);
    names.prepend(name);
    while (names.size() > maxRecent) names.removeLast();
    settings_->setValue(recentKey, names);
    fillRecentMenu();
}

void MainWindow::fillRecentMenu() {
    recentMenu_->clear();
    const QStringList names = recentFiles();
    for (const QString& name : names) recentMenu_->addAction(name, this, [this, name] { open(name); });
    recentMenu_->setEnabled(!names.isEmpty());
}

void MainWindow::askOpen() {
    const QString folder = file_ ? QFileInfo(file_->path).path() : QString();
    QStringList filters = shown_ ? shown_->fileFilters() : QStringList();
    for (const Page* one : pages_) filters << one->fileFilters();
    filters << tr("Projects (*.ksproj)") << tr("All files (*)");
    filters.removeDuplicates();
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open"), folder, filters.join(QStringLiteral(";;")));
    if (!path.isEmpty()) open(path);
}

std::shared_ptr<const Run> MainWindow::newestTicked() const {
    const std::vector<RunRow> ticked = runs_.ticked(runs_.analysis());
    return ticked.empty() ? nullptr : ticked.front().run;
}

QString MainWindow::resultName() const {
    const std::vector<NamedPlot> plots = shown_ ? shown_->plots() : std::vector<NamedPlot>();
    return plots.empty() ? runs_.analysis() : plots.front().fileName();
}

QString MainWindow::askSave(const QString& kind, const QString& title, const QString& leaf,
                            const QString& filter) {
    const QString path = QFileDialog::getSaveFileName(this, title, folders_->proposal(kind, leaf), filter);
    if (!path.isEmpty()) folders_->remember(kind, path);
    return path;
}

template <class Save>
void MainWindow::saveInJob(const QString& path, Save save, const std::function<void()>& done) {
    jobs_.start(
        Jobs::Lane::general, QStringLiteral("save ") + path,
        [path, save] {
            save(std::filesystem::path(path.toStdString()));
            return path;
        },
        [this, done](const QString& written) {
            if (done) done();
            statusBar()->showMessage(tr("Saved %1").arg(written), 8000);
            emit saved(written);
        });
}

void MainWindow::saveRun(const QString& path, bool overwrite) {
    if (const std::shared_ptr<const Run> run = newestTicked()) save(run, path, overwrite);
}

void MainWindow::saveRunOf(int number) {
    if (const RunRow* row = runs_.find(number)) save(row->run, {}, false);
}

void MainWindow::save(const std::shared_ptr<const Run>& run, const QString& path, bool overwrite) {
    // The dialog has asked before it names a file that exists.
    const QString out =
        path.isEmpty() ? askSave(QStringLiteral("run"), tr("Save run"),
                                 QStringLiteral("%1.h5").arg(QString::fromStdString(run->request.analysis)),
                                 tr("HDF5 (*.h5)"))
                       : path;
    if (out.isEmpty()) return;
    saveInJob(
        out,
        [run, registry = registry_, replace = overwrite || path.isEmpty()](const std::filesystem::path& to) {
            Progress quiet;
            io::require_not_read("saving", to, run->request);
            registry->analysis(run->request.analysis).save(*run, to, replace, quiet);
        },
        [this, run] { kept_->runSaved(run); });
}

void MainWindow::saveCsv(const QString& path, bool overwrite) {
    const std::shared_ptr<const Run> run = newestTicked();
    if (!run) return;
    const QString out = path.isEmpty() ? askSave(QStringLiteral("csv"), tr("Export result"),
                                                 resultName() + QStringLiteral(".csv"), tr("CSV (*.csv)"))
                                       : path;
    if (out.isEmpty()) return;
    saveInJob(out, [run, registry = registry_,
                    replace = overwrite || path.isEmpty()](const std::filesystem::path& to) {
        Progress quiet;
        io::require_not_read("saving", to, run->request);
        registry->analysis(run->request.analysis).save_csv(*run, to, replace, quiet);
    });
}

FigureFile MainWindow::figureFile(const NamedPlot& plot) const {
    FigureFile made;
    made.proposal = folders_->proposal(QStringLiteral("figure"), plot.fileName());
    made.text.title = plot.title;
    if (file_) {
        made.read["the open file"] = file_->path.toStdString();
        made.text.files << QFileInfo(file_->path).fileName();
    }
    const auto once = [](QStringList& all, const QString& one) {
        if (!one.isEmpty() && !all.contains(one)) all << one;
    };
    for (const RunRow& row : runs_.ticked(runs_.analysis())) {
        made.text.runs << QString::number(row.number);
        once(made.text.variants, QString::fromStdString(row.run->variant.id));
        once(made.text.devices, QString::fromStdString(row.run->device.name));
        once(made.text.drivers, QString::fromStdString(row.run->device.driver));
        for (const QString& file : row.files) once(made.text.files, QFileInfo(file).fileName());
    }
    return made;
}

void MainWindow::exportPlotOf(const NamedPlot& plot) {
    try {
        ExportDialog dialog(*plot.plot, figureFile(plot), settings_.get(), this);
        dialog.exec();
        if (dialog.written().isEmpty()) return;
        folders_->remember(QStringLiteral("figure"), dialog.written());
        statusBar()->showMessage(tr("Saved %1").arg(dialog.written()), 8000);
    } catch (const Error& error) {
        showError(error);
    }
}

void MainWindow::exportFigure(const ExportablePlot& plot) {
    if (shown_)
        for (const NamedPlot& named : shown_->plots())
            if (named.plot == &plot) return exportPlotOf(named);
    exportPlotOf({plot.figureName(), &plot});
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) {
            event->acceptProposedAction();
            return;
        }
}

void MainWindow::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) {
            event->acceptProposedAction();
            open(url.toLocalFile());
            return;
        }
}

}  // namespace ks::ui
