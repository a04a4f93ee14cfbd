// What the window shows of the open file, and what it asks for when one is to be opened or saved.

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QStatusBar>
#include <QTabBar>
#include <vector>

#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/base/save_folders.h"
#include "ui/files/data_panel.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session/window_session.h"

namespace ks::ui {

void MainWindow::connectFiles() {
    connect(&files_, &FileSession::message, statusBar(), &QStatusBar::showMessage);
    connect(&files_, &FileSession::wasRead, this, [this] {
        if (errors_->isVisible()) errors_->dismiss();
    });
    connect(&files_, &FileSession::fileChanged, this, &MainWindow::showFile);
    connect(&files_, &FileSession::pageWanted, this, &MainWindow::setPage);
    connect(&files_, &FileSession::opened, this, [this](const QString& name) {
        if (!file()->faults.empty())
            errors_->showWarning(tr("Part of the geometry is left out: %1")
                                     .arg(QString::fromUtf8(file()->faults.front().error.what())));
        updateActions();
        emit fileOpened(name);
    });
    connect(&files_, &FileSession::runOpened, this, [this](int number, const SavedRun& saved) {
        if (saved.lost)
            errors_->showWarning(tr("Run %1 can be seen, not repeated: %2")
                                     .arg(number)
                                     .arg(QString::fromUtf8(saved.lost->what())));
        emit runOpened(number);
    });
    connect(&files_, &FileSession::notOpened, this, [this](const Error& error) {
        statusBar()->clearMessage();
        showError(error);
        emit openFailed(error);
    });
    connect(&files_, &FileSession::recentChanged, this, &MainWindow::fillRecentMenu);
    connect(&runFiles_, &RunFiles::message, statusBar(), &QStatusBar::showMessage);
    connect(&runFiles_, &RunFiles::runSaved, kept_, &WindowSession::runSaved);
    connect(&runFiles_, &RunFiles::saved, this, &MainWindow::saved);
    connect(&runFiles_, &RunFiles::failed, this, &MainWindow::showError);
}

void MainWindow::keepSession() {
    kept_ = new WindowSession(
        {files_, *request_, runs_, session_, context_, registry_, *settings_, *folders_}, this);
    connect(kept_, &WindowSession::message, statusBar(), &QStatusBar::showMessage);
    connect(kept_, &WindowSession::warned, errors_, &ErrorBar::showWarning);
    connect(kept_, &WindowSession::failed, this, &MainWindow::showError);
    connect(kept_, &WindowSession::pageWanted, this, &MainWindow::setPage);
    connect(kept_, &WindowSession::aboutToWrite, this, &MainWindow::writeSettings);
}

void MainWindow::showFile() {
    live_.reset();
    folders_->setData(file()->path);
    data_->setFile(*file());
    describeFile();
    const std::vector<Page*>& pages = files_.pages();
    for (std::size_t i = 0; i < pages.size(); ++i)
        tabs_->setTabToolTip(static_cast<int>(i),
                             pages[i]->accepts(*file())
                                 ? QString()
                                 : tr("Has no use for %1").arg(QFileInfo(file()->path).fileName()));
}

void MainWindow::describeFile() {
    const OpenFile& shown = *file();
    const QString leaf = QFileInfo(shown.path).fileName();
    setWindowTitle(leaf + QStringLiteral(" \u2013 Kernelscope"));
    if (!shown.frames) {
        const auto bytes = static_cast<std::uint64_t>(QFileInfo(shown.path).size());
        summary_->setText(tr("%1, %2").arg(leaf, formatBytes(bytes)));
        summary_->setToolTip(shown.name);
        return;
    }
    const FrameSource& frames = *shown.frames;
    summary_->setText(tr("%1, %2 \u00d7 %3 %4, %5")
                          .arg(counted(frames.frames(), tr("1 frame"), tr("%1 frames")))
                          .arg(frames.height())
                          .arg(frames.width())
                          .arg(QString::fromLatin1(name_of(frames.type())), formatBytes(frames.bytes())));
    summary_->setToolTip(QString::fromStdString(frames.name()));
}

void MainWindow::fillRecentMenu() {
    recentMenu_->clear();
    const QStringList names = files_.recent();
    for (const QString& name : names) recentMenu_->addAction(name, this, [this, name] { open(name); });
    recentMenu_->setEnabled(!names.isEmpty());
}

void MainWindow::askOpen() {
    const QString folder = file() ? QFileInfo(file()->path).path() : QString();
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open"), folder, files_.filters().join(QStringLiteral(";;")));
    if (!path.isEmpty()) open(path);
}

void MainWindow::askOpenProject() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open project"),
        folders_->folder(QStringLiteral("project"), file() ? file()->path : QString()),
        tr("Projects (*.ksproj)"));
    if (!path.isEmpty()) open(path);
}

QString MainWindow::resultName() const {
    const std::vector<NamedPlot> plots = page() ? page()->plots() : std::vector<NamedPlot>();
    return plots.empty() ? runs_.analysis() : plots.front().fileName();
}

void MainWindow::saveRun(const QString& path, bool overwrite) {
    if (const RunRow* row = runFiles_.newestTicked()) runFiles_.saveRun(*row, path, overwrite);
}

void MainWindow::saveCsv(const QString& path, bool overwrite) {
    if (const RunRow* row = runFiles_.newestTicked())
        runFiles_.saveCsv(*row, resultName() + QStringLiteral(".csv"), path, overwrite);
}

void MainWindow::exportFigure(const ExportablePlot& plot) {
    if (page())
        for (const NamedPlot& named : page()->plots())
            if (named.plot == &plot) return runFiles_.exportPlot(named);
    runFiles_.exportPlot({plot.figureName(), &plot});
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
