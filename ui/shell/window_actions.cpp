#include "ui/shell/window_actions.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QTabBar>
#include <QToolButton>
#include <QWhatsThis>

#include "core/devices/device_id.h"
#include "ui/base/appearance.h"
#include "ui/base/input/input_rules.h"
#include "ui/base/parameter_form.h"
#include "ui/base/save_folders.h"
#include "ui/files/open_dialog.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/help/window_help.h"
#include "ui/shell/kernel_window.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session/window_session.h"
#include "ui/shell/settings/settings_dialog.h"
#include "ui/shell/side_dock.h"

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
const QKeySequence noKeys;

}  // namespace

WindowActions::WindowActions(MainWindow& window) : QObject(&window), window_(window), menus_(new QMenuBar) {
    for (const std::vector<Row>& some : {fileRows(), viewRows(), runRows()})
        for (const Row& row : some) add(row);
    find("redo")->setShortcuts({Qt::CTRL | Qt::Key_Y, Qt::CTRL | Qt::SHIFT | Qt::Key_Z});
    holdForFields(*find("run"));
    for (const char* id : {"drawer", "sides", "live"}) find(QLatin1String(id))->setCheckable(true);
    QAction* const live = find("live");
    live->setChecked(window_.settings().value(liveKey, true).toBool());
    window_.pageRuns().setLive(live->isChecked());
    connect(live, &QAction::toggled, this, [this](bool on) {
        window_.settings().setValue(liveKey, on);
        window_.pageRuns().setLive(on);
    });
    menus_->setNativeMenuBar(false);
    menus_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    makeMenus();
}

QAction* WindowActions::add(const Row& row) {
    auto* made = new QAction(row.text, &window_);
    made->setObjectName(row.id);
    made->setShortcut(row.keys);
    made->setStatusTip(row.tip);
    made->setToolTip(row.keys.isEmpty() ? row.tip
                                        : row.tip + QStringLiteral(" (%1)").arg(
                                                        row.keys.toString(QKeySequence::NativeText)));
    if (!row.icon.isEmpty()) made->setIcon(QIcon(QStringLiteral(":/icons/%1.svg").arg(row.icon)));
    if (row.slot) connect(made, &QAction::triggered, this, row.slot);
    actions_.insert(row.id, made);
    return made;
}

std::vector<WindowActions::Row> WindowActions::fileRows() {
    return {
        {"open", tr("&Open..."), QKeySequence::Open, tr("Open a file, or several files with one frame each"),
         [this] { askOpen(); }, "open"},
        {"openFolder", tr("Open fo&lder..."), noKeys,
         tr("Open the files of a folder, each with one frame, as a stack"), [this] { askOpenFolder(); }},
        {"openRepeats", tr("Open &repeats..."), noKeys,
         tr("Open several files, or those of a pattern such as scan_*.h5, as repeats of a measurement"),
         [this] { askOpenRepeats(); }},
        {"demo", tr("Open &demo"), Qt::CTRL | Qt::Key_D, tr("Open synthetic data for the page that is shown"),
         [this] { window_.openDemo(); }, "demo"},
        {"new", tr("&New"), QKeySequence::New, tr("Start with an empty window"),
         [this] { emit window_.kept().newWanted(); }},
        {"openProject", tr("Open pro&ject..."), noKeys,
         tr("Open a project: data, geometry, bins, mask, parameters and runs"), [this] { askOpenProject(); }},
        {"saveProject", tr("Save &project"), Qt::CTRL | Qt::SHIFT | Qt::Key_S,
         tr("Save everything that is open as a project"), [this] { window_.kept().project().save(); }},
        {"saveProjectAs", tr("Save project &as..."), noKeys,
         tr("Save everything that is open as a project with another name"),
         [this] { window_.kept().project().saveAs(); }},
        {"save", tr("&Save run..."), QKeySequence::Save,
         tr("Save the newest ticked run of the open file as HDF5"), [this] { window_.saveRun(); }},
        {"csv", tr("Export result as &CSV..."), Qt::CTRL | Qt::SHIFT | Qt::Key_E,
         tr("Write the curves or the table of the newest ticked run of the open file as CSV"),
         [this] { window_.saveCsv(); }},
        {"export", tr("&Export plot..."), Qt::CTRL | Qt::Key_E,
         tr("Export a visible plot as PNG, SVG, PDF or CSV: if possible, the plot that you used last"),
         [this] { window_.exportPlot(); }},
        {"quit", tr("&Quit"), QKeySequence::Quit, tr("Close the window"), [this] { window_.close(); }},
        {"undo", tr("&Undo"), Qt::CTRL | Qt::Key_Z,
         tr("Undo the latest change of mask, bins, geometry, parameters or fit")},
        {"redo", tr("&Redo"), Qt::CTRL | Qt::Key_Y, tr("Redo the change that was last undone")},
        {"history", tr("&History..."), Qt::CTRL | Qt::Key_H, tr("List the changes that can be undone")},
        {"copyRuns", tr("&Copy table of runs"), Qt::CTRL | Qt::SHIFT | Qt::Key_C,
         tr("Copy the table of runs as text"),
         [this] { QGuiApplication::clipboard()->setText(textOf(window_.runs())); }},
        {"dismiss", tr("&Dismiss message"), Qt::CTRL | Qt::Key_Backspace, tr("Hide the error or warning"),
         [this] { window_.errorBar().dismiss(); }},
        {"resetParameters", tr("Restore default &parameters"), noKeys,
         tr("Set every parameter of the page to its default"),
         [this] {
             window_.parameters().reset();
             if (AnalysisPage* const one = window_.analysisPage()) one->resetParameters();
         }},
    };
}

std::vector<WindowActions::Row> WindowActions::viewRows() {
    std::vector<Row> rows{
        {"layout", tr("Restore default &layout"), noKeys, tr("Put docks back in their original places"),
         [this] { window_.restoreDefaultLayout(); }},
        {"pageOnly", tr("Picture &only"), Qt::Key_F9, tr("Hide everything but the picture, or show it again"),
         [this] { showPageOnly(); }},
        {"swap", tr("S&wap picture and plots"), Qt::Key_F8,
         tr("Give the plots the size of the picture, and the picture that of the plots, or undo this"),
         [this] {
             if (Page* const page = window_.page()) page->swapPictureAndDrawer();
             update();
         }},
        {"drawer", tr("&Plots and runs"), Qt::CTRL | Qt::Key_J,
         tr("Show plots, tables and runs next to the picture"),
         [this] {
             if (Page* const page = window_.page()) page->setDrawerOpen(!page->drawerOpen());
             update();
         },
         "drawer"},
        {"sides", tr("&Data and set-up"), Qt::CTRL | Qt::Key_B,
         tr("Show data, set-up and kernels at the right"),
         [this] {
             window_.dock().setVisible(window_.dock().isHidden());
             update();
         },
         "side"},
        {"fullScreen", tr("&Full screen"), Qt::Key_F11, tr("Let the window fill the screen"),
         [this] { window_.isFullScreen() ? window_.showNormal() : window_.showFullScreen(); }},
        {"settings", tr("&Settings..."), Qt::CTRL | Qt::Key_Comma,
         tr("Set the device, memory, threads, kernel cache, theme, and what happens at the start"),
         [this] { window_.help().showSettings(); }},
        {"manual", tr("&Manual"), Qt::Key_F1, tr("Open the manual at the page of this analysis"),
         [this] { window_.help().showManual(); }},
        {"keyboard", tr("&Keyboard"), noKeys,
         tr("All keyboard shortcuts, listed by the part of the window in which they work"),
         [this] { window_.help().showManual(QStringLiteral("keyboard.md")); }},
        {"whatsThis", tr("&What's this?"), Qt::SHIFT | Qt::Key_F1,
         tr("Click a part of the window to see what it is for"), [] { QWhatsThis::enterWhatsThisMode(); }},
        {"tour", tr("&Tour"), noKeys, tr("Five cards that explain the parts of the window"),
         [this] { window_.help().showTour(); }},
        {"about", tr("&About Kernelscope"), noKeys, tr("Version and licence"), [this] { showAbout(); }},
    };
    int key = Qt::Key_1;
    for (const Page* const page : window_.files().pages()) {
        if (key > Qt::Key_9) break;
        rows.push_back({QStringLiteral("page-") + page->id(), page->title(),
                        QKeySequence(Qt::CTRL | static_cast<Qt::Key>(key++)),
                        tr("Show the %1 page").arg(page->title()),
                        [this, id = page->id()] { window_.setPage(id); }});
    }
    return rows;
}

std::vector<WindowActions::Row> WindowActions::runRows() {
    return {
        {"run", tr("&Run"), Qt::Key_F5, tr("Run the chosen variant, after the runs in the queue"),
         [this] { window_.startRun(); }, "run"},
        {"live", tr("&Live"), Qt::CTRL | Qt::Key_L,
         tr("Show a preview while parameters, bins, mask or geometry change")},
        {"cancel", tr("&Cancel"), Qt::Key_Escape,
         tr("Stop the current run; the next run in the queue then starts"), [this] { window_.cancel(); },
         "cancel"},
        {"cancelAll", tr("Cancel &all runs"), Qt::SHIFT | Qt::Key_Escape,
         tr("Stop the current run and empty the queue"), [this] { window_.pageRuns().cancelAll(); }},
        {"untick", tr("&Untick all runs"), noKeys, tr("Show no run"),
         [this] { window_.runs().tickOnly({}); }},
        {"kernels", tr("&Kernels..."), Qt::CTRL | Qt::Key_K,
         tr("Show source, differences and build logs of the chosen variant"),
         [this] { window_.kernels().showKernel(KernelPanel::Tab::source); }},
        {"ceilings", tr("&Measure ceilings"), noKeys,
         tr("Measure the peak rates of the chosen device: memory, arithmetic, launches"),
         [this] {
             if (const DeviceInfo* device = window_.request().device())
                 window_.desk().measureCeilings(*device);
         }},
        {"threads", tr("&Threads..."), noKeys, tr("Limit the compute threads on this computer"),
         [this] {
             window_.help().showSettings();
             window_.help().settings()->focusThreads();
         }},
        {"restart", tr("Restart &worker"), noKeys, tr("Restart the compute process"),
         [this] { window_.worker().restart(); }},
    };
}

QMenu* WindowActions::addMenu(const QString& title, const QStringList& ids) {
    QMenu* const menu = menus_->addMenu(title);
    addActions(*menu, ids);
    return menu;
}

void WindowActions::addActions(QMenu& menu, const QStringList& ids) const {
    for (const QString& id : ids) {
        if (id.isEmpty())
            menu.addSeparator();
        else
            menu.addAction(find(id));
    }
}

void WindowActions::makeMenus() {
    QMenu* const file =
        addMenu(tr("&File"), {"new", "open", "openFolder", "openRepeats", "openProject", "demo"});
    demos_ = file->addMenu(tr("&Further demos"));
    recent_ = file->addMenu(tr("Open recen&t"));
    previous_ = file->addMenu(tr("Pre&vious sessions"));
    previous_->setEnabled(false);
    addActions(*file, {"", "saveProject", "saveProjectAs", "save", "csv", "export"});
    export_ = file->addMenu(tr("E&xport"));
    export_->setObjectName(QStringLiteral("exportPlot"));
    addActions(*file, {"", "quit"});
    connect(file, &QMenu::aboutToShow, this, [this] {
        fillDemos();
        window_.kept().others().look();
    });
    connect(export_, &QMenu::aboutToShow, this, &WindowActions::fillExport);
    connect(&window_.files(), &FileSession::recentChanged, this, &WindowActions::fillRecent);
    fillRecent();

    QMenu* const edit = addMenu(tr("&Edit"), {"undo", "redo", "history", ""});
    for (const Page* one : window_.files().pages()) edit->addActions(one->editActions());
    addActions(*edit, {"", "copyRuns", "dismiss", "", "resetParameters", "settings"});

    QMenu* const view = addMenu(tr("&View"), {});
    for (const Page* one : window_.files().pages())
        if (QAction* show = find(QStringLiteral("page-") + one->id())) view->addAction(show);
    addActions(*view, {"", "drawer", "swap", "sides", "pageOnly", ""});
    fillThemes(*view->addMenu(tr("&Theme")));
    addActions(*view, {"layout", "fullScreen"});

    addMenu(tr("&Run"), {"run", "cancel", "cancelAll", "live", "", "untick"});
    addMenu(tr("&Tools"), {"kernels", "ceilings", "threads", "restart"});
    addMenu(tr("&Help"), {"manual", "keyboard", "whatsThis", "tour", "", "about"});
}

void WindowActions::fillThemes(QMenu& menu) {
    auto* group = new QActionGroup(this);
    const auto addTheme = [&](Appearance one, const QString& text, const QString& tip) {
        QAction* const made = add({QStringLiteral("theme-") + nameOf(one), text, {}, tip, [this, one] {
                                       applyAppearance(*qApp, one);
                                       window_.settings().setValue(QStringLiteral("theme"), nameOf(one));
                                   }});
        made->setCheckable(true);
        made->setChecked(appearance() == one);
        group->addAction(made);
        menu.addAction(made);
    };
    addTheme(Appearance::desktop, tr("&System"), tr("Light or dark, like the desktop"));
    addTheme(Appearance::light, tr("&Light"), tr("Dark text on a light background"));
    addTheme(Appearance::dark, tr("&Dark"), tr("Light text on a dark background"));
}

void WindowActions::fillDemos() {
    demos_->clear();
    const AnalysisPage* const one = window_.analysisPage();
    const std::vector<Demo> demos = one ? one->demos() : std::vector<Demo>();
    for (std::size_t i = 1; i < demos.size(); ++i)  // the first has a menu item of its own
        demos_->addAction(demos[i].title, this, [this, demo = demos[i]] { window_.files().openDemo(demo); });
    demos_->menuAction()->setVisible(!demos_->isEmpty());
}

void WindowActions::fillRecent() {
    recent_->clear();
    for (const QString& name : window_.files().recent())
        recent_->addAction(name, this, [this, name] { window_.open(name); });
    recent_->setEnabled(!recent_->isEmpty());
}

void WindowActions::fillPrevious() {
    previous_->clear();
    WindowSession& kept = window_.kept();
    for (const OtherSession& one : kept.others().all()) {
        QMenu* const session = previous_->addMenu(one.text().replace('&', QStringLiteral("&&")));
        QAction* const opens =
            session->addAction(tr("&Open"), &kept, [&kept, one] { kept.openOther(one.file); });
        opens->setEnabled(one.damaged.isEmpty());
        session->addAction(tr("&Discard"), &kept, [&kept, one] { kept.others().discard(one.file); });
    }
    previous_->setEnabled(!previous_->isEmpty());
}

void WindowActions::fillExport() {
    export_->clear();
    export_->setToolTipsVisible(true);
    for (const NamedPlot& one : window_.exportable()) {
        QAction* const made = export_->addAction(one.title + QStringLiteral("..."), this,
                                                 [this, plot = one.plot] { window_.exportFigure(*plot); });
        const QString why = one.plot->whyEmpty();
        made->setEnabled(why.isEmpty());
        made->setToolTip(why.isEmpty() ? made->text() : why);
        made->setStatusTip(why);
    }
}

QWidget* WindowActions::makeTopRow(QTabBar& tabs, QWidget& devices) {
    auto* row = new QWidget;
    auto* parts = new QHBoxLayout(row);
    parts->setContentsMargins(0, 2, 4, 2);
    parts->addWidget(menus_);
    parts->setSpacing(4);
    const auto button = [&](QLayout* into, const char* id, const QString& text, bool wide = false) {
        QAction* const shown = find(QLatin1String(id));
        shown->setIconText(text);
        auto* made = new QToolButton;
        made->setDefaultAction(shown);
        made->setAutoRaise(true);
        made->setIconSize({16, 16});
        if (wide) wide_.push_back(made);
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
    tabs.setUsesScrollButtons(true);
    parts->addWidget(&tabs, 1);
    parts->addSpacing(8);
    button(parts, "run", tr("Run"), true);
    button(parts, "cancel", tr("Cancel"));
    button(parts, "live", tr("Live"), true);
    parts->addWidget(&devices);
    button(parts, "drawer", {});
    button(parts, "sides", {});
    return row;
}

void WindowActions::setRoomy(bool isRoomy) {
    shortcuts_->setVisible(isRoomy);
    for (QToolButton* one : wide_)
        one->setToolButtonStyle(isRoomy ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

void WindowActions::showPageOnly() {
    Page* const page = window_.page();
    if (!page) return;
    QAction* const only = find("pageOnly");
    QStringList seen;
    if (!window_.dock().isHidden()) seen << QStringLiteral("dock");
    if (page->drawerOpen()) seen << QStringLiteral("drawer");
    const QStringList before = only->data().toStringList();
    const auto shows = [&](const QString& part) {
        return seen.isEmpty() && (before.isEmpty() || before.contains(part));
    };
    window_.dock().setVisible(shows(QStringLiteral("dock")));
    page->setDrawerOpen(shows(QStringLiteral("drawer")));
    only->setData(seen);
    update();
}

void WindowActions::askOpen() {
    const QStringList files =
        OpenDialog::ask(&window_, tr("Open"), folderOfFile(), window_.files().filters());
    if (!files.isEmpty()) window_.open(files);
}

void WindowActions::askOpenFolder() {
    const QString folder = QFileDialog::getExistingDirectory(&window_, tr("Open folder"), folderOfFile());
    if (!folder.isEmpty()) window_.open(folder);
}

void WindowActions::askOpenRepeats() {
    const QStringList files = OpenDialog::ask(&window_, tr("Open repeats: several files, or *.h5"),
                                              folderOfFile(), window_.files().filters());
    if (!files.isEmpty()) window_.openRepeats(files);
}

void WindowActions::askOpenProject() {
    const QString path = QFileDialog::getOpenFileName(
        &window_, tr("Open project"),
        SaveFolders::of(&window_)->folder(QStringLiteral("project"),
                                          window_.file() ? window_.file()->path : QString()),
        tr("Projects (*.ksproj)"));
    if (!path.isEmpty()) window_.open(path);
}

QString WindowActions::folderOfFile() const {
    return window_.file() ? QFileInfo(window_.file()->path).path() : QString();
}

void WindowActions::update() {
    window_.request().showTraits();
    const auto enable = [this](const char* id, bool possible) {
        find(QLatin1String(id))->setEnabled(possible);
    };
    const Page* const page = window_.page();
    const bool startsItself = page && page->startsItself();
    QString lacking;
    // A run waits for a worker that is being restarted: what it can do is known.
    const bool waits =
        !startsItself && !window_.worker().givenUp() && !window_.variants().variant().isEmpty();
    if (!window_.worker().ready() && !waits)
        lacking = tr("The worker is not ready");
    else if (!startsItself && window_.variants().variant().isEmpty())
        lacking = tr("No variant is usable on this device");
    else
        lacking = window_.missing();
    enable("run", lacking.isEmpty() || (window_.worker().ready() &&
                                        (window_.pageRuns().awaits() || window_.pageRuns().reopens())));
    find("run")->setToolTip(!lacking.isEmpty() ? lacking
                            : startsItself     ? tr("Run with the settings on this page (F5)")
                                               : tr("Run the chosen variant (F5)"));
    const AnalysisPage* const analysed = window_.analysisPage();
    enable("demo", analysed && !analysed->demos().empty());
    find("drawer")->setChecked(page && page->drawerOpen());
    find("sides")->setChecked(!window_.dock().isHidden());
    const RunQueue& queue = window_.queue();
    enable("cancel", queue.busy() || queue.previewing() || (analysed && analysed->working()));
    enable("cancelAll", queue.rowCount() > 0);
    const DeviceInfo* const device = window_.request().device();
    const bool measurable = window_.pageRuns().measurable();
    enable("ceilings", measurable && device && !DeviceId(*device).is_host());
    window_.desk().setMeasurable(measurable);
    enable("threads", queue.measurable());  // the worker is restarted
    for (const char* id : {"save", "csv"}) enable(id, window_.runFiles().shownRun() != nullptr);
}

void WindowActions::showAbout() {
    QMessageBox box(QMessageBox::NoIcon, tr("About Kernelscope"),
                    tr("<b>Kernelscope %1</b><p>Detector data side by side with the OpenCL kernels that "
                       "process it.</p><p>GNU General Public License, version 3 or later.</p>")
                        .arg(QApplication::applicationVersion()),
                    QMessageBox::Ok, &window_);
    box.setTextFormat(Qt::RichText);
    box.setIconPixmap(window_.windowIcon().pixmap(64));
    box.exec();
}

}  // namespace ks::ui
