#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDesktopServices>
#include <QDockWidget>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabBar>
#include <QToolBar>

#include "core/base/threads.h"
#include "ui/base/parameter_form.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/main_window.h"

namespace ks::ui {

QAction* MainWindow::addAction(const QString& name, const QString& text, const QKeySequence& keys,
                               const QString& tip, const std::function<void()>& slot, const QString& icon) {
    auto* made = new QAction(text, this);
    made->setObjectName(name);
    made->setShortcut(keys);
    made->setStatusTip(tip);
    made->setToolTip(
        keys.isEmpty() ? tip : tip + QStringLiteral(" (%1)").arg(keys.toString(QKeySequence::NativeText)));
    if (!icon.isEmpty()) made->setIcon(QIcon(QStringLiteral(":/icons/%1.svg").arg(icon)));
    connect(made, &QAction::triggered, this, slot);
    actions_.insert(name, made);
    return made;
}

void MainWindow::makeActions() {
    addAction(
        "open", tr("&Open..."), QKeySequence::Open, tr("Open a file"), [this] { askOpen(); }, "open");
    addAction(
        "demo", tr("Open &demo"), QKeySequence(Qt::CTRL | Qt::Key_D),
        tr("Open synthetic data for the page that is shown"), [this] { openDemo(); }, "demo");
    addAction("save", tr("&Save run..."), QKeySequence::Save, tr("Save the newest ticked run as HDF5"),
              [this] { saveRun(); });
    addAction("csv", tr("Export result as &CSV..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
              tr("Write the curves or the table of the newest ticked run as CSV"), [this] { saveCsv(); });
    addAction("export", tr("&Export plot..."), QKeySequence(Qt::CTRL | Qt::Key_E),
              tr("Export a plot as PNG, SVG, PDF or CSV"), [this] {
                  if (Page* current = page(); current && !current->plots().empty())
                      exportPlotOf(current->plots().front());
              });
    addAction("quit", tr("&Quit"), QKeySequence::Quit, tr("Close the window"), [this] { close(); });
    addAction("copyRuns", tr("&Copy table of runs"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
              tr("Copy the table of runs as text"), [this] { copyRuns(); });
    addAction("dismiss", tr("&Dismiss message"), QKeySequence(Qt::CTRL | Qt::Key_Backspace),
              tr("Hide the error or warning"), [this] { errors_->dismiss(); });
    addAction("resetParameters", tr("Restore default &parameters"), {},
              tr("Set every parameter of the page to its default"), [this] {
                  form_->reset();
                  if (shown_) shown_->resetParameters();
              });
    addAction("layout", tr("Restore default &layout"), {}, tr("Put docks back to where they were"),
              [this] { restoreDefaultLayout(); });
    addAction(
        "pageOnly", tr("Page &only"), QKeySequence(Qt::Key_F9),
        tr("Hide the docks to leave the window to the page, and show them again"), [this] {
            // Shown again are those that were seen.
            QAction* only = action("pageOnly");
            QStringList seen;
            for (const QDockWidget* one : docks())
                if (!one->isHidden()) seen << one->objectName();
            const QStringList before = only->data().toStringList();
            for (QDockWidget* one : docks())
                one->setVisible(seen.isEmpty() && (before.isEmpty() || before.contains(one->objectName())));
            only->setData(seen);
        });
    addAction("drawer", tr("&Plots and settings"), QKeySequence(Qt::CTRL | Qt::Key_J),
              tr("Hide what stands below and beside the picture, and show it again"), [this] {
                  if (shown_) shown_->setDrawerOpen(!shown_->drawerOpen());
              });
    addAction("sides", tr("Data and p&arameters"), QKeySequence(Qt::CTRL | Qt::Key_B),
              tr("Hide the docks at both sides, and show them again"), [this] {
                  const bool shown = !dataDock_->isHidden() || !parametersDock_->isHidden();
                  for (QDockWidget* one : {dataDock_, parametersDock_}) one->setVisible(!shown);
              });
    addAction("fullScreen", tr("&Full screen"), QKeySequence(Qt::Key_F11), tr("Fill the screen"), [this] {
        if (isFullScreen())
            showNormal();
        else
            showFullScreen();
    });
    addAction(
        "run", tr("&Run"), QKeySequence(Qt::Key_F5), tr("Run the chosen variant, after those that wait"),
        [this] { startRun(); }, "run");
    addAction("live", tr("&Live"), QKeySequence(Qt::CTRL | Qt::Key_L),
              tr("Show a preview while parameters, bins, mask or geometry are changed"), [this] {
                  live_.stop();
                  if (!action("live")->isChecked() && page()) page()->setPreview(nullptr);
              });
    action("live")->setCheckable(true);
    action("live")->setChecked(true);
    addAction(
        "cancel", tr("&Cancel"), QKeySequence(Qt::Key_Escape),
        tr("Stop the run under way; the next one in the queue goes on"), [this] { cancel(); }, "cancel");
    addAction("cancelAll", tr("Cancel &all runs"), QKeySequence(Qt::SHIFT | Qt::Key_Escape),
              tr("Stop the run under way and empty the queue"), [this] { cancelAll(); });
    addAction("untick", tr("&Untick all runs"), {}, tr("Show no run"), [this] {
        for (const RunRow& row : runs_.ticked()) runs_.setTicked(row.number, false);
    });
    addAction("ceilings", tr("&Measure ceilings"), {},
              tr("Measure what the chosen device can do at most: memory, arithmetic, launches"), [this] {
                  if (const DeviceInfo* device = deviceOfBox()) measureCeilings(*device);
              });
    addAction("threads", tr("&Threads..."), {}, tr("Limit the threads that compute on this computer"),
              [this] { askThreads(); });
    addAction("restart", tr("Restart &worker"), {}, tr("Start the process that computes again"),
              [this] { worker_.restart(); });
    addAction("about", tr("&About Kernelscope"), {}, tr("Version and licence"), [this] { showAbout(); });
}

void MainWindow::makeMenus() {
    QMenu* fileMenu = menuBar()->addMenu(tr("&File"));
    fileMenu->addAction(action("open"));
    fileMenu->addAction(action("demo"));
    recentMenu_ = fileMenu->addMenu(tr("Open &recent"));
    fileMenu->addSeparator();
    fileMenu->addAction(action("save"));
    fileMenu->addAction(action("csv"));
    fileMenu->addAction(action("export"));
    exportMenu_ = fileMenu->addMenu(tr("E&xport"));
    connect(exportMenu_, &QMenu::aboutToShow, this, &MainWindow::fillExportMenu);
    fileMenu->addSeparator();
    fileMenu->addAction(action("quit"));

    QMenu* editMenu = menuBar()->addMenu(tr("&Edit"));
    for (const Page* one : pages_) editMenu->addActions(one->editActions());
    editMenu->addSeparator();
    editMenu->addAction(action("copyRuns"));
    editMenu->addAction(action("dismiss"));
    editMenu->addSeparator();
    editMenu->addAction(action("resetParameters"));

    QMenu* viewMenu = menuBar()->addMenu(tr("&View"));
    for (QDockWidget* one : docks()) viewMenu->addAction(one->toggleViewAction());
    viewMenu->addSeparator();
    viewMenu->addAction(action("drawer"));
    viewMenu->addAction(action("sides"));
    viewMenu->addAction(action("pageOnly"));
    viewMenu->addSeparator();
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
    toolsMenu->addAction(action("ceilings"));
    toolsMenu->addAction(action("threads"));
    toolsMenu->addAction(action("restart"));
    QMenu* helpMenu = menuBar()->addMenu(tr("&Help"));
    helpMenu->addAction(action("about"));
}

void MainWindow::makeToolBar() {
    QToolBar* bar = addToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("mainToolBar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize({16, 16});
    bar->toggleViewAction()->setEnabled(false);
    const auto button = [&](const QString& name, const QString& text) {
        bar->addAction(action(name));
        QWidget* made = bar->widgetForAction(action(name));
        made->setAccessibleName(text);
        action(name)->setIconText(text);
    };
    button("open", tr("Open"));
    button("demo", tr("Demo"));
    bar->addSeparator();
    bar->addWidget(tabs_);
    auto* space = new QWidget;
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    button("run", tr("Run"));
    button("cancel", tr("Cancel"));
    button("live", tr("Live"));
    bar->addSeparator();
    auto* label = new QLabel(tr("Device "));
    devices_ = new QComboBox;
    devices_->setAccessibleName(tr("Device"));
    devices_->setMinimumContentsLength(28);
    devices_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    devices_->addItem(tr("asking the worker"));
    devices_->setEnabled(false);
    label->setBuddy(devices_);
    bar->addWidget(label);
    bar->addWidget(devices_);
    connect(devices_, &QComboBox::currentIndexChanged, this, &MainWindow::showOffers);
}

void MainWindow::fillExportMenu() {
    exportMenu_->clear();
    if (Page* current = page())
        for (const NamedPlot& plot : current->plots())
            exportMenu_->addAction(plot.title + QStringLiteral("..."), this,
                                   [this, plot] { exportPlotOf(plot); });
}

void MainWindow::updateActions() {
    if (actions_.isEmpty()) return;
    showTraits();
    const bool anyRun = newestTicked() != nullptr;
    QString lacking;
    if (!worker_.ready())
        lacking = tr("The worker is not ready");
    else if (variants_->variant().isEmpty())
        lacking = tr("No variant is usable on this device");
    else
        lacking = missing();
    action("run")->setEnabled(lacking.isEmpty());
    action("run")->setToolTip(lacking.isEmpty() ? tr("Run the chosen variant (F5)") : lacking);
    action("demo")->setEnabled(shown_ && shown_->demo());
    action("cancel")->setEnabled(session_.busy() || session_.previewing() || (shown_ && shown_->working()));
    action("cancelAll")->setEnabled(session_.queue().rowCount() > 0);
    const DeviceInfo* device = deviceOfBox();
    const bool measurable = worker_.ready() && !session_.running() && !session_.measuring();
    action("ceilings")->setEnabled(measurable && device && device->backend != "host");
    for (Page* one : pages_) one->setMeasurable(measurable);
    action("threads")->setEnabled(!session_.running() && !session_.measuring());  // the worker starts anew
    action("save")->setEnabled(anyRun);
    action("csv")->setEnabled(anyRun);
}

void MainWindow::askThreads() {
    bool given = false;
    const int threads =
        QInputDialog::getInt(this, tr("Threads"),
                             tr("Threads that compute on this computer (0: one a processor).\n"
                                "The process that computes is started again."),
                             static_cast<int>(thread_limit().value_or(0)), 0, max_threads_asked, 1, &given);
    if (given) setThreads(threads > 0 ? std::optional(static_cast<unsigned>(threads)) : std::nullopt);
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
    QMessageBox::about(
        this, tr("About Kernelscope"),
        tr("<b>Kernelscope %1</b><p>Detector data and the OpenCL kernels that process it, at the same "
           "time.</p><p>GNU General Public License, version 3 or later.</p>")
            .arg(QApplication::applicationVersion()));
}

}  // namespace ks::ui
