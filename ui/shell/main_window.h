#pragma once

#include <QHash>
#include <QMainWindow>
#include <QPointer>
#include <QSettings>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/registry.h"
#include "ui/base/appearance.h"
#include "ui/base/jobs.h"
#include "ui/base/time_left.h"
#include "ui/plots/plot_view.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/stages_panel.h"
#include "ui/runs/worker_client.h"
#include "ui/shell/file_session.h"
#include "ui/shell/page_runs.h"
#include "ui/shell/pages.h"
#include "ui/shell/request_form.h"
#include "ui/shell/run_files.h"

class QAction;
class QActionGroup;
class QDockWidget;
class QLabel;
class QMenu;
class QMenuBar;
class QProgressBar;
class QTabBar;
class QTabWidget;

namespace ks::ui {

class DataPanel;
class ElidedLabel;
class ErrorBar;
class KernelWindow;
class NoticeBar;
class OpenedRun;
class PageStack;
class QueueButton;
class QueuePanel;
class SaveFolders;
class WarmStart;
class WindowHelp;
class WindowHistory;
class WindowSession;

/// The window: one page in the centre, whose drawer also contains the table of runs; a dock with tabs for
/// data, set-up and kernels; menus, page tabs and run controls in one row; an error bar.
class MainWindow : public QMainWindow, public PlotExporter {
    Q_OBJECT
  public:
    /// @param settings layout, recent files and parameters; null: the user's own
    explicit MainWindow(std::unique_ptr<QSettings> settings = nullptr, QWidget* parent = nullptr);
    /// With other pages than those collected by the build. `registry` has their analyses, and so must the
    /// worker.
    MainWindow(std::unique_ptr<QSettings> settings, const std::vector<MakePage>& pages,
               std::shared_ptr<const Registry> registry, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// As FileSession does; shows the page that takes the file.
    void open(const QString& name) { files_.open(name); }
    /// The same for a file, or for several ones that are a series; at least one.
    void open(const QStringList& files);
    void openDemo() { files_.openDemo(); }
    /// Shows the page of an analysis, or the one of this id, and selects that analysis; false if there is
    /// none.
    bool setPage(const QString& analysis);
    /// Leftmost first; for a page of one analysis its id.
    QStringList pageIds() const;
    // As PageRuns does.
    void startRun() { pageRuns_.start(); }
    void repeat(int number) { pageRuns_.repeat(number); }
    void cancel() { pageRuns_.cancel(); }
    QString missing() const { return pageRuns_.missing(); }
    LivePreview& live() { return pageRuns_.live(); }
    QueuePanel& queuePanel();
    /// Saves the newest ticked run of the page as HDF5; asks for a name if `path` is empty.
    void saveRun(const QString& path = {}, bool overwrite = false);
    /// Writes the curves or the table of that run as CSV.
    void saveCsv(const QString& path = {}, bool overwrite = false);
    void exportFigure(const ExportablePlot& plot) override;
    void usePlot(const ExportablePlot& plot) override { usedPlot_ = &plot; }
    /// Exports the plot of the page that the user used last, or the page's main plot.
    void exportPlot();
    void restoreDefaultLayout();
    /// Light, dark or the desktop's theme, now and at the next start.
    void setTheme(Appearance theme);
    /// Limits the threads of the window and of its worker, which is restarted, and stores it as a setting.
    /// Nothing: one per processor. Throws ks::Error(input) as limit_threads() does.
    void setThreads(std::optional<unsigned> threads);

    /// Created on first use.
    KernelWindow& kernels();
    /// Builds the visible page's kernels in the background before they are needed; initially off.
    WarmStart& warmStart() { return *warmStart_; }

    Page* page() const { return files_.page(); }
    AnalysisPage* analysisPage() const { return files_.analysisPage(); }
    /// Name of the files for its results, without suffix: "g2".
    QString resultName() const;
    const std::shared_ptr<const OpenFile>& file() const { return files_.file(); }
    FileSession& files() { return files_; }
    const RunFiles& runFiles() const { return runFiles_; }
    RunTableModel& runs() { return runs_; }
    RunQueue& queue() { return queue_; }
    WorkerClient& worker() { return worker_; }
    Jobs& jobs() { return jobs_; }
    History& history() { return *context_.history; }
    Desk& desk() { return *context_.desk; }
    ErrorBar& errorBar() { return *errors_; }
    /// Notices, which stay until they are dealt with.
    NoticeBar& notices() { return *notices_; }
    StagesPanel& stages() { return *stages_; }
    VariantPicker& variants() { return request_->variants(); }
    ParameterForm& parameters() { return request_->parameters(); }
    QComboBox& devices() { return request_->devices(); }
    QSettings& settings() { return *settings_; }
    QAction* action(const QString& name) const { return actions_.value(name); }
    QMenuBar* menuBar() const { return menus_; }
    /// Session and projects.
    WindowSession& kept() { return *kept_; }
    WindowHelp& help() { return *help_; }

  signals:
    void fileOpened(const QString& name);
    void openFailed(const ks::Error& error);
    void saved(const QString& path);
    /// A saved run was opened: its number in the table.
    void runOpened(int number);
    /// A run of the table was repeated and compared.
    void repeated(bool same);
    /// A new process of the program is to replace this one, which has lost a library.
    void newStartWanted();

  protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    // main_window.cpp
    void makePages(const std::vector<MakePage>& pages);
    void connectPage(Page* page);
    /// Shows the page of a request, and runs it there.
    /// @param wanted its device by title
    void runElsewhere(const Request& wanted);
    /// Goes to a place named by a verdict, on the page of its analysis.
    void showResultPlace(const QString& analysis, const VerdictPlace& place);
    /// Shows the page that times variants, with these chosen.
    void proposeMeasurement(const Measurement& wanted);
    void makeDock();
    void makeStatusBar();
    void connectParts();
    void connectRuns();
    void connectFiles();
    void keepSession();
    /// Opens a kernel text kept by the session in the editor.
    void showKeptKernel(const QString& analysis, const QString& file);
    void fitScreen();
    void showFile();
    /// The open file has changed since it was opened.
    void showChanged(const QString& changed);
    /// Reports how many frames of the open file have no data.
    void lookForMissing();
    void showPage(int index);
    void showBusy(bool busy, const QString& what);
    void showError(const Error& error);
    void readSettings();
    void writeSettings();
    // main_window_actions.cpp
    void makeActions();
    void makeMenus();
    void makeTopRow();
    void showPageOnly();
    /// @param runs whether the visible page has a set-up and runs
    void showSideTabs(bool runs);
    /// Hides the dock while the visible page has no use for it.
    void placeDock(const Page& shown);
    QAction* addAction(const QString& name, const QString& text, const QKeySequence& keys, const QString& tip,
                       const std::function<void()>& slot = {}, const QString& icon = {});
    /// Of the page, and the stages of its ticked runs.
    std::vector<NamedPlot> exportable() const;
    void fillExportMenu();
    void fillThemeMenu(QMenu& menu);
    void updateActions();
    void showAbout();
    void fillRecentMenu();
    void fillBeforeMenu();
    void fillDemoMenu();
    void askOpen();
    void askOpenFolder();
    void askOpenProject();

    QString damagedSettings_;  ///< name of the damaged settings; empty: they were intact
    std::unique_ptr<QSettings> settings_;
    SaveFolders* folders_;  ///< a child
    std::shared_ptr<const Registry> registry_;
    Jobs jobs_;
    WorkerClient worker_;
    RunTableModel runs_;
    RunQueue queue_;
    PageContext context_;
    FileSession files_;
    RunFiles runFiles_;
    RequestForm* request_;  ///< a child
    PageRuns pageRuns_;
    WindowHistory* steps_ = nullptr;
    WarmStart* warmStart_ = nullptr;
    KernelWindow* kernels_ = nullptr;  ///< null: not used yet

    PageStack* centre_ = nullptr;
    QTabBar* tabs_ = nullptr;
    QWidget* shortcuts_ = nullptr;  ///< buttons for entries of the menu File, if there is space
    ErrorBar* errors_ = nullptr;
    NoticeBar* notices_ = nullptr;
    DataPanel* data_ = nullptr;
    QPointer<RunsPanel> table_;  ///< in the drawer of the visible page, like the next one
    QPointer<StagesPanel> stages_;
    QWidget* inputs_ = nullptr;
    QDockWidget* dock_ = nullptr;
    QTabWidget* side_ = nullptr;  ///< in the dock
    bool dockAway_ = false;       ///< hidden by a page that has no use for it, to be shown again
    std::optional<int> sideTab_;  ///< of the dock, to be restored after a page that runs nothing
    QLabel *cursor_ = nullptr, *summary_ = nullptr, *stage_ = nullptr, *mark_ = nullptr;
    ElidedLabel* hint_ = nullptr;
    QProgressBar* progress_ = nullptr;
    TimeLeft timeLeft_;  ///< of the reported stage
    QString told_;       ///< of the run, before its stages
    QMenuBar* menus_ = nullptr;
    QueueButton* queueButton_ = nullptr;
    QMenu *recentMenu_ = nullptr, *beforeMenu_ = nullptr, *exportMenu_ = nullptr, *demoMenu_ = nullptr;
    const ExportablePlot* usedPlot_ = nullptr;  ///< may be dangling: only for comparisons
    QHash<QString, QAction*> actions_;
    WindowSession* kept_ = nullptr;
    OpenedRun* openedRun_ = nullptr;
    WindowHelp* help_ = nullptr;
};

}  // namespace ks::ui
