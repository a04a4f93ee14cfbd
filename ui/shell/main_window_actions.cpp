#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabBar>
#include <QToolButton>
#include <QWhatsThis>
#include <algorithm>
#include <ranges>

#include "core/base/threads.h"
#include "core/devices/device_id.h"
#include "ui/base/appearance.h"
#include "ui/base/parameter_form.h"
#include "ui/base/save_folders.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/help/window_help.h"
#include "ui/shell/kernel_window.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session/window_session.h"
#include "ui/shell/settings/settings_dialog.h"
#include "ui/shell/window_history.h"

namespace ks::ui {
namespace {

/// Titles and rows, tab-separated.
QString textOf(const RunTableModel& table) {
    QStringList lines;
    const auto line = [&](const auto& cell) {
        QStringList cells;
        for (int column = 0; column < table.columnCount(); ++column) cells << cell(column);
        lines << cells.join('\t');
    };
    line([&](int column) { return table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); });
    for (int row = 0; row < table.rowCount(); ++row)
        line([&](int column) { return table.index(row, column).data().toString(); });
    return lines.join('\n');
}

const QString liveKey = QStringLiteral("live");

}  // namespace

QAction* MainWindow::addAction(const QString& name, const QString& text, const QKeySequence& keys,
                               const QString& tip, const std::function<void()>& slot, const QString& icon) {
    auto* made = new QAction(text, this);
    made->setObjectName(name);
    made->setShortcut(keys);
    made->setStatusTip(tip);
    made->setToolTip(
        keys.isEmpty() ? tip : tip + QStringLiteral(" (%1)").arg(keys.toString(QKeySequence::NativeText)));
    if (!icon.isEmpty()) made->setIcon(QIcon(QStringLiteral(":/icons/%1.svg").arg(icon)));
    if (slot) connect(made, &QAction::triggered, this, slot);
    actions_.insert(name, made);
    return made;
}

void MainWindow::makeActions() {
    addAction(
        "open", tr("&Open..."), QKeySequence::Open, tr("Open a file, or several files with one frame each"),
        [this] { askOpen(); }, "open");
    addAction("openFolder", tr("Open fo&lder..."), {},
              tr("Open the files of a folder, each with one frame, as a stack"), [this] { askOpenFolder(); });
    addAction(
        "demo", tr("Open &demo"), QKeySequence(Qt::CTRL | Qt::Key_D),
        tr("Open synthetic data for the page that is shown"), [this] { files_.openDemo(); }, "demo");
    addAction("new", tr("&New"), QKeySequence::New, tr("Start with an empty window"),
              [this] { emit kept_->newWanted(); });
    addAction("openProject", tr("Open pro&ject..."), {},
              tr("Open a project: data, geometry, bins, mask, parameters and runs"),
              [this] { askOpenProject(); });
    addAction("saveProject", tr("Save &project"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
              tr("Save everything that is open as a project"), [this] { kept_->saveProject(); });
    addAction("saveProjectAs", tr("Save project &as..."), {},
              tr("Save everything that is open under another name"), [this] { kept_->saveProjectAs(); });
    addAction("save", tr("&Save run..."), QKeySequence::Save, tr("Save the newest ticked run as HDF5"),
              [this] { saveRun(); });
    addAction("csv", tr("Export result as &CSV..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
              tr("Write the curves or the table of the newest ticked run as CSV"), [this] { saveCsv(); });
    addAction("export", tr("&Export plot..."), QKeySequence(Qt::CTRL | Qt::Key_E),
              tr("Export the most recently used plot as PNG, SVG, PDF or CSV"), [this] { exportPlot(); });
    addAction("quit", tr("&Quit"), QKeySequence::Quit, tr("Close the window"), [this] { close(); });
    addAction("undo", tr("&Undo"), QKeySequence(Qt::CTRL | Qt::Key_Z),
              tr("Undo the latest change of mask, bins, geometry or parameters"));
    addAction("redo", tr("&Redo"), QKeySequence(Qt::CTRL | Qt::Key_Y),
              tr("Redo the change that was undone last"));
    action("redo")->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_Y), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)});
    addAction("history", tr("&History..."), QKeySequence(Qt::CTRL | Qt::Key_H),
              tr("List the changes that can be undone"), [this] { steps_->showList(); });
    addAction("copyRuns", tr("&Copy table of runs"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
              tr("Copy the table of runs as text"),
              [this] { QGuiApplication::clipboard()->setText(textOf(runs_)); });
    addAction("dismiss", tr("&Dismiss message"), QKeySequence(Qt::CTRL | Qt::Key_Backspace),
              tr("Hide the error or warning"), [this] { errors_->dismiss(); });
    addAction("resetParameters", tr("Restore default &parameters"), {},
              tr("Set every parameter of the page to its default"), [this] {
                  parameters().reset();
                  if (AnalysisPage* const one = analysisPage()) one->resetParameters();
              });
    addAction("layout", tr("Restore default &layout"), {}, tr("Put docks back in their original places"),
              [this] { restoreDefaultLayout(); });
    addAction("pageOnly", tr("Picture &only"), QKeySequence(Qt::Key_F9),
              tr("Hide everything but the picture, or show it again"), [this] { showPageOnly(); });
    addAction(
        "drawer", tr("&Plots and runs"), QKeySequence(Qt::CTRL | Qt::Key_J),
        tr("Show plots, tables and runs next to the picture"),
        [this] {
            if (page()) page()->setDrawerOpen(!page()->drawerOpen());
            updateActions();
        },
        "drawer");
    addAction(
        "sides", tr("&Data and set-up"), QKeySequence(Qt::CTRL | Qt::Key_B),
        tr("Show data, set-up and kernels at the right"),
        [this] {
            dock_->setVisible(dock_->isHidden());
            updateActions();
        },
        "side");
    for (const char* name : {"drawer", "sides"}) action(QLatin1String(name))->setCheckable(true);
    const std::vector<Page*>& pages = files_.pages();
    for (std::size_t i = 0; i < pages.size() && i < 9; ++i)
        addAction(QStringLiteral("page-") + pages[i]->id(), pages[i]->title(),
                  QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)),
                  tr("Show the page %1").arg(pages[i]->title()),
                  [this, i] { tabs_->setCurrentIndex(static_cast<int>(i)); });
    addAction("fullScreen", tr("&Full screen"), QKeySequence(Qt::Key_F11), tr("Fill the screen"), [this] {
        if (isFullScreen())
            showNormal();
        else
            showFullScreen();
    });
    addAction(
        "run", tr("&Run"), QKeySequence(Qt::Key_F5),
        tr("Run the chosen variant, after the runs in the queue"), [this] { startRun(); }, "run");
    addAction("live", tr("&Live"), QKeySequence(Qt::CTRL | Qt::Key_L),
              tr("Preview while parameters, bins, mask or geometry are changed"), {});
    action("live")->setCheckable(true);
    action("live")->setChecked(settings_->value(liveKey, true).toBool());
    pageRuns_.setLive(action("live")->isChecked());
    connect(action("live"), &QAction::toggled, this, [this](bool on) {
        settings_->setValue(liveKey, on);
        pageRuns_.setLive(on);
    });
    addAction(
        "cancel", tr("&Cancel"), QKeySequence(Qt::Key_Escape),
        tr("Stop the current run; the next one in the queue continues"), [this] { cancel(); }, "cancel");
    addAction("cancelAll", tr("Cancel &all runs"), QKeySequence(Qt::SHIFT | Qt::Key_Escape),
              tr("Stop the current run and empty the queue"), [this] { pageRuns_.cancelAll(); });
    addAction("untick", tr("&Untick all runs"), {}, tr("Show no run"), [this] {
        for (const RunRow& row : runs_.ticked()) runs_.setTicked(row.number, false);
    });
    addAction("kernels", tr("&Kernels..."), QKeySequence(Qt::CTRL | Qt::Key_K),
              tr("Show source, differences and build logs of the chosen variant"),
              [this] { kernels().showKernel(KernelPanel::Tab::source); });
    addAction("ceilings", tr("&Measure ceilings"), {},
              tr("Measure the peak rates of the chosen device: memory, arithmetic, launches"), [this] {
                  if (const DeviceInfo* device = request_->device()) pageRuns_.measureCeilings(*device);
              });
    addAction("threads", tr("&Threads..."), {}, tr("Limit the compute threads on this computer"), [this] {
        help_->showSettings();
        help_->settings()->focusThreads();
    });
    addAction("restart", tr("Restart &worker"), {}, tr("Restart the compute process"),
              [this] { worker_.restart(); });
    addAction("settings", tr("&Settings..."), QKeySequence(Qt::CTRL | Qt::Key_Comma),
              tr("Device, memory, threads, kernel cache, theme and start"),
              [this] { help_->showSettings(); });
    addAction("manual", tr("&Manual"), QKeySequence(Qt::Key_F1),
              tr("Open the manual at the page of this analysis"), [this] { help_->showManual(); });
    addAction("keyboard", tr("&Keyboard"), {}, tr("All keys, by place"),
              [this] { help_->showManual(QStringLiteral("keyboard.md")); });
    addAction("whatsThis", tr("&What's this?"), QKeySequence(Qt::SHIFT | Qt::Key_F1),
              tr("Click a part of the window to see what it is for"),
              [] { QWhatsThis::enterWhatsThisMode(); });
    addAction("tour", tr("&Tour"), {}, tr("Five cards that explain the parts of the window"),
              [this] { help_->showTour(); });
    addAction("about", tr("&About Kernelscope"), {}, tr("Version and licence"), [this] { showAbout(); });
}

void MainWindow::fillDemoMenu() {
    demoMenu_->clear();
    if (const AnalysisPage* const one = analysisPage())
        for (const Demo& demo : one->demos() | std::views::drop(1))
            demoMenu_->addAction(demo.title, this, [this, demo] { files_.openDemo(demo); });
    demoMenu_->menuAction()->setVisible(!demoMenu_->isEmpty());
}

void MainWindow::makeMenus() {
    QMenu* fileMenu = menuBar()->addMenu(tr("&File"));
    fileMenu->addAction(action("new"));
    fileMenu->addAction(action("open"));
    fileMenu->addAction(action("openFolder"));
    fileMenu->addAction(action("openProject"));
    fileMenu->addAction(action("demo"));
    demoMenu_ = fileMenu->addMenu(tr("&Further demos"));
    connect(fileMenu, &QMenu::aboutToShow, this, &MainWindow::fillDemoMenu);
    recentMenu_ = fileMenu->addMenu(tr("Open &recent"));
    beforeMenu_ = fileMenu->addMenu(tr("Pre&vious sessions"));
    beforeMenu_->setEnabled(false);
    connect(fileMenu, &QMenu::aboutToShow, this, [this] { kept_->lookForOthers(); });
    fileMenu->addSeparator();
    fileMenu->addAction(action("saveProject"));
    fileMenu->addAction(action("saveProjectAs"));
    fileMenu->addAction(action("save"));
    fileMenu->addAction(action("csv"));
    fileMenu->addAction(action("export"));
    exportMenu_ = fileMenu->addMenu(tr("E&xport"));
    connect(exportMenu_, &QMenu::aboutToShow, this, &MainWindow::fillExportMenu);
    fileMenu->addSeparator();
    fileMenu->addAction(action("quit"));

    QMenu* editMenu = menuBar()->addMenu(tr("&Edit"));
    for (const char* name : {"undo", "redo", "history"}) editMenu->addAction(action(QLatin1String(name)));
    editMenu->addSeparator();
    for (const Page* one : files_.pages()) editMenu->addActions(one->editActions());
    editMenu->addSeparator();
    editMenu->addAction(action("copyRuns"));
    editMenu->addAction(action("dismiss"));
    editMenu->addSeparator();
    editMenu->addAction(action("resetParameters"));
    editMenu->addAction(action("settings"));

    QMenu* viewMenu = menuBar()->addMenu(tr("&View"));
    for (const Page* one : files_.pages())
        if (QAction* show = action(QStringLiteral("page-") + one->id())) viewMenu->addAction(show);
    viewMenu->addSeparator();
    viewMenu->addAction(action("drawer"));
    viewMenu->addAction(action("sides"));
    viewMenu->addAction(action("pageOnly"));
    viewMenu->addSeparator();
    fillThemeMenu(*viewMenu->addMenu(tr("&Theme")));
    viewMenu->addAction(action("layout"));
    viewMenu->addAction(action("fullScreen"));

    QMenu* runMenu = menuBar()->addMenu(tr("&Run"));
    runMenu->addAction(action("run"));
    runMenu->addAction(action("cancel"));
    runMenu->addAction(action("cancelAll"));
    runMenu->addAction(action("live"));
    runMenu->addSeparator();
    runMenu->addAction(action("untick"));

    QMenu* toolsMenu = menuBar()->addMenu(tr("&Tools"));
    toolsMenu->addAction(action("kernels"));
    toolsMenu->addAction(action("ceilings"));
    toolsMenu->addAction(action("threads"));
    toolsMenu->addAction(action("restart"));
    QMenu* helpMenu = menuBar()->addMenu(tr("&Help"));
    for (const char* name : {"manual", "keyboard", "whatsThis", "tour"})
        helpMenu->addAction(action(QLatin1String(name)));
    helpMenu->addSeparator();
    helpMenu->addAction(action("about"));
}

void MainWindow::fillThemeMenu(QMenu& menu) {
    auto* group = new QActionGroup(this);
    const auto add = [&](Appearance one, const QString& text, const QString& tip) {
        QAction* made =
            addAction(QStringLiteral("theme-") + nameOf(one), text, {}, tip, [this, one] { setTheme(one); });
        made->setCheckable(true);
        made->setChecked(appearance() == one);
        group->addAction(made);
        menu.addAction(made);
    };
    add(Appearance::desktop, tr("&System"), tr("Light or dark, like the desktop"));
    add(Appearance::light, tr("&Light"), tr("Dark text on a light background"));
    add(Appearance::dark, tr("&Dark"), tr("Light text on a dark background"));
}

void MainWindow::setTheme(Appearance theme) {
    applyAppearance(*qApp, theme);
    settings_->setValue(QStringLiteral("theme"), nameOf(theme));
    action(QStringLiteral("theme-") + nameOf(theme))->setChecked(true);
}

// Menus, page tabs and run controls share one row: the height belongs to the picture.
void MainWindow::makeTopRow() {
    auto* row = new QWidget;
    auto* parts = new QHBoxLayout(row);
    parts->setContentsMargins(0, 2, 4, 2);
    menus_ = new QMenuBar;
    menus_->setNativeMenuBar(false);
    menus_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    parts->addWidget(menus_);
    parts->setSpacing(4);
    const auto button = [&](QLayout* into, const char* name, const QString& text, bool wide = false) {
        QAction* const shown = action(QLatin1String(name));
        shown->setIconText(text);
        auto* made = new QToolButton;
        made->setDefaultAction(shown);
        made->setAutoRaise(true);
        made->setIconSize({16, 16});
        const bool iconOnly = text.isEmpty() || !wide;
        made->setToolButtonStyle(iconOnly ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
        made->setAccessibleName(text.isEmpty() ? shown->text().remove('&') : text);
        into->addWidget(made);
    };
    shortcuts_ = new QWidget;
    auto* shortcuts = new QHBoxLayout(shortcuts_);
    shortcuts->setContentsMargins(0, 0, 8, 0);
    shortcuts->setSpacing(4);
    button(shortcuts, "open", tr("Open"));
    button(shortcuts, "demo", tr("Demo"));
    parts->addWidget(shortcuts_);
    tabs_->setUsesScrollButtons(true);
    parts->addWidget(tabs_, 1);
    parts->addSpacing(8);
    button(parts, "run", tr("Run"), true);
    button(parts, "cancel", tr("Cancel"));
    button(parts, "live", tr("Live"), true);
    parts->addWidget(&devices());
    button(parts, "drawer", {});
    button(parts, "sides", {});
    setMenuWidget(row);
}

void MainWindow::showPageOnly() {
    if (!page()) return;
    QAction* const only = action(QStringLiteral("pageOnly"));
    QStringList seen;
    if (!dock_->isHidden()) seen << QStringLiteral("dock");
    if (page()->drawerOpen()) seen << QStringLiteral("drawer");
    const QStringList before = only->data().toStringList();
    const auto shows = [&](const QString& part) {
        return seen.isEmpty() && (before.isEmpty() || before.contains(part));
    };
    dock_->setVisible(shows(QStringLiteral("dock")));
    page()->setDrawerOpen(shows(QStringLiteral("drawer")));
    only->setData(seen);
    updateActions();
}

void MainWindow::fillRecentMenu() {
    recentMenu_->clear();
    const QStringList names = files_.recent();
    for (const QString& name : names) recentMenu_->addAction(name, this, [this, name] { open(name); });
    recentMenu_->setEnabled(!names.isEmpty());
}

void MainWindow::fillBeforeMenu() {
    beforeMenu_->clear();
    for (const OtherSession& one : kept_->others()) {
        QMenu* const session = beforeMenu_->addMenu(one.text().replace('&', QStringLiteral("&&")));
        QAction* const opens =
            session->addAction(tr("&Open"), this, [this, one] { kept_->openOther(one.file); });
        opens->setEnabled(one.damaged.isEmpty());
        session->addAction(tr("&Discard"), this, [this, one] { kept_->discardOther(one.file); });
    }
    beforeMenu_->setEnabled(!beforeMenu_->isEmpty());
}

void MainWindow::askOpen() {
    const QString folder = file() ? QFileInfo(file()->path).path() : QString();
    const QStringList files =
        QFileDialog::getOpenFileNames(this, tr("Open"), folder, files_.filters().join(QStringLiteral(";;")));
    if (!files.isEmpty()) open(files);
}

void MainWindow::askOpenFolder() {
    const QString before = file() ? QFileInfo(file()->path).path() : QString();
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open folder"), before);
    if (!folder.isEmpty()) open(folder);
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
    if (const RunRow* row = runFiles_.newestTicked())
        runFiles_.saveRun(*row, pageRuns_.exported(*row), path, overwrite);
}

void MainWindow::saveCsv(const QString& path, bool overwrite) {
    if (const RunRow* row = runFiles_.newestTicked())
        runFiles_.saveCsv(*row, pageRuns_.exported(*row), resultName(), path, overwrite);
}

std::vector<NamedPlot> MainWindow::exportable() const {
    std::vector<NamedPlot> plots = page() ? page()->plots() : std::vector<NamedPlot>();
    if (stages_) plots.push_back({tr("Stages of the ticked runs"), &stages_->timing(), {}});
    return plots;
}

void MainWindow::exportFigure(const ExportablePlot& plot) {
    std::vector<NamedPlot> plots = exportable();
    auto chosen = std::ranges::find(plots, &plot, &NamedPlot::plot);
    if (chosen == plots.end()) chosen = plots.insert(chosen, {plot.figureName(), &plot, {}});
    const auto index = static_cast<std::size_t>(chosen - plots.begin());
    runFiles_.exportPlot(plots, index);
}

void MainWindow::exportPlot() {
    const std::vector<NamedPlot> plots = exportable();
    if (plots.empty()) return;
    const auto used = std::ranges::find(plots, usedPlot_, &NamedPlot::plot);
    exportFigure(*(used == plots.end() ? plots.front() : *used).plot);
}

void MainWindow::fillExportMenu() {
    exportMenu_->clear();
    for (const NamedPlot& one : exportable())
        exportMenu_->addAction(one.title + QStringLiteral("..."), this,
                               [this, plot = one.plot] { exportFigure(*plot); });
}

void MainWindow::updateActions() {
    if (actions_.isEmpty()) return;
    request_->showTraits();
    const bool anyRun = runFiles_.newestTicked() != nullptr;
    QString lacking;
    if (!worker_.ready())
        lacking = tr("The worker is not ready");
    else if (!(page() && page()->startsItself()) && variants().variant().isEmpty())
        lacking = tr("No variant is usable on this device");
    else
        lacking = missing();
    action("run")->setEnabled(lacking.isEmpty());
    action("run")->setToolTip(lacking.isEmpty() ? page() && page()->startsItself()
                                                      ? tr("Run what the page requests (F5)")
                                                      : tr("Run the chosen variant (F5)")
                                                : lacking);
    const AnalysisPage* const analysed = analysisPage();
    action("demo")->setEnabled(analysed && !analysed->demos().empty());
    action("drawer")->setChecked(page() && page()->drawerOpen());
    action("sides")->setChecked(!dock_->isHidden());
    action("cancel")->setEnabled(queue_.busy() || queue_.previewing() || (analysed && analysed->working()));
    action("cancelAll")->setEnabled(queue_.rowCount() > 0);
    const DeviceInfo* device = request_->device();
    const bool measurable = pageRuns_.measurable();
    action("ceilings")->setEnabled(measurable && device && !DeviceId(*device).is_host());
    context_.desk->setMeasurable(measurable);
    action("threads")->setEnabled(queue_.measurable());  // the worker is restarted
    action("save")->setEnabled(anyRun);
    action("csv")->setEnabled(anyRun);
}

void MainWindow::setThreads(std::optional<unsigned> threads) {
    if (threads == thread_limit()) return;
    limit_threads(threads);
    jobs_.limitThreads();
    if (threads)
        settings_->setValue(QStringLiteral("threads"), *threads);
    else
        settings_->remove(QStringLiteral("threads"));
    worker_.restart();
}

void MainWindow::showAbout() {
    QMessageBox box(
        QMessageBox::NoIcon, tr("About Kernelscope"),
        tr("<b>Kernelscope %1</b><p>Detector data and the OpenCL kernels that process it, at the same "
           "time.</p><p>GNU General Public License, version 3 or later.</p>")
            .arg(QApplication::applicationVersion()),
        QMessageBox::Ok, this);
    box.setTextFormat(Qt::RichText);
    box.setIconPixmap(windowIcon().pixmap(64));
    box.exec();
}

}  // namespace ks::ui
