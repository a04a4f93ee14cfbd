#include "ui/shell/main_window.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <QAction>
#include <QCloseEvent>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QFocusEvent>
#include <QIcon>
#include <QLabel>
#include <QMimeData>
#include <QScreen>
#include <QStatusBar>
#include <QTabBar>

#include "core/base/threads.h"
#include "core/io/files/data_name.h"
#include "core/io/files/followed_files.h"
#include "core/io/series/series.h"
#include "core/record/saved_run.h"
#include "core/run/user/user_variant_folder.h"
#include "ui/base/count_text.h"
#include "ui/base/history.h"
#include "ui/base/layouts.h"
#include "ui/base/save_folders.h"
#include "ui/base/save_guard.h"
#include "ui/files/data_panel.h"
#include "ui/files/repeat_names.h"
#include "ui/image/mask/session_mask.h"
#include "ui/kernels/user_kernels.h"
#include "ui/runs/queue_panel.h"
#include "ui/runs/user/user_variants_watch.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/bars/detector_offer.h"
#include "ui/shell/bars/file_notices.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/bars/status_line.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/general/general_page.h"
#include "ui/shell/help/window_help.h"
#include "ui/shell/kernel_window.h"
#include "ui/shell/page_stack.h"
#include "ui/shell/session/page_settings.h"
#include "ui/shell/session/window_session.h"
#include "ui/shell/settings/run_settings.h"
#include "ui/shell/side_dock.h"
#include "ui/shell/window_actions.h"
#include "ui/shell/window_history.h"

// The resources are in a static library: without this the linker drops them. The macro must be in the global
// namespace.
static void useResources() {
    Q_INIT_RESOURCE(kernelscope);
}

namespace ks::ui {
namespace {

const QString repeatsNotice = QStringLiteral("repeats");

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

const QString inputNotice = QStringLiteral("input changed on disk");

/// Of the layout written by saveState(): one with another number is not restored.
constexpr int layoutVersion = 2;

/// Files with several frames each, by a name such as scan_*.h5: repeats, since they cannot be one series.
bool arePatternOfRepeats(const std::string& name) {
    const std::filesystem::path path = io::DataName::parse(name).file;
    const std::string leaf = path.filename().string();
    std::error_code ignored;
    return leaf.find_first_of("*?") != std::string::npos && !std::filesystem::exists(path, ignored) &&
           !io::counts_in_folder(leaf);
}

/// The plot that this widget is, or is a part of: a map with a strip above it.
std::vector<NamedPlot>::const_iterator plotAround(const std::vector<NamedPlot>& plots,
                                                  const QWidget* widget) {
    return std::ranges::find_if(plots, [widget](const NamedPlot& one) {
        const auto* const all = dynamic_cast<const QWidget*>(one.plot);
        return all && widget && (all == widget || all->isAncestorOf(widget));
    });
}

}  // namespace

class MainWindow::UsedPlot : public QObject {
  public:
    explicit UsedPlot(MainWindow* window) : QObject(window), window_(*window) {
        QCoreApplication::instance()->installEventFilter(this);
    }
    void set(const ExportablePlot& plot) { widget_ = dynamic_cast<const QWidget*>(&plot); }
    const QWidget* widget() const { return widget_; }

  private:
    bool eventFilter(QObject* object, QEvent* event) override {
        if (isOfHand(*event) && object->isWidgetType() && static_cast<QWidget*>(object)->window() == &window_)
            for (const auto* at = static_cast<const QWidget*>(object); at; at = at->parentWidget())
                if (const auto* const plot = dynamic_cast<const ExportablePlot*>(at)) {
                    set(*plot);
                    break;
                }
        return QObject::eventFilter(object, event);
    }
    static bool isOfHand(const QEvent& event) {
        if (event.type() != QEvent::FocusIn)
            return event.type() == QEvent::MouseButtonPress || event.type() == QEvent::Wheel;
        const Qt::FocusReason why = static_cast<const QFocusEvent&>(event).reason();
        return why == Qt::TabFocusReason || why == Qt::BacktabFocusReason;
    }

    MainWindow& window_;
    QPointer<const QWidget> widget_;
};

MainWindow::MainWindow(std::unique_ptr<QSettings> settings, QWidget* parent)
    : MainWindow(std::move(settings), collectedPages(), std::make_shared<const Registry>(), parent) {}

MainWindow::MainWindow(std::unique_ptr<QSettings> settings, const std::vector<MakePage>& pages,
                       std::shared_ptr<const Registry> registry, QWidget* parent)
    : QMainWindow(parent), bench_(std::move(settings), std::move(registry), *this) {
    useResources();
    used_ = new UsedPlot(this);
    io::advise_for_window();
    files().trust() = trustDialogs(this);
    setWindowTitle(QStringLiteral("Kernelscope"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/kernelscope.svg")));
    setAcceptDrops(true);
    setMinimumSize(leastSize);
    makePages(pages);
    makeDock();
    status_ = new StatusLine(queue(), *statusBar());
    // Nothing moves where they come and go, and the page keeps its height.
    status_->setNotices(*notices_);
    errors_->setPlaces(*centre_, status_->hint());
    actions_ = new WindowActions(*this);
    setMenuWidget(actions_->makeTopRow(*tabs_, devices()));
    connectParts();
    keepSession();
    connectFiles();
    help_ = new WindowHelp(*this);
    restoreDefaultLayout();
    readSettings();
    showPage(tabs_->currentIndex());
    updateActions();
    if (!bench_.damagedSettings.isEmpty())
        errors_->showWarning(tr("The settings were damaged and have been reset; the old ones are in %1")
                                 .arg(bench_.damagedSettings));
    history().clear();
    worker().setKernelLimit(kernelLimit(this->settings()));
    worker().start();
}

// The views are deleted before the models and jobs that they use, which are members.
MainWindow::~MainWindow() {
    jobs().hurry();
    delete steps_;
    delete kept_;
    delete help_;
    delete kernels_;
    delete takeCentralWidget();
    delete dock_;
    delete status_;
    delete table_;
    delete stages_;
}

void MainWindow::makePages(const std::vector<MakePage>& pages) {
    auto* middle = new QWidget(this);
    centre_ = new PageStack(middle);
    notices_ = new NoticeBar(this);
    errors_ = new ErrorBar(this);
    middle->setLayout(inRows({centre_}, 0));
    setCentralWidget(middle);
    std::vector<Page*> made;
    made.reserve(pages.size());
    for (const MakePage& make : pages) made.push_back(make(bench_.context).release());
    QStringList have;
    for (const Page* one : made) have += one->analyses();
    for (std::unique_ptr<Page>& one : generalPages(bench_.context, have)) made.push_back(one.release());
    std::ranges::stable_sort(made, {}, &Page::order);
    files().setPages(made);
    tabs_ = new QTabBar(this);
    tabs_->setAccessibleName(tr("Pages"));
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    for (Page* page : made) {
        centre_->addPage(page);
        tabs_->setTabWhatsThis(tabs_->addTab(page->title()), purposeOf(*page, *bench_.registry()));
        connectPage(page);
    }
}

void MainWindow::connectPage(Page* page) {
    pageRuns().follow(*page);
    // The result of a hidden page's job is not for the visible page.
    connect(page, &Page::analysisChanged, this, [this, page] {
        if (page != this->page()) return;
        errors_->leavePage();
        showPage(tabs_->currentIndex());
    });
    if (const AnalysisPage* const role = files().analysisPage(*page)) {
        connect(role, &AnalysisPage::demoRequested, this, [this, page] {
            if (page == this->page()) files().openDemo();
        });
        connect(role, &AnalysisPage::inputChangedOnDisk, this, [this, role](const QString& file) {
            QStringList& files = changedInputs_[role->analysis()];
            if (!files.contains(file)) files << file;
            showChangedInput();
        });
        connect(role, &AnalysisPage::inputSettledOnDisk, this, [this, role](const QString& file) {
            const auto known = changedInputs_.find(role->analysis());
            if (known == changedInputs_.end() || known->second.removeAll(file) == 0) return;
            if (known->second.isEmpty()) changedInputs_.erase(known);
            showChangedInput();
        });
    }
    connect(page, &Page::cursorMoved, this, [this, page](const QString& text) {
        if (page == this->page()) status_->setCursor(text);
    });
    connect(page, &Page::hint, this, [this, page](const QString& text) {
        if (page == this->page()) status_->setHint(text);
    });
    connect(page, &Page::runElsewhereWanted, this, &MainWindow::runElsewhere);
    connect(page, &Page::placeWanted, this, &MainWindow::showResultPlace);
    connect(page, &Page::dataWanted, &files(), &FileSession::giveTo);
    connect(page, &Page::failed, this, &MainWindow::showError);
    connect(page, &Page::mended, errors_, qOverload<const Error&>(&ErrorBar::leave));
}

// Run (F5) reads the file only where its analysis is visible.
void MainWindow::showChangedInput() {
    const auto changed = page() ? changedInputs_.find(page()->analysis()) : changedInputs_.end();
    if (changed == changedInputs_.end()) return notices_->remove(inputNotice);
    QStringList there, gone, said;
    for (const QString& file : changed->second) {
        const QFileInfo now(file);
        (now.exists() ? there : gone) << now.fileName();
    }
    const auto listedNames = [](const QStringList& names) {
        constexpr qsizetype most = 4;
        QString text = names.first(std::min(most, names.size())).join(QStringLiteral(", "));
        if (names.size() > most) text = tr("%1 and %2 more").arg(text).arg(names.size() - most);
        return text;
    };
    if (there.size() == 1)
        said << tr("%1 changed on disk; press Run (F5) to use it as it is now").arg(there[0]);
    if (there.size() > 1)
        said << tr("%1 changed on disk; press Run (F5) to use them as they are now").arg(listedNames(there));
    if (gone.size() == 1) said << tr("%1 no longer exists on disk").arg(gone[0]);
    if (gone.size() > 1) said << tr("%1 no longer exist on disk").arg(listedNames(gone));
    notices_->put({inputNotice, said.join(QStringLiteral(". ")), {}, [this, analysis = changed->first] {
                       changedInputs_.erase(analysis);
                   }});
}

void MainWindow::runElsewhere(const Request& wanted) {
    const QString analysis = QString::fromStdString(wanted.analysis);
    RequestForm::Choices choices = request().choices(analysis);
    for (const auto& [id, value] : wanted.parameters) choices.parameters[id] = value;
    choices.variant = QString::fromStdString(wanted.variant);
    if (!setPage(analysis)) return;
    request().wantDevice(QString::fromStdString(wanted.device));
    request().setChoices(analysis, choices);
    if (AnalysisPage* const one = analysisPage()) one->apply(wanted.parameters);
    if (const QString lacking = missing(); !lacking.isEmpty())
        return statusBar()->showMessage(
            tr("%1 is chosen but cannot run yet: %2").arg(choices.variant, lacking), 15000);
    startRun();
}

void MainWindow::showResultPlace(const QString& analysis, const VerdictPlace& place) {
    const bool there = setPage(analysis) && analysisPage() && analysisPage()->showPlace(place);
    raise();
    activateWindow();
    if (!there)
        statusBar()->showMessage(
            tr("The page now has different data or a different result, in which this place does not exist"),
            15000);
}

void MainWindow::proposeMeasurement(const Measurement& wanted) {
    const std::vector<Page*>& pages = files().pages();
    const auto takes =
        std::ranges::find_if(pages, [&](Page* one) { return one->timer() && one->timer()->propose(wanted); });
    if (takes == pages.end()) return;
    setPage((*takes)->id());
    raise();
    activateWindow();
}

void MainWindow::makeDock() {
    dock_ = new SideDock(request(), files().pages(), this);
    connect(dock_, &SideDock::sourceWanted, this, [this] { kernels().showKernel(KernelPanel::Tab::source); });
    connect(dock_, &SideDock::copyWanted, this, [this] { kernels().editCopy(); });
    connect(&dock_->data(), &DataPanel::objectChosen, this, [this](const QString& path, bool frames) {
        if (frames)
            open(path.isEmpty() ? file()->path : file()->path + QStringLiteral("::") + path);
        else if (files().pageAccepts())
            page()->useObject(path);
    });
    table_ = new RunsPanel(runs());
    stages_ = new StagesPanel(runs());
}

void MainWindow::connectParts() {
    connect(&jobs(), &Jobs::failed, this, &MainWindow::showError);
    connect(&jobs(), &Jobs::runningChanged, status_, &StatusLine::setJobs);
    connect(&jobs(), &Jobs::hdf5Hangs, this, [this](const QString& file) {
        notices_->put(
            {QStringLiteral("hdf5"),
             tr("HDF5 hangs in %1: no other HDF5 file can be read or written until Kernelscope is restarted.")
                     .arg(file.isEmpty() ? tr("a file") : QFileInfo(file).fileName()) +
                 (kept_->kept() ? tr(" The session is kept.") : QString()),
             {{tr("Restart"), [this] { emit newStartWanted(); }}}});
    });
    connect(&worker(), &WorkerClient::workerRestarted, this,
            [this](const QString& reason, const QString& job) {
                // Where the job was asked for, its error is shown; nothing else is lost here.
                if (job.isEmpty()) return errors_->showWarning(capitalised(reason));
                statusBar()->showMessage(tr("%1: %2").arg(job, reason), 10000);
            });
    connect(&worker(), &WorkerClient::workerGivenUp, this, [this](const Error& error) {
        request().deviceText().setText(tr("no worker"));
        showError(error);
    });
    const Messages& messages = bench_.messages;
    connect(&messages, &Messages::said, statusBar(), &QStatusBar::showMessage);
    connect(&bench_.folders, &SaveFolders::reported, statusBar(),
            [this](const QString& sentence) { statusBar()->showMessage(sentence, 8000); });
    connect(&bench_.saves, &SaveGuard::mended, errors_, qOverload<const Error&>(&ErrorBar::leave));
    connect(&bench_.desk.unkept(), &UnkeptWork::failed, this, &MainWindow::showError);
    connect(&bench_.desk.unkept(), &UnkeptWork::mended, errors_, qOverload<const Error&>(&ErrorBar::leave));
    connect(&messages, &Messages::warned, errors_, [this](const QString& sentence, const QString& details) {
        errors_->showWarning(sentence, details);
    });
    connect(&messages, &Messages::warnedOfRun, errors_,
            [this](const QString& sentence, const QString& details) {
                errors_->showWarning(sentence, details, ErrorBar::Of::run);
            });
    connect(&messages, &Messages::failed, this, &MainWindow::showError);
    connect(&messages, &Messages::noticed, notices_, &NoticeBar::put);
    connect(&messages, &Messages::noticeEnded, notices_, &NoticeBar::remove);
    connectRuns();
    connectTable();
    new FileNotices(files(), jobs(), *notices_, this);
    new DetectorOffer(files(), *bench_.context.mask, *bench_.context.geometry, *bench_.settings, *notices_,
                      this);
    const QString variants = QString::fromStdString(user_variants_folder().string());
    connect(new UserVariantsWatch(variants, this), &UserVariantsWatch::changed, &worker(),
            &WorkerClient::refreshOffers);
    steps_ = new WindowHistory(bench_, *actions_, *this);
    connect(steps_, &WindowHistory::pageWanted, this, &MainWindow::setPage);
    connect(tabs_, &QTabBar::currentChanged, this, &MainWindow::showPage);
}

void MainWindow::connectRuns() {
    connect(&pageRuns(), &PageRuns::changed, this, &MainWindow::updateActions);
    connect(&pageRuns(), &PageRuns::marked, status_, &StatusLine::setMark);
    stages_->setMark([this](const RunRow& row) { return pageRuns().exported(row).outdated; });
    connect(&pageRuns(), &PageRuns::marked, stages_, &StagesPanel::showMarks);
    connect(&pageRuns(), &PageRuns::starts, errors_, &ErrorBar::dismiss);
    connect(&pageRuns(), &PageRuns::starts, this, [this] {
        changedInputs_.erase(page()->analysis());
        showChangedInput();
    });
    connect(&pageRuns(), &PageRuns::mended, errors_, qOverload<const Error&>(&ErrorBar::leave));
    connect(&pageRuns(), &PageRuns::warningWithdrawn, errors_,
            [this] { errors_->withdraw(ErrorBar::Of::run); });
    connect(&pageRuns(), &PageRuns::warningChanged, errors_,
            [this](const QString& sentence, const QString& details) {
                errors_->changeWarning(sentence, details, ErrorBar::Of::run);
            });
    connect(&pageRuns(), &PageRuns::previewFailed, errors_,
            [this](const Error& error) { errors_->showError(error, ErrorBar::Of::preview); });
    connect(&pageRuns(), &PageRuns::previewPassed, errors_,
            [this] { errors_->leave(ErrorBar::Of::preview); });
    connect(&queuePanel(), &QueuePanel::cancelAllRequested, &pageRuns(), &PageRuns::cancelAll);
    connect(&queue(), &RunQueue::changed, this, &MainWindow::updateActions);
    connect(&queue(), &RunQueue::busyChanged, this, &MainWindow::updateActions);
}

void MainWindow::connectTable() {
    connect(table_, &RunsPanel::checkFullyRequested, &queue(), [this](int number) {
        queue().add(QueuedCheck{number, CheckMode::full});
    });
    connect(table_, &RunsPanel::repeatRequested, &pageRuns(), &PageRuns::repeat);
    connect(table_, &RunsPanel::placeRequested, this, [this](int number) {
        if (const RunRow* row = runs().find(number))
            showResultPlace(QString::fromStdString(row->run->request.analysis), row->run->verdict.place);
    });
    connect(table_, &RunsPanel::removed, this, [this](const std::vector<RunRow>& rows) {
        QList<int> numbers;
        for (const RunRow& row : rows) numbers << row.number;
        history().add({tr("removal of %1").arg(RunsPanel::runsText(numbers)),
                       &runs(),
                       {},
                       [this, rows] {
                           for (const RunRow& row : rows) runs().bringBack(row.run, row.number, row.ticked);
                       },
                       [this, numbers] {
                           for (const int number : numbers) runs().removeRun(number);
                       },
                       true});
    });
    connect(table_, &RunsPanel::saveRequested, this, [this](int number) {
        if (const RunRow* row = runs().find(number)) bench_.runFiles.saveRun(*row);
    });
}

void MainWindow::connectFiles() {
    connect(&files(), &FileSession::message, statusBar(), &QStatusBar::showMessage);
    connect(&files(), &FileSession::wasRead, this, [this] {
        if (errors_->isVisible()) errors_->dismiss();
    });
    connect(&files(), &FileSession::fileChanged, this, &MainWindow::showFile);
    connect(&files(), &FileSession::pageWanted, this, &MainWindow::setPage);
    connect(&files(), &FileSession::opened, this, [this](const QString& name) {
        status_->setCursor({});  // it was over the file before
        if (!file()->faults.empty())
            errors_->showWarning(tr("Part of the geometry is ignored: %1")
                                     .arg(QString::fromUtf8(file()->faults.front().error.what())));
        if (!file()->endWarning.empty()) errors_->showWarning(QString::fromStdString(file()->endWarning));
        updateActions();
        emit fileOpened(name);
    });
    connect(&files(), &FileSession::runOpened, this, [this](int number, const SavedRun& saved) {
        if (saved.lost)
            // The hint names an option of the command line.
            errors_->showWarning(tr("Run %1 can be viewed, but not repeated: %2: %3")
                                     .arg(number)
                                     .arg(QString::fromStdString(saved.lost->where()),
                                          QString::fromStdString(saved.lost->message())));
    });
    connect(&files(), &FileSession::resultsOpened, this, [this](const QString& leftOut) {
        if (!leftOut.isEmpty()) errors_->showWarning(leftOut);
    });
    connect(&files(), &FileSession::notOpened, this, [this](const Error& error) {
        statusBar()->clearMessage();
        showError(error);
    });
}

void MainWindow::keepSession() {
    kept_ = new WindowSession(bench_, this);
    connect(kept_, &WindowSession::kernelWanted, this, &MainWindow::showKeptKernel);
    connect(&kept_->runKernels(), &RunKernels::copied, this, &MainWindow::showKeptKernel);
    connect(table_, &RunsPanel::kernelRequested, &kept_->runKernels(), &RunKernels::copy);
    connect(kept_, &WindowSession::kernelsFolderChanged, this, [this] {
        if (kernels_) kernels_->panel().userKernels().setDraftsFolder(kept_->kernelsFolder());
    });
    kept_->setKernelTexts([this] {
        return kernels_ ? kernels_->panel().userKernels().keepTexts() : std::vector<KernelDrafts::Draft>();
    });
    connect(kept_, &WindowSession::closeWanted, this, &MainWindow::close);
    connect(&kept_->project(), &WindowProject::changed, this, &MainWindow::showTitle);
    connect(&kept_->others(), &OtherSessions::changed, actions_, &WindowActions::fillPrevious);
    connect(kept_, &WindowSession::pageWanted, this, &MainWindow::setPage);
    connect(kept_, &WindowSession::aboutToWrite, this, &MainWindow::writeSettings);
    connect(kept_, &WindowSession::broughtBack, &pageRuns(), &PageRuns::catchUp);
    connect(bench_.context.mask.get(), &SessionMask::settled, &pageRuns(), &PageRuns::catchUp);
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) files().changedFile();
}

void MainWindow::showFile() {
    live().reset();
    dock_->setFile(file().get());
    if (!file()) {
        showTitle();
        for (int i = 0; i < tabs_->count(); ++i) tabs_->setTabToolTip(i, {});
        return;
    }
    const OpenFile& shown = *file();
    bench_.folders.setData(shown.path);
    showTitle();
    const std::vector<Page*>& pages = files().pages();
    for (std::size_t i = 0; i < pages.size(); ++i)
        tabs_->setTabToolTip(static_cast<int>(i), pages[i]->accepts(shown)
                                                      ? QString()
                                                      : tr("This page cannot use %1").arg(shown.title));
}

// "a.h5 - night.ksproj* - Kernelscope"
void MainWindow::showTitle() {
    const QString mark = QStringLiteral("[*]");  // where Qt puts the asterisk; in a name it is doubled
    const auto plain = [&mark](QString name) { return name.replace(mark, mark + mark); };
    const WindowProject& project = kept_->project();
    QStringList parts{QStringLiteral("Kernelscope")};
    if (!project.path().isEmpty()) parts.prepend(plain(QFileInfo(project.path()).fileName()) + mark);
    if (file()) parts.prepend(plain(file()->title));
    setWindowModified(false);  // the title may have had a mark, and the new one none
    setWindowTitle(parts.join(QStringLiteral(" \u2013 ")));
    if (project.isModified()) setWindowModified(true);
}

void MainWindow::showPage(int index) {
    if (index < 0) return;
    pageRuns().leavePage();
    if (page()) page()->drawer().returnShared();
    Page& shown = *files().pages()[static_cast<std::size_t>(index)];
    if (page() && page() != &shown) errors_->leavePage();
    files().setPage(shown);
    history().setPlace(&shown);
    if (!shown.analysis().isEmpty())
        shown.drawer().setShared(
            {{tr("Runs"), table_, false,
              tr("All runs: the ticked ones are drawn in the plots and compared in the Stages tab")},
             {tr("Stages"), stages_, true, tr("The times of the stages of the ticked runs")}});
    dock_->setPage(shown);
    centre_->showPage(&shown);
    status_->setCursor({});
    status_->setHint({});
    for (Page* one : files().pages())
        for (QAction* action : one->editActions()) action->setVisible(one == &shown);
    // Before the page gets its file, so that its requests use its own parameters.
    request().setPage(files().analysisPage());
    files().giveToPage();
    kept_->pageShown(shown);
    runs().setAnalysis(shown.analysis());
    showChangedInput();
    pageRuns().show();
}

bool MainWindow::showsKernels() const {
    return kernels_ && kernels_->isVisible();
}

KernelWindow& MainWindow::kernels() {
    if (!kernels_) {
        kernels_ = new KernelWindow(bench_, this);
        UserKernels& own = kernels_->panel().userKernels();
        connect(&own, &UserKernels::draftTaken, kept_, &WindowSession::kernelShown);
        connect(&own, &UserKernels::keepingChanged, notices_, [this](const QString& sentence) {
            const QString id = QStringLiteral("kernel texts");
            if (sentence.isEmpty()) return notices_->remove(id);
            notices_->put(
                {id, sentence, {{tr("Show"), [this] { kernels().showKernel(KernelPanel::Tab::edit); }}}});
        });
        own.setDraftsFolder(kept_->kernelsFolder());
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
        // Their keys work there, too.
        kernels_->addAction(actions_->find(QStringLiteral("quit")));
        for (const Page* const page : files().pages())
            if (QAction* const shows = actions_->find(QStringLiteral("page-") + page->id()))
                kernels_->addAction(shows);
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
    return status_->queuePanel();
}

bool MainWindow::setPage(const QString& analysis) {
    const std::vector<Page*>& pages = files().pages();
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
    for (const Page* one : bench_.files.pages()) ids << one->id();
    return ids;
}

QStringList MainWindow::pageNames() const {
    QStringList names;
    for (const Page* one : bench_.files.pages())
        names += one->analyses().isEmpty() ? QStringList(one->id()) : one->analyses();
    return names;
}

void MainWindow::showError(const Error& error) {
    if (error.kind() == ErrorKind::cancelled) {
        statusBar()->showMessage(QString::fromUtf8(error.what()), 5000);
    } else {
        errors_->showError(error);
    }
    updateActions();
}

QString MainWindow::resultName() const {
    const std::vector<NamedPlot> plots = page() ? page()->plots() : std::vector<NamedPlot>();
    // A figure without a name of its own shows a part of a run, such as one module; one of a measurement is
    // of no run.
    const bool isOfRun = !plots.empty() && !plots.front().leaf.isEmpty() && !plots.front().measured;
    return isOfRun ? plots.front().leaf : bench_.runs.analysis();
}

void MainWindow::saveRun(const QString& path, bool overwrite) {
    if (const RunRow* row = bench_.runFiles.shownRun()) bench_.runFiles.saveRun(*row, path, overwrite);
}

void MainWindow::saveCsv(const QString& path, bool overwrite) {
    if (const RunRow* row = bench_.runFiles.shownRun())
        bench_.runFiles.saveCsv(*row, resultName(), path, overwrite);
}

std::vector<NamedPlot> MainWindow::exportable() const {
    std::vector<NamedPlot> plots = page() ? page()->plots() : std::vector<NamedPlot>();
    const auto ticked = [this] {
        PlotRuns of;
        for (const RunRow& row : bench_.runs.ticked(bench_.runs.analysis())) of.numbers.push_back(row.number);
        return of;
    };
    if (stages_) plots.push_back({tr("Stages of the ticked runs"), &stages_->timing(), {}, nullptr, ticked});
    return plots;
}

void MainWindow::usePlot(const ExportablePlot& plot) {
    used_->set(plot);
}

void MainWindow::exportFigure(const ExportablePlot& plot) {
    std::vector<NamedPlot> plots = exportable();
    auto chosen = std::ranges::find(std::as_const(plots), &plot, &NamedPlot::plot);
    if (chosen == plots.end()) chosen = plotAround(plots, dynamic_cast<const QWidget*>(&plot));
    if (chosen == plots.end()) chosen = plots.insert(chosen, {plot.figureName(), &plot, {}});
    const auto index = static_cast<std::size_t>(chosen - plots.begin());
    bench_.runFiles.exportPlot(plots, index);
}

void MainWindow::exportPlot() {
    const std::vector<NamedPlot> plots = exportable();
    if (plots.empty()) return;
    const auto isOnScreen = [this](const NamedPlot& one) {
        const auto* const widget = dynamic_cast<const QWidget*>(one.plot);
        return widget && isAncestorOf(widget) && widget->isVisibleTo(this) && !widget->size().isEmpty() &&
               one.plot->whyEmpty().isEmpty();
    };
    auto chosen = plotAround(plots, used_->widget());
    if (chosen == plots.end() || !isOnScreen(*chosen)) chosen = std::ranges::find_if(plots, isOnScreen);
    exportFigure(*(chosen == plots.end() ? plots.front() : *chosen).plot);
}

void MainWindow::setThreads(std::optional<unsigned> threads) {
    if (threads == thread_limit()) return;
    limit_threads(threads);
    jobs().limitThreads();
    if (threads)
        settings().setValue(QStringLiteral("threads"), *threads);
    else
        settings().remove(QStringLiteral("threads"));
    worker().restart();
}

QAction* MainWindow::action(const QString& name) const {
    return actions_->find(name);
}

QMenuBar* MainWindow::menuBar() const {
    return &actions_->menus();
}

void MainWindow::updateActions() {
    if (actions_) actions_->update();
}

void MainWindow::restoreDefaultLayout() {
    addDockWidget(Qt::RightDockWidgetArea, dock_);
    dock_->setFloating(false);
    dock_->show();
    if (page()) dock_->place(*page());
    for (Page* one : files().pages()) {
        one->setDrawerOpen(true);
        one->setDrawerShares({});
    }
    resizeDocks({dock_}, {std::clamp(width() / 6, SideDock::usualWidth, 360)}, Qt::Horizontal);
    updateActions();
}

// A dock that was wide in a large window must leave the space of a small one to the picture.
void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    constexpr int narrowDevices = 64, roomy = 1120;  // below this the tabs of the pages need the space
    const bool isRoomy = width() >= roomy;
    actions_->setRoomy(isRoomy);
    request().devices().setMaximumWidth(isRoomy ? QWIDGETSIZE_MAX : narrowDevices);
    const int most = std::max(SideDock::usualWidth, width() / 4);
    if (event->oldSize().width() > width() && dock_->width() > most)
        resizeDocks({dock_}, {most}, Qt::Horizontal);
}

// Parameters are not settings: the session keeps them with their file.
void MainWindow::readSettings() {
    // The command line takes precedence.
    if (const QString threads = settings().value(QStringLiteral("threads")).toString();
        !threads.isEmpty() && !thread_limit()) {
        try {
            limit_threads(parse_threads(threads.toStdString(), "threads"));
        } catch (const Error&) {
            settings().remove(QStringLiteral("threads"));
        }
    }
    jobs().limitThreads();
    settings().beginGroup(QStringLiteral("window"));
    constexpr QSize usual(1280, 800), frame(16, 48);
    if (!restoreGeometry(settings().value(QStringLiteral("geometry")).toByteArray())) {
        // At the first start: as large as the screen allows, including the frame.
        const QSize room = screen()->availableSize() - frame;
        resize(usual.expandedTo(room * 4 / 5).boundedTo(room));
    } else if (!(windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen))) {
        // The screen may be a smaller one by now.
        const QScreen* const there = QGuiApplication::screenAt(geometry().center());
        const QScreen& on = there ? *there : *screen();
        const QRect room = on.availableGeometry();
        if (!on.availableVirtualGeometry().contains(QRect(pos(), size()))) {
            resize(size().boundedTo(room.size() - frame));
            // With the frame, which is not known yet. What is wider than the screen begins at its left edge.
            const QSize most = size() + frame;
            move(std::max(room.left(), std::min(x(), room.right() + 1 - most.width())),
                 std::max(room.top(), std::min(y(), room.bottom() + 1 - most.height())));
        }
    }
    if (!restoreState(settings().value(QStringLiteral("state")).toByteArray(), layoutVersion))
        restoreDefaultLayout();
    dock_->setTab(settings().value(QStringLiteral("side"), dock_->tab()).toInt());
    settings().endGroup();
    for (Page* one : files().pages()) {
        settings().beginGroup(QStringLiteral("page-") + one->id());
        if (const auto like = one->state(Page::Scope::settings))
            one->setState(pageSettings(settings(), *like), Page::Scope::settings);
        one->setDrawerOpen(settings().value(QStringLiteral("drawer"), true).toBool());
        one->setDrawerShares({keptShare(settings(), drawerBesideKey), keptShare(settings(), drawerBelowKey)});
        settings().endGroup();
    }
    setPage(settings().value(QStringLiteral("window/page")).toString());
}

void MainWindow::writeSettings() {
    settings().beginGroup(QStringLiteral("window"));
    settings().setValue(QStringLiteral("geometry"), saveGeometry());
    // A dock hidden by a page is not the user's choice.
    dock_->setVisible(dock_->wanted());
    settings().setValue(QStringLiteral("state"), saveState(layoutVersion));
    if (page()) dock_->place(*page());
    settings().setValue(QStringLiteral("side"), dock_->tab());
    if (page()) settings().setValue(QStringLiteral("page"), page()->id());
    settings().endGroup();
    for (Page* one : files().pages()) {
        settings().beginGroup(QStringLiteral("page-") + one->id());
        if (const auto state = one->state(Page::Scope::settings)) keepSettings(settings(), *state);
        settings().setValue(QStringLiteral("drawer"), one->drawerOpen());
        keepShare(settings(), drawerBesideKey, one->drawerShares().beside);
        keepShare(settings(), drawerBelowKey, one->drawerShares().below);
        settings().endGroup();
    }
    settings().sync();
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
    struct Meaning {
        QString series;                    ///< empty: they are none
        std::vector<std::string> repeats;  ///< empty: they are none either
        std::vector<std::string> results;  ///< saved runs and results of other programs
    };
    emit bench_.messages.noticeEnded(repeatsNotice);
    bench_.jobs.start(
        Jobs::Lane::files, this, QStringLiteral("series or repeats"),
        [names, registry = bench_.registry()]() -> Meaning {
            // A folder of results may have a file that is none, or is damaged.
            const auto several = [&registry](std::vector<std::string> found) -> Meaning {
                const auto results = std::ranges::count_if(found, [&registry](const std::string& name) {
                    try {
                        return holds_result(*registry, io::DataName::parse(name).file);
                    } catch (const Error&) {
                        return false;
                    }
                });
                if (2 * results > std::ssize(found)) return {{}, {}, std::move(found)};
                return {{}, std::move(found), {}};
            };
            std::error_code ignored;
            const bool isFolder = names.size() == 1 && std::filesystem::is_directory(names.front(), ignored);
            if (names.size() == 1 && arePatternOfRepeats(names.front())) {
                try {
                    return several(repeatsNamed(names));
                } catch (const Error&) {
                    // Opening it says why it is no series.
                }
            }
            try {
                if (isFolder && !io::is_series(names.front())) return several(repeatsNamed(names));
                return {QString::fromStdString(io::series_name(names)), {}, {}};
            } catch (const Error&) {
                // Files with one frame each are no repeats.
                const bool areFrames = std::ranges::any_of(names, [](const std::string& name) {
                    return io::counts_in_folder(std::filesystem::path(name).filename().string());
                });
                if (names.size() < 2 || areFrames) throw;
                try {
                    return several(repeatsNamed(names));
                } catch (const Error&) {
                    // That they are no series says more.
                }
                throw;
            }
        },
        [this](const Meaning& meaning) {
            if (!meaning.results.empty())
                bench_.files.openResults(meaning.results);
            else
                meaning.repeats.empty() ? open(meaning.series) : offerRepeats(meaning.repeats);
        },
        [this](const Error& error) { bench_.files.refuse(error); });
}

void MainWindow::openRepeats(const QStringList& files) {
    emit bench_.messages.noticeEnded(repeatsNotice);
    bench_.files.openRepeats(files);
}

void MainWindow::offerRepeats(const std::vector<std::string>& names) {
    const auto leaf = [](const std::string& name) {
        return QFileInfo(QString::fromStdString(io::DataName::parse(name).file.string())).fileName();
    };
    QStringList all;
    for (const std::string& name : names) all << QString::fromStdString(name);
    emit bench_.messages.noticed(
        {repeatsNotice,
         tr("%1 files, %2 to %3, are not the frames of one series. Are they repeats of a measurement?")
             .arg(names.size())
             .arg(leaf(names.front()), leaf(names.back())),
         {{tr("Open as repeats"), [this, all] { openRepeats(all); }},
          {tr("Open %1 alone").arg(leaf(names.front())),
           [this, first = all.front()] {
               emit bench_.messages.noticeEnded(repeatsNotice);
               open(first);
           }}},
         [] {}});
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!kept_->mayClose()) return event->ignore();
    writeSettings();
    QMainWindow::closeEvent(event);
}

}  // namespace ks::ui
