#pragma once

#include <QMainWindow>
#include <QPointer>
#include <QSettings>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/registry.h"
#include "ui/base/input/tab_order.h"
#include "ui/plots/plot_view.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/stages_view.h"
#include "ui/shell/page.h"
#include "ui/shell/variant_timer.h"
#include "ui/shell/workbench.h"

class QTabBar;

namespace ks::ui {

class ErrorBar;
class KernelWindow;
class NoticeBar;
class PageStack;
class QueuePanel;
class SideDock;
class StatusLine;
class WindowActions;
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
    void open(const QString& name) { files().open(name); }
    /// The same for a file, or for several ones that are a series; at least one.
    void open(const QStringList& files);
    /// Opens files, or those of a folder or a pattern, as repeats of a measurement.
    void openRepeats(const QStringList& files);
    void openDemo() { files().openDemo(); }
    /// Shows the page of an analysis, or the one of this id, and selects that analysis; false if there is
    /// none.
    bool setPage(const QString& analysis);
    /// Leftmost first; for a page of one analysis its id.
    QStringList pageIds() const;
    /// What setPage() takes, leftmost page first: the analyses, and the ids of pages without one.
    QStringList pageNames() const;
    // As PageRuns does.
    void startRun() { bench_.pageRuns.start(); }
    void repeat(int number) { bench_.pageRuns.repeat(number); }
    void cancel() { bench_.pageRuns.cancel(); }
    QString missing() const { return bench_.pageRuns.missing(); }
    LivePreview& live() { return bench_.pageRuns.live(); }
    QueuePanel& queuePanel();
    /// Saves the run that the page shows (RunTableModel::shownRun()) as HDF5; asks for a name if `path` is
    /// empty.
    void saveRun(const QString& path = {}, bool overwrite = false);
    /// Writes the curves or the table of that run as CSV.
    void saveCsv(const QString& path = {}, bool overwrite = false);
    void exportFigure(const ExportablePlot& plot) override;
    void usePlot(const ExportablePlot& plot) override;
    /// Exports the plot that the user used last; if that is not on the screen, the first one of the page that
    /// is.
    void exportPlot();
    /// Of the page, and the stages of its ticked runs.
    std::vector<NamedPlot> exportable() const;
    void restoreDefaultLayout();
    /// Limits the threads of the window and of its worker, which is restarted, and stores it as a setting.
    /// Nothing: one per processor. Throws ks::Error(input) as limit_threads() does.
    void setThreads(std::optional<unsigned> threads);

    /// Created on first use.
    KernelWindow& kernels();
    /// Whether the Kernels window is open.
    bool showsKernels() const;
    /// Builds the visible page's kernels in the background before they are needed; initially off.
    WarmStart& warmStart() { return bench_.warmStart; }

    Page* page() const { return bench_.files.page(); }
    AnalysisPage* analysisPage() const { return bench_.files.analysisPage(); }
    /// Name of the files for its results, without suffix: "g2".
    QString resultName() const;
    const std::shared_ptr<const OpenFile>& file() const { return bench_.files.file(); }
    FileSession& files() { return bench_.files; }
    const RunFiles& runFiles() const { return bench_.runFiles; }
    RunTableModel& runs() { return bench_.runs; }
    RunQueue& queue() { return bench_.queue; }
    WorkerClient& worker() { return bench_.worker; }
    Jobs& jobs() { return bench_.jobs; }
    History& history() { return *bench_.context.history; }
    Desk& desk() { return bench_.desk; }
    PageRuns& pageRuns() { return bench_.pageRuns; }
    RequestForm& request() { return bench_.request; }
    SideDock& dock() { return *dock_; }
    ErrorBar& errorBar() { return *errors_; }
    Messages& messages() { return bench_.messages; }
    /// Notices, which stay until they are dealt with.
    NoticeBar& notices() { return *notices_; }
    StagesPanel& stages() { return *stages_; }
    VariantPicker& variants() { return bench_.request.variants(); }
    ParameterForm& parameters() { return bench_.request.parameters(); }
    QComboBox& devices() { return bench_.request.devices(); }
    QSettings& settings() { return *bench_.settings; }
    QAction* action(const QString& name) const;
    QMenuBar* menuBar() const;
    /// Session and projects.
    WindowSession& kept() { return *kept_; }
    WindowHelp& help() { return *help_; }

  signals:
    void fileOpened(const QString& name);
    /// A new process of the program is to replace this one, which has lost a library.
    void newStartWanted();

  protected:
    bool focusNextPrevChild(bool next) override {
        return moveFocus(*this, next) || QMainWindow::focusNextPrevChild(next);
    }
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    /// Several files that are no series: the user decides what they are.
    void offerRepeats(const std::vector<std::string>& names);
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
    void connectParts();
    void connectRuns();
    void connectTable();
    void connectFiles();
    void keepSession();
    /// Opens a kernel text kept by the session in the editor.
    void showKeptKernel(const QString& analysis, const QString& file);
    void showFile();
    void showTitle();
    void showPage(int index);
    void showError(const Error& error);
    void updateActions();
    /// The notice about an input of the visible analysis that has changed on disk, or none.
    void showChangedInput();
    void readSettings();
    void writeSettings();

    Workbench bench_;
    KernelWindow* kernels_ = nullptr;  ///< null: not used yet
    PageStack* centre_ = nullptr;
    QTabBar* tabs_ = nullptr;
    ErrorBar* errors_ = nullptr;
    NoticeBar* notices_ = nullptr;
    SideDock* dock_ = nullptr;
    QPointer<RunsPanel> table_;  ///< in the drawer of the visible page, like the next one
    QPointer<StagesPanel> stages_;
    std::map<QString, QStringList> changedInputs_;  ///< files changed on disk since the last run, by analysis
    StatusLine* status_ = nullptr;
    WindowActions* actions_ = nullptr;
    WindowHistory* steps_ = nullptr;
    WindowSession* kept_ = nullptr;
    WindowHelp* help_ = nullptr;
    /// Notes the plot that the user clicks, drags or scrolls, or goes to with the Tab key.
    class UsedPlot;
    UsedPlot* used_;
};

}  // namespace ks::ui
