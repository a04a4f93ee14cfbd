#include "ui/shell/main_window.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QCloseEvent>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/base/threads.h"
#include "core/io/series/series.h"
#include "core/run/user/user_variant_folder.h"
#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/form_parts.h"
#include "ui/base/palette.h"
#include "ui/base/parameter_form.h"
#include "ui/base/save_folders.h"
#include "ui/files/data_panel.h"
#include "ui/image/mask/session_mask.h"
#include "ui/kernels/user_kernels.h"
#include "ui/runs/queue_panel.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/stages_panel.h"
#include "ui/runs/user_variants_watch.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/busy_bar.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/general/general_page.h"
#include "ui/shell/help/window_help.h"
#include "ui/shell/kernel_window.h"
#include "ui/shell/page_stack.h"
#include "ui/shell/queue_button.h"
#include "ui/shell/session/notice_bar.h"
#include "ui/shell/session/opened_run.h"
#include "ui/shell/session/page_settings.h"
#include "ui/shell/session/sound_settings.h"
#include "ui/shell/session/window_session.h"
#include "ui/shell/settings/kernel_limit.h"
#include "ui/shell/warm_start.h"
#include "ui/shell/window_history.h"

// The resources are in a static library: without this the linker drops them. The macro must be in the global
// namespace.
static void useResources() {
    Q_INIT_RESOURCE(kernelscope);
}

namespace ks::ui {
namespace {

constexpr int dockWidth = 260;
constexpr QSize leastSize(840, 500);  ///< fits a screen of 1920 x 1080 at 200 %
QString purposeOf(const Page& page, const Registry& registry) {
    if (!page.whatsThis().isEmpty()) return page.whatsThis();
    QStringList all;
    for (const QString& id : page.analyses()) {
        const AnalysisInfo& info = registry.analysis(id.toStdString()).info();
        all << QString::fromStdString(page.analyses().size() == 1 ? info.description : info.title);
    }
    return page.analyses().size() == 1 ? all.front() : MainWindow::tr("Analyses: %1").arg(all.join(", "));
}

const QString drawerBesideKey = QStringLiteral("drawerBeside"),
              drawerBelowKey = QStringLiteral("drawerBelow");

std::optional<double> keptShare(const QSettings& settings, const QString& key) {
    const double share = settings.value(key).toDouble();
    return share > 0 && share < 1 ? std::optional(share) : std::nullopt;
}

void keepShare(QSettings& settings, const QString& key, const std::optional<double>& share) {
    if (share)
        settings.setValue(key, *share);
    else
        settings.remove(key);
}

enum SideTab { dataTab, setUpTab, kernelTab };
/// Of the layout written by saveState(): one with another number is not restored.
constexpr int layoutVersion = 2;

QVBoxLayout* formRows(QWidget* content) {
    auto* rows = new QVBoxLayout(content);
    rows->setContentsMargins(6, 8, 6, 8);
    rows->setSpacing(16);
    return rows;
}

QWidget* titled(const QString& title, const QString& what, QWidget* content) {
    auto* box = new QWidget;
    auto* rows = new QVBoxLayout(box);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(8);
    rows->addWidget(heading(title, what));
    rows->addWidget(content);
    return box;
}

const QString missingNotice = QStringLiteral("missing frames"),
              changedNotice = QStringLiteral("changed on disk");

struct Missing {
    std::size_t frames = 0, looked = 0;
};

/// Frames without values in the file, among the first ones, as many as can be examined in a second.
Missing missingOf(const FrameSource& source) {
    constexpr qint64 longest = 1000;
    QElapsedTimer since;
    since.start();
    Missing found;
    for (; found.looked < source.frames() && !since.hasExpired(longest); ++found.looked)
        found.frames += source.written(found.looked) ? 0 : 1;
    return found;
}

/// "500 frames, 201 × 241 u8, 24 MB"; name and size of a file without frames.
QString summaryOf(const OpenFile& file) {
    if (!file.frames) {
        const QFileInfo info(file.path);
        return MainWindow::tr("%1, %2").arg(info.fileName(),
                                            formatBytes(static_cast<std::uint64_t>(info.size())));
    }
    const FrameSource& frames = *file.frames;
    const QString stack =
        MainWindow::tr("%1, %2 \u00d7 %3 %4, %5")
            .arg(counted(frames.frames(), MainWindow::tr("1 frame"), MainWindow::tr("%1 frames")))
            .arg(frames.height())
            .arg(frames.width())
            .arg(QString::fromLatin1(name_of(frames.type())), formatBytes(frames.bytes()));
    return file.isSeries ? MainWindow::tr("%1: %2").arg(file.title, stack) : stack;
}

}  // namespace

MainWindow::MainWindow(std::unique_ptr<QSettings> settings, QWidget* parent)
    : MainWindow(std::move(settings), collectedPages(), std::make_shared<const Registry>(), parent) {}

MainWindow::MainWindow(std::unique_ptr<QSettings> settings, const std::vector<MakePage>& pages,
                       std::shared_ptr<const Registry> registry, QWidget* parent)
    : QMainWindow(parent),
      settings_(soundSettings(std::move(settings), &damagedSettings_)),
      folders_(new SaveFolders(*settings_, this)),
      registry_(std::move(registry)),
      queue_(worker_, runs_),
      context_{jobs_, registry_},
      files_(context_, registry_, *settings_, runs_),
      runFiles_(jobs_, registry_, runs_, files_, *folders_, *settings_, this),
      request_(new RequestForm(*settings_, *context_.desk, this)),
      pageRuns_({worker_, queue_, runs_, *request_, files_, jobs_, *context_.desk}) {
    useResources();
    files_.trust() = trustDialogs(this);
    runs_.setRegistry(registry_);
    runs_.setFormerText([this](const Run& run) { return request_->kernelChanged(run); });
    setWindowTitle(tr("Kernelscope"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/kernelscope.svg")));
    setAcceptDrops(true);
    setMinimumSize(leastSize);
    makePages(pages);
    makeDock();
    makeStatusBar();
    makeActions();
    makeTopRow();
    makeMenus();
    connectParts();
    keepSession();
    connectFiles();
    help_ = new WindowHelp(*this);
    restoreDefaultLayout();
    readSettings();
    showPage(tabs_->currentIndex());
    updateActions();
    if (!damagedSettings_.isEmpty())
        errors_->showWarning(tr("The settings were damaged and have been reset; the old ones are in %1")
                                 .arg(damagedSettings_));
    history().clear();
    worker_.setKernelLimit(kernelLimit(*settings_));
    worker_.start();
}

// The views are deleted before the models and jobs that they use, which are members.
MainWindow::~MainWindow() {
    jobs_.hurry();
    delete steps_;
    delete openedRun_;
    delete kept_;
    delete help_;
    delete kernels_;
    delete takeCentralWidget();
    delete dock_;
    delete table_;
    delete stages_;
}

void MainWindow::makePages(const std::vector<MakePage>& pages) {
    auto* middle = new QWidget(this);
    auto* rows = new QVBoxLayout(middle);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    errors_ = new ErrorBar(middle);
    notices_ = new NoticeBar(middle);
    centre_ = new PageStack(middle);
    rows->addWidget(centre_, 1);
    rows->addWidget(notices_);  // below: nothing under the cursor moves down
    setCentralWidget(middle);
    std::vector<Page*> made;
    made.reserve(pages.size());
    for (const MakePage& make : pages) made.push_back(make(context_).release());
    QStringList have;
    for (const Page* one : made) have += one->analyses();
    for (std::unique_ptr<Page>& one : generalPages(context_, have)) made.push_back(one.release());
    std::ranges::stable_sort(made, {}, &Page::order);
    files_.setPages(made);
    tabs_ = new QTabBar(this);
    tabs_->setAccessibleName(tr("Pages"));
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    for (Page* page : made) {
        centre_->addPage(page);
        tabs_->setTabWhatsThis(tabs_->addTab(page->title()), purposeOf(*page, *registry_));
        connectPage(page);
    }
}

void MainWindow::connectPage(Page* page) {
    pageRuns_.follow(*page);
    // The result of a hidden page's job is not for the visible page.
    connect(page, &Page::analysisChanged, this, [this, page] {
        if (page == this->page()) showPage(tabs_->currentIndex());
    });
    if (const AnalysisPage* const role = files_.analysisPage(*page))
        connect(role, &AnalysisPage::demoRequested, this, [this, page] {
            if (page == this->page()) files_.openDemo();
        });
    connect(page, &Page::cursorMoved, this, [this, page](const QString& text) {
        if (page == this->page()) cursor_->setText(text);
    });
    connect(page, &Page::hint, this, [this, page](const QString& text) {
        if (page == this->page()) hint_->setWhole(text);
    });
    connect(page, &Page::runElsewhereWanted, this, &MainWindow::runElsewhere);
    connect(page, &Page::placeWanted, this, &MainWindow::showResultPlace);
    connect(page, &Page::dataWanted, &files_, &FileSession::giveTo);
    connect(page, &Page::failed, this, &MainWindow::showError);
    connect(page, &Page::mended, errors_, qOverload<const Error&>(&ErrorBar::leave));
}

void MainWindow::runElsewhere(const Request& wanted) {
    const QString analysis = QString::fromStdString(wanted.analysis);
    RequestForm::Choices choices = request_->choices(analysis);
    for (const auto& [id, value] : wanted.parameters) choices.parameters[id] = value;
    choices.variant = QString::fromStdString(wanted.variant);
    if (!setPage(analysis)) return;
    request_->wantDevice(QString::fromStdString(wanted.device));
    request_->setChoices(analysis, choices);
    if (AnalysisPage* const one = analysisPage()) one->apply(wanted.parameters);
    if (const QString lacking = missing(); !lacking.isEmpty())
        return statusBar()->showMessage(tr("%1 is chosen; to run it: %2").arg(choices.variant, lacking),
                                        15000);
    startRun();
}

void MainWindow::showResultPlace(const QString& analysis, const VerdictPlace& place) {
    const bool there = setPage(analysis) && analysisPage() && analysisPage()->showPlace(place);
    raise();
    activateWindow();
    if (!there)
        statusBar()->showMessage(
            tr("The page has other data or another result now: this place does not exist there"), 15000);
}

void MainWindow::proposeMeasurement(const Measurement& wanted) {
    const std::vector<Page*>& pages = files_.pages();
    const auto takes = std::ranges::find_if(pages, [&](Page* one) { return one->propose(wanted); });
    if (takes == pages.end()) return;
    setPage((*takes)->id());
    raise();
    activateWindow();
}

void MainWindow::makeDock() {
    data_ = new DataPanel;
    summary_ = new QLabel(tr("No data"));
    summary_->setAccessibleName(tr("Open data"));
    summary_->setWordWrap(true);
    summary_->setWhatsThis(tr("The open file: type of its frames or tables"));
    data_->addHeader(summary_);

    auto* setup = new QWidget;
    QVBoxLayout* rows = formRows(setup);
    inputs_ = new QWidget;
    inputs_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    // Not a stack, which would take the height of its tallest page for all pages.
    auto* inputRows = new QVBoxLayout(inputs_);
    inputRows->setContentsMargins(0, 0, 0, 0);
    rows->addWidget(inputs_);
    rows->addWidget(titled(tr("Parameters"), tr("Settings of the next run, in addition to its inputs"),
                           &request_->parameters()));
    rows->addStretch(1);

    auto* kernel = new QWidget;
    QVBoxLayout* kernelRows = formRows(kernel);
    kernelRows->addWidget(titled(
        tr("Variant"), tr("The kernel that computes: each variant reaches the same result in another way"),
        &request_->variants()));
    auto* source = new QPushButton(tr("Show source"));
    source->setToolTip(tr("Show source, differences and build logs of the chosen variant"));
    connect(source, &QPushButton::clicked, this, [this] { kernels().showKernel(KernelPanel::Tab::source); });
    auto* edit = new QPushButton(tr("Edit a copy"));
    edit->setToolTip(tr("Copy the kernel of the chosen variant and edit the copy"));
    connect(edit, &QPushButton::clicked, this, [this] { kernels().editCopy(); });
    auto* both = new QHBoxLayout;
    both->addWidget(source);
    both->addWidget(edit);
    kernelRows->addLayout(both);
    kernelRows->addWidget(titled(tr("Device"), tr("Device that runs the kernels"), &request_->deviceText()));
    kernelRows->addStretch(1);

    side_ = new QTabWidget;
    side_->setObjectName(QStringLiteral("side"));
    side_->setDocumentMode(true);
    side_->setAccessibleName(tr("Data and set-up"));
    side_->addTab(data_, tr("Data"));
    side_->addTab(scrolled(setup, tr("Set-up")), tr("Set-up"));
    side_->addTab(scrolled(kernel, tr("Kernel")), tr("Kernel"));
    side_->tabBar()->setTabWhatsThis(
        dataTab, tr("Contents of the open file, its geometry, and the data derived from it"));
    side_->tabBar()->setTabWhatsThis(setUpTab, tr("The inputs and parameters of the next run"));
    side_->tabBar()->setTabWhatsThis(kernelTab,
                                     tr("The variants of the kernel, and the device that they run on"));
    side_->setCurrentIndex(setUpTab);
    side_->setMinimumWidth(dockWidth);  // forms are cut off, or wrap, below this width
    dock_ = new QDockWidget(tr("Data and set-up"), this);
    dock_->setObjectName(QStringLiteral("sideDock"));
    dock_->setAccessibleName(tr("Data and set-up"));
    dock_->setFeatures(QDockWidget::DockWidgetClosable);
    dock_->setTitleBarWidget(new QWidget);  // its tabs are self-explanatory
    dock_->setWidget(side_);

    table_ = new RunsPanel(runs_);
    stages_ = new StagesPanel(runs_);
    for (Page* page : files_.pages()) {
        if (QWidget* widget = page->dataWidget()) data_->addPageWidget(widget);
        if (QWidget* widget = page->inputWidget()) inputRows->addWidget(widget);
    }
}

void MainWindow::makeStatusBar() {
    cursor_ = new QLabel;
    cursor_->setAccessibleName(tr("Position of the cursor"));
    cursor_->setMinimumWidth(
        fontMetrics().horizontalAdvance(QStringLiteral("x 1200  y 1200  I 65535  q 0.01234 1/A")));
    hint_ = new ElidedLabel;
    hint_->setAccessibleName(tr("Hint for the tool"));
    hint_->setForegroundRole(QPalette::PlaceholderText);
    stage_ = new QLabel;
    stage_->setAccessibleName(tr("Stage of the job"));
    progress_ = new BusyBar;
    progress_->setAccessibleName(tr("Progress"));
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setFixedWidth(160);
    progress_->setMaximumHeight(fontMetrics().height());
    cursor_->setWhatsThis(tr("Values under the cursor in the picture or plot, with units"));
    hint_->setWhatsThis(tr("How to use the current tool"));
    stage_->setWhatsThis(tr("Current activity, and the time left if known"));
    progress_->setWhatsThis(tr("Progress of the job. A moving block means that the duration is unknown"));
    statusBar()->addWidget(cursor_);
    statusBar()->addWidget(hint_, 1);
    // The drawer, which shows the same mark, may be folded, or wider than the window.
    mark_ = new QLabel;
    mark_->setAccessibleName(tr("Whether the result matches the current inputs"));
    mark_->setWhatsThis(
        tr("The result was computed with other inputs, parameters, variant or device than the current ones"));
    mark_->hide();
    statusBar()->addPermanentWidget(mark_);
    connect(&pageRuns_, &PageRuns::marked, this, [this](const QString& shorter, const QString& whole) {
        mark_->setText(shorter);
        mark_->setToolTip(whole);
        mark_->setVisible(!shorter.isEmpty());
    });
    statusBar()->addPermanentWidget(stage_);
    statusBar()->addPermanentWidget(progress_);
    progress_->hide();
    queueButton_ = new QueueButton(queue_);
    statusBar()->addPermanentWidget(queueButton_);
    // The same height with and without bar and button: nothing above moves when a run begins or has to wait.
    queueButton_->setMaximumHeight(fontMetrics().height() + 4);
    statusBar()->setFixedHeight(fontMetrics().height() + 8);
}

void MainWindow::connectParts() {
    connect(&jobs_, &Jobs::failed, this, &MainWindow::showError);
    connect(&jobs_, &Jobs::runningChanged, this, [this](int running) {
        if (queue_.busy()) return;
        progress_->setRange(0, running > 0 ? 0 : 1000);
        progress_->setVisible(running > 0);
    });
    connect(&jobs_, &Jobs::hdf5Hangs, this, [this](const QString& file) {
        notices_->put(
            {QStringLiteral("hdf5"),
             tr("HDF5 hangs in %1: no other HDF5 file can be read or written until Kernelscope is restarted.")
                     .arg(file.isEmpty() ? tr("a file") : QFileInfo(file).fileName()) +
                 (kept_->kept() ? tr(" The session is kept.") : QString()),
             {{tr("Restart"), [this] { emit newStartWanted(); }}}});
    });
    connect(&worker_, &WorkerClient::workerRestarted, this,
            [this](const QString& reason) { errors_->showWarning(capitalised(reason)); });
    connect(&worker_, &WorkerClient::workerGivenUp, this, [this](const Error& error) {
        request_->deviceText().setText(tr("no worker"));
        showError(error);
    });
    connect(&queue_, &RunQueue::busyChanged, this, &MainWindow::showBusy);
    connect(&queue_, &RunQueue::progress, this, [this](double fraction, const QString& stage) {
        // An early stage, such as building kernels, shows as busy: its duration is unknown.
        progress_->setRange(0, fraction > 0 ? 1000 : 0);
        progress_->setValue(static_cast<int>(1000 * fraction));
        // After the kernels are built the run itself continues.
        stage_->setText(stage == QStringLiteral("run") ? told_ : timeLeft_.text(fraction, stage));
    });
    connectRuns();
    warmStart_ = new WarmStart(files_, *request_, queue_, worker_, this);
    const QString variants = QString::fromStdString(user_variants_folder().string());
    connect(new UserVariantsWatch(variants, this), &UserVariantsWatch::changed, &worker_,
            &WorkerClient::refreshOffers);
    steps_ = new WindowHistory(history(), files_, parameters(), *action(QStringLiteral("undo")),
                               *action(QStringLiteral("redo")), *this);
    connect(steps_, &WindowHistory::pageWanted, this, &MainWindow::setPage);
    connect(request_, &RequestForm::filled, steps_, &WindowHistory::settleForm);
    connect(data_, &DataPanel::objectChosen, this, [this](const QString& path, bool frames) {
        if (frames)
            open(path.isEmpty() ? file()->path : file()->path + QStringLiteral("::") + path);
        else if (files_.pageAccepts())
            page()->useObject(path);
    });
    connect(tabs_, &QTabBar::currentChanged, this, &MainWindow::showPage);
}

void MainWindow::connectRuns() {
    connect(&pageRuns_, &PageRuns::changed, this, &MainWindow::updateActions);
    connect(&pageRuns_, &PageRuns::starts, errors_, &ErrorBar::dismiss);
    connect(&pageRuns_, &PageRuns::message, statusBar(), &QStatusBar::showMessage);
    connect(&pageRuns_, &PageRuns::warned, errors_, &ErrorBar::showWarning);
    connect(&pageRuns_, &PageRuns::failed, this, &MainWindow::showError);
    connect(&pageRuns_, &PageRuns::previewFailed, errors_,
            [this](const Error& error) { errors_->showError(error, ErrorBar::Of::preview); });
    connect(&pageRuns_, &PageRuns::previewPassed, errors_, [this] { errors_->leave(ErrorBar::Of::preview); });
    connect(&pageRuns_, &PageRuns::repeated, this, &MainWindow::repeated);
    connect(&queuePanel(), &QueuePanel::cancelAllRequested, &pageRuns_, &PageRuns::cancelAll);
    connect(&queue_, &RunQueue::changed, this, &MainWindow::updateActions);
    connect(table_, &RunsPanel::checkFullyRequested, &queue_, [this](int number) {
        queue_.add(QueuedCheck{number, CheckMode::full});
    });
    connect(table_, &RunsPanel::repeatRequested, &pageRuns_, &PageRuns::repeat);
    connect(table_, &RunsPanel::placeRequested, this, [this](int number) {
        if (const RunRow* row = runs_.find(number))
            showResultPlace(QString::fromStdString(row->run->request.analysis), row->run->verdict.place);
    });
    connect(table_, &RunsPanel::removed, this, [this](const std::vector<RunRow>& rows) {
        QList<int> numbers;
        for (const RunRow& row : rows) numbers << row.number;
        history().add({tr("removal of %1").arg(RunsPanel::runsText(numbers)),
                       &runs_,
                       {},
                       [this, rows] {
                           for (const RunRow& row : rows) runs_.bringBack(row.run, row.number, row.ticked);
                       },
                       [this, numbers] {
                           for (const int number : numbers) runs_.removeRun(number);
                       },
                       true});
    });
    connect(table_, &RunsPanel::saveRequested, this, [this](int number) {
        if (const RunRow* row = runs_.find(number)) runFiles_.saveRun(*row, pageRuns_.exported(*row));
    });
}

void MainWindow::connectFiles() {
    connect(&files_, &FileSession::message, statusBar(), &QStatusBar::showMessage);
    connect(&files_, &FileSession::wasRead, this, [this] {
        if (errors_->isVisible()) errors_->dismiss();
    });
    connect(&files_, &FileSession::fileChanged, this, &MainWindow::showFile);
    connect(&files_, &FileSession::changedOnDisk, this, &MainWindow::showChanged);
    connect(&files_, &FileSession::pageWanted, this, &MainWindow::setPage);
    connect(&files_, &FileSession::opened, this, [this](const QString& name) {
        if (!file()->faults.empty())
            errors_->showWarning(tr("Part of the geometry is ignored: %1")
                                     .arg(QString::fromUtf8(file()->faults.front().error.what())));
        updateActions();
        lookForMissing();
        emit fileOpened(name);
    });
    connect(&files_, &FileSession::runOpened, this, [this](int number, const SavedRun& saved) {
        if (saved.lost)
            errors_->showWarning(tr("Run %1 can be viewed, but not repeated: %2")
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
    connect(&runFiles_, &RunFiles::warned, errors_, &ErrorBar::showWarning);
    runFiles_.setPreviewed([this] { return pageRuns_.showsPreview(); });
    connect(&runFiles_, &RunFiles::runSaved, kept_, &WindowSession::runSaved);
    connect(&runFiles_, &RunFiles::saved, this, &MainWindow::saved);
    connect(&runFiles_, &RunFiles::failed, this, &MainWindow::showError);
}

void MainWindow::keepSession() {
    kept_ = new WindowSession({files_, *request_, runs_, queue_, context_, registry_, *settings_, *folders_},
                              this);
    connect(kept_, &WindowSession::message, statusBar(), &QStatusBar::showMessage);
    connect(kept_, &WindowSession::warned, errors_, &ErrorBar::showWarning);
    connect(kept_, &WindowSession::noticed, notices_, &NoticeBar::put);
    connect(kept_, &WindowSession::noticeEnded, notices_, &NoticeBar::remove);
    connect(kept_, &WindowSession::kernelWanted, this, &MainWindow::showKeptKernel);
    connect(kept_, &WindowSession::kernelsFolderChanged, this, [this] {
        if (kernels_) kernels_->panel().userKernels().setDraftsFolder(kept_->kernelsFolder());
    });
    kept_->setKernelTexts([this] {
        return kernels_ ? kernels_->panel().userKernels().keepTexts() : std::vector<KernelDrafts::Draft>();
    });
    connect(kept_, &WindowSession::othersChanged, this, &MainWindow::fillBeforeMenu);
    connect(kept_, &WindowSession::failed, this, &MainWindow::showError);
    openedRun_ = new OpenedRun(
        files_, *request_, runs_, context_, registry_,
        [this](const QString& gone) { return kept_->questions().whereIs(gone); }, this);
    connect(openedRun_, &OpenedRun::message, statusBar(), &QStatusBar::showMessage);
    connect(openedRun_, &OpenedRun::noticed, notices_, &NoticeBar::put);
    connect(openedRun_, &OpenedRun::noticeEnded, notices_, &NoticeBar::remove);
    connect(openedRun_, &OpenedRun::failed, this, &MainWindow::showError);
    connect(kept_, &WindowSession::pageWanted, this, &MainWindow::setPage);
    connect(kept_, &WindowSession::aboutToWrite, this, &MainWindow::writeSettings);
    connect(kept_, &WindowSession::broughtBack, &pageRuns_, &PageRuns::catchUp);
    connect(context_.mask.get(), &SessionMask::settled, &pageRuns_, &PageRuns::catchUp);
}

void MainWindow::lookForMissing() {
    const std::shared_ptr<FrameSource> frames = file()->frames;
    if (!frames) return;
    jobs_.start(
        Jobs::Lane::files, this, missingNotice, [frames] { return missingOf(*frames); },
        [this, frames](const Missing& found) {
            if (!file() || file()->frames != frames || found.frames == 0) return;
            const bool all = found.looked == frames->frames();
            notices_->put({missingNotice,
                           (all ? tr("%1 of %2 frames have no data in the file")
                                : tr("%1 of the first %2 frames have no data in the file"))
                               .arg(found.frames)
                               .arg(found.looked),
                           {},
                           [] {}});
        },
        [](const Error&) {});  // whoever needs the frames reports what is wrong with them
}

void MainWindow::showChanged(const QString& changed) {
    const QString leaf = QFileInfo(changed).fileName();
    if (!QFileInfo::exists(changed))
        return notices_->put(
            {changedNotice,
             tr("%1 no longer exists on disk; the display shows its earlier contents").arg(leaf),
             {},
             [] {}});
    notices_->put(
        {changedNotice,
         tr("%1 changed on disk since it was opened; the display shows its earlier contents").arg(leaf),
         {{tr("Reopen"), [this] { files_.reopen(); }}},
         [] {}});
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) files_.changedFile();
}

void MainWindow::showFile() {
    notices_->remove(missingNotice);
    notices_->remove(changedNotice);
    live().reset();
    if (!file()) {
        setWindowTitle(QStringLiteral("Kernelscope"));
        data_->clear();
        summary_->clear();
        summary_->setToolTip({});
        for (int i = 0; i < tabs_->count(); ++i) tabs_->setTabToolTip(i, {});
        return;
    }
    const OpenFile& shown = *file();
    folders_->setData(shown.path);
    setWindowTitle(shown.title + QStringLiteral(" \u2013 Kernelscope"));
    data_->setFile(shown);
    summary_->setText(summaryOf(shown));
    summary_->setToolTip(shown.frames ? QString::fromStdString(shown.frames->name()) : shown.name);
    const std::vector<Page*>& pages = files_.pages();
    for (std::size_t i = 0; i < pages.size(); ++i)
        tabs_->setTabToolTip(static_cast<int>(i),
                             pages[i]->accepts(shown) ? QString() : tr("Cannot use %1").arg(shown.title));
}

void MainWindow::showPage(int index) {
    if (index < 0) return;
    live().reset();
    if (page()) page()->drawer().returnShared();
    Page& shown = *files_.pages()[static_cast<std::size_t>(index)];
    if (page() && page() != &shown) errors_->leavePage();
    files_.setPage(shown);
    history().setPlace(&shown);
    const bool runs = !shown.analysis().isEmpty();
    if (runs)
        shown.drawer().setShared(
            {{tr("Runs"), table_, false, tr("All runs: ticked ones are drawn, and compared in Stages")},
             {tr("Stages"), stages_, true, tr("The times of the stages of the ticked runs")}});
    showSideTabs(runs);
    placeDock(shown);
    centre_->showPage(&shown);
    cursor_->clear();
    hint_->setWhole({});
    for (Page* one : files_.pages()) {
        for (QAction* action : one->editActions()) action->setVisible(one == &shown);
        if (QWidget* widget = one->inputWidget()) widget->setVisible(one == &shown);
    }
    data_->showPageWidget(shown.dataWidget());
    inputs_->setVisible(shown.inputWidget() != nullptr);
    // Before the page gets its file, so that its requests use its own parameters.
    request_->setPage(files_.analysisPage());
    files_.giveToPage();
    kept_->pageShown(shown);
    runs_.setAnalysis(shown.analysis());
    pageRuns_.show();
}

void MainWindow::placeDock(const Page& shown) {
    if (shown.startsItself()) {
        dockAway_ = dockAway_ || !dock_->isHidden();
        dock_->hide();
    } else if (std::exchange(dockAway_, false)) {
        dock_->show();
    }
}

void MainWindow::showSideTabs(bool runs) {
    if (!runs && !sideTab_) sideTab_ = side_->currentIndex();
    for (const int tab : {setUpTab, kernelTab}) side_->setTabVisible(tab, runs);
    if (runs && sideTab_) side_->setCurrentIndex(*std::exchange(sideTab_, std::nullopt));
}

KernelWindow& MainWindow::kernels() {
    if (!kernels_) {
        kernels_ = new KernelWindow({worker_, queue_, runs_, *request_, files_, jobs_, *context_.desk},
                                    pageRuns_, this);
        UserKernels& own = kernels_->panel().userKernels();
        connect(&own, &UserKernels::draftTaken, kept_, &WindowSession::kernelShown);
        connect(&own, &UserKernels::keepingChanged, notices_, [this](const QString& sentence) {
            const QString id = QStringLiteral("kernel texts");
            if (sentence.isEmpty()) return notices_->remove(id);
            notices_->put(
                {id, sentence, {{tr("Show"), [this] { kernels().showKernel(KernelPanel::Tab::edit); }}}});
        });
        own.setDraftsFolder(kept_->kernelsFolder());
        connect(kernels_, &KernelWindow::failed, this, &MainWindow::showError);
        connect(kernels_, &KernelWindow::trialFailed, this, [this](const Error& error, bool seen) {
            if (error.kind() == ErrorKind::cancelled) return showError(error);
            // The kernel window already shows it.
            if (seen) return errors_->leave(ErrorBar::Of::trial);
            errors_->showError(error, ErrorBar::Of::trial);
        });
        connect(kernels_, &KernelWindow::trialPassed, errors_,
                [this] { errors_->leave(ErrorBar::Of::trial); });
        connect(kernels_, &KernelWindow::resultPlaceWanted, this, &MainWindow::showResultPlace);
        connect(kernels_, &KernelWindow::measurementWanted, this, &MainWindow::proposeMeasurement);
        connect(kernels_, &KernelWindow::manualWanted, this,
                [this] { help_->showManual(QStringLiteral("tutorial/kernels.md")); });
    }
    return *kernels_;
}

void MainWindow::showKeptKernel(const QString& analysis, const QString& file) {
    if (!setPage(analysis))
        return showError(Error(ErrorKind::input, "no page has an analysis " + analysis.toStdString(),
                               file.toStdString(), "move the kernel into the folder of an analysis"));
    kernels().showKernel(KernelPanel::Tab::edit);
    kernels().panel().userKernels().openFile(file);
}

QueuePanel& MainWindow::queuePanel() {
    return queueButton_->panel();
}

bool MainWindow::setPage(const QString& analysis) {
    const std::vector<Page*>& pages = files_.pages();
    const auto found = std::ranges::find_if(pages, [&](const Page* one) {
        return !analysis.isEmpty() && (one->analyses().contains(analysis) || one->id() == analysis);
    });
    if (found == pages.end()) return false;
    tabs_->setCurrentIndex(static_cast<int>(found - pages.begin()));
    (*found)->choose(analysis);
    return true;
}

QStringList MainWindow::pageIds() const {
    QStringList ids;
    for (const Page* one : files_.pages()) ids << one->id();
    return ids;
}

void MainWindow::showBusy(bool busy, const QString& what) {
    progress_->setRange(0, busy ? 0 : 1000);
    progress_->setVisible(busy || jobs_.running() > 0);
    stage_->setText(what);
    timeLeft_ = {};
    told_ = what;
    updateActions();
}

void MainWindow::showError(const Error& error) {
    if (error.kind() == ErrorKind::cancelled) {
        statusBar()->showMessage(QString::fromUtf8(error.what()), 5000);
    } else {
        errors_->showError(error);
    }
    updateActions();
}

void MainWindow::restoreDefaultLayout() {
    addDockWidget(Qt::RightDockWidgetArea, dock_);
    dock_->setFloating(false);
    dock_->show();
    if (page()) placeDock(*page());
    for (Page* one : files_.pages()) {
        one->setDrawerOpen(true);
        one->setDrawerShares({});
    }
    resizeDocks({dock_}, {std::clamp(width() / 6, dockWidth, 360)}, Qt::Horizontal);
    updateActions();
}

// A dock that was wide in a large window must leave the space of a small one to the picture.
void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    constexpr int narrowDevices = 64, roomy = 1120;  // below this the tabs of the pages need the space
    const bool isRoomy = width() >= roomy;
    shortcuts_->setVisible(isRoomy);
    request_->devices().setMaximumWidth(isRoomy ? QWIDGETSIZE_MAX : narrowDevices);
    for (auto* button : findChildren<QToolButton*>())
        if (button->defaultAction() == action(QStringLiteral("run")) ||
            button->defaultAction() == action(QStringLiteral("live")))
            button->setToolButtonStyle(isRoomy ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    const int most = std::max(dockWidth, width() / 4);
    if (event->oldSize().width() > width() && dock_->width() > most)
        resizeDocks({dock_}, {most}, Qt::Horizontal);
}

// At the first start: as large as the screen allows, including the frame.
void MainWindow::fitScreen() {
    constexpr QSize usual(1280, 800), frame(16, 48);
    const QSize room = screen()->availableSize() - frame;
    resize(usual.expandedTo(room * 4 / 5).boundedTo(room));
}

// Parameters are not settings: the session keeps them with their file.
void MainWindow::readSettings() {
    // The command line takes precedence.
    if (const QString threads = settings_->value(QStringLiteral("threads")).toString();
        !threads.isEmpty() && !thread_limit()) {
        try {
            limit_threads(parse_threads(threads.toStdString(), "threads"));
        } catch (const Error&) {
            settings_->remove(QStringLiteral("threads"));
        }
    }
    jobs_.limitThreads();
    settings_->beginGroup(QStringLiteral("window"));
    if (!restoreGeometry(settings_->value(QStringLiteral("geometry")).toByteArray())) fitScreen();
    if (!restoreState(settings_->value(QStringLiteral("state")).toByteArray(), layoutVersion))
        restoreDefaultLayout();
    side_->setCurrentIndex(settings_->value(QStringLiteral("side"), side_->currentIndex()).toInt());
    settings_->endGroup();
    for (Page* one : files_.pages()) {
        settings_->beginGroup(QStringLiteral("page-") + one->id());
        if (const auto like = one->state(Page::Scope::settings))
            one->setState(pageSettings(*settings_, *like), Page::Scope::settings);
        one->setDrawerOpen(settings_->value(QStringLiteral("drawer"), true).toBool());
        one->setDrawerShares({keptShare(*settings_, drawerBesideKey), keptShare(*settings_, drawerBelowKey)});
        settings_->endGroup();
    }
    setPage(settings_->value(QStringLiteral("window/page")).toString());
    fillRecentMenu();
}

void MainWindow::writeSettings() {
    settings_->beginGroup(QStringLiteral("window"));
    settings_->setValue(QStringLiteral("geometry"), saveGeometry());
    // A dock hidden by a page is not the user's choice.
    dock_->setHidden(dock_->isHidden() && !dockAway_);
    settings_->setValue(QStringLiteral("state"), saveState(layoutVersion));
    if (page()) placeDock(*page());
    settings_->setValue(QStringLiteral("side"), sideTab_.value_or(side_->currentIndex()));
    if (page()) settings_->setValue(QStringLiteral("page"), page()->id());
    settings_->endGroup();
    for (Page* one : files_.pages()) {
        settings_->beginGroup(QStringLiteral("page-") + one->id());
        if (const auto state = one->state(Page::Scope::settings)) keepSettings(*settings_, *state);
        settings_->setValue(QStringLiteral("drawer"), one->drawerOpen());
        keepShare(*settings_, drawerBesideKey, one->drawerShares().beside);
        keepShare(*settings_, drawerBelowKey, one->drawerShares().below);
        settings_->endGroup();
    }
    settings_->sync();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) {
            event->acceptProposedAction();
            return;
        }
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList files;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) files << url.toLocalFile();
    if (files.isEmpty()) return;
    event->acceptProposedAction();
    open(files);
}

void MainWindow::open(const QStringList& files) {
    std::vector<std::string> names;
    for (const QString& file : files) names.push_back(file.toStdString());
    try {
        open(QString::fromStdString(io::series_name(names)));
    } catch (const Error& error) {
        files_.refuse(error);
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!kept_->mayClose()) return event->ignore();
    writeSettings();
    QMainWindow::closeEvent(event);
}

}  // namespace ks::ui
