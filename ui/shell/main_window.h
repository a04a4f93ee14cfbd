#pragma once

#include <QHash>
#include <QMainWindow>
#include <QSettings>
#include <memory>
#include <vector>

#include "core/run/registry.h"
#include "ui/models/run_table_model.h"
#include "ui/shell/jobs.h"
#include "ui/shell/live_preview.h"
#include "ui/shell/open_file.h"
#include "ui/shell/page.h"
#include "ui/shell/run_session.h"
#include "ui/shell/worker_client.h"

class QAction;
class QActionGroup;
class QComboBox;
class QDockWidget;
class QLabel;
class QMenu;
class QProgressBar;
class QStackedWidget;
class QTabBar;

namespace ks::ui {

class DataPanel;
class ErrorBar;
class ParameterForm;
class RunsPanel;
class VariantPicker;

/// The window: one page in the centre, docks for data, parameters and runs, menus, and an error bar on top.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    /// @param settings where layout, recent files and parameters are kept; null: the user's own
    explicit MainWindow(std::unique_ptr<QSettings> settings = nullptr, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// FILE or FILE::/path; reads in a job.
    void open(const QString& name);
    /// Makes the demo data where they are not in the cache yet, and opens them.
    void openDemo();
    void startRun();
    LivePreview& live() { return live_; }
    void cancel();
    /// Saves the newest ticked run as HDF5; asks for a name where `path` is empty.
    void saveRun(const QString& path = {}, bool overwrite = false);
    /// Writes the curves of the newest ticked run.
    void saveCsv(const QString& path = {}, bool overwrite = false);
    /// Asks for a name; the picture or table is that of the plot.
    void exportPlotOf(const NamedPlot& plot);
    void restoreDefaultLayout();

    Page* page() const;
    const std::shared_ptr<const OpenFile>& file() const { return file_; }
    RunTableModel& runs() { return runs_; }
    RunSession& session() { return session_; }
    WorkerClient& worker() { return worker_; }
    Jobs& jobs() { return jobs_; }
    ErrorBar& errorBar() { return *errors_; }
    VariantPicker& variants() { return *variants_; }
    ParameterForm& parameters() { return *form_; }
    QComboBox& devices() { return *devices_; }
    QSettings& settings() { return *settings_; }
    QAction* action(const QString& name) const { return actions_.value(name); }
    QStringList recentFiles() const;

  signals:
    void fileOpened(const QString& name);
    void openFailed(const ks::Error& error);
    void saved(const QString& path);

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    // main_window.cpp
    void makePages();
    void makeDocks();
    void makeStatusBar();
    void connectParts();
    void showPage(int index);
    void showBusy(bool busy, const QString& what);
    void showError(const Error& error);
    void readSettings();
    void writeSettings();
    // main_window_actions.cpp
    void makeActions();
    void makeMenus();
    void makeToolBar();
    QAction* addAction(const QString& name, const QString& text, const QKeySequence& keys, const QString& tip,
                       const std::function<void()>& slot, const QString& icon = {});
    void fillExportMenu();
    void updateActions();
    void showAbout();
    // main_window_files.cpp
    void opened(OpenFile file);
    void remember(const QString& name);
    void fillRecentMenu();
    void askOpen();
    QString askSave(const QString& title, const QString& proposal, const QString& filter);
    std::shared_ptr<const Run> newestTicked() const;
    template <class Save>
    void saveInJob(const QString& path, Save save);
    // main_window_runs.cpp
    void onCatalogue(const wire::Catalogue& catalogue);
    void showOffers();
    void showRuns();
    void previewWanted();
    /// Throws ks::Error(input) where something is missing, ks::Error(run) where there is no worker yet.
    Request makeRequest() const;
    void onRunAdded(const std::shared_ptr<const Run>& run);
    const AnalysisInfo* analysisOfPage() const;
    void repeat(int number);
    void copyRuns();

    std::unique_ptr<QSettings> settings_;
    std::shared_ptr<const Registry> registry_;
    Jobs jobs_;
    WorkerClient worker_;
    RunTableModel runs_;
    RunSession session_;
    LivePreview live_;
    PageContext context_;
    wire::Catalogue catalogue_;
    std::shared_ptr<const OpenFile> file_;
    QHash<QString, ParameterSet> savedParameters_;

    std::vector<Page*> pages_;
    QStackedWidget* centre_ = nullptr;
    QTabBar* tabs_ = nullptr;
    ErrorBar* errors_ = nullptr;
    DataPanel* data_ = nullptr;
    RunsPanel* table_ = nullptr;
    QStackedWidget* inputs_ = nullptr;
    ParameterForm* form_ = nullptr;
    VariantPicker* variants_ = nullptr;
    QComboBox* devices_ = nullptr;
    QDockWidget *dataDock_ = nullptr, *parametersDock_ = nullptr, *runsDock_ = nullptr;
    QLabel *cursor_ = nullptr, *summary_ = nullptr, *device_ = nullptr, *stage_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QMenu *recentMenu_ = nullptr, *exportMenu_ = nullptr;
    QHash<QString, QAction*> actions_;
};

}  // namespace ks::ui
