#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/run/registry.h"
#include "core/run/run.h"

class QSettings;
class QWidget;

namespace ks::ui {

class FileSession;
class Jobs;
class RunTableModel;
class SaveFolders;

struct FigureFile;
struct NamedPlot;
struct RunRow;

/// Writes what came of runs: a run as HDF5, its curves or table as CSV, plots as figures. Proposes names,
/// asks for them where none is given, and writes runs in jobs.
class RunFiles : public QObject {
    Q_OBJECT
  public:
    /// All but the registry outlive it.
    /// @param settings where the choices of figures are kept
    /// @param window that its dialogs stand over
    RunFiles(Jobs& jobs, std::shared_ptr<const Registry> registry, const RunTableModel& runs,
             const FileSession& files, SaveFolders& folders, QSettings& settings, QWidget* window);

    /// The newest ticked run of the analysis that is looked at; null: there is none.
    const RunRow* newestTicked() const;
    /// "/folder/scan_012_xpcs_gram.tiled_run3.h5": data, analysis, variant and number of the run.
    QString proposal(const RunRow& row) const;
    /// As HDF5, which open_run() reads. Asks for a name where `path` is empty; the dialog asks before it
    /// names a file that exists.
    void saveRun(const RunRow& row, const QString& path = {}, bool overwrite = false);
    /// Curves or table as CSV. @param leaf of the proposed name: "g2.csv"
    void saveCsv(const RunRow& row, const QString& leaf, const QString& path = {}, bool overwrite = false);

    /// Where and under which name a plot is saved, and what its file says of the ticked runs.
    FigureFile figureFile(const NamedPlot& plot) const;
    /// Asks for the plot, the format, the size and the name; the picture or table is that of the plot.
    /// @param plots one at least
    /// @param chosen index of the plot that is proposed
    void exportPlot(const std::vector<NamedPlot>& plots, std::size_t chosen);

  signals:
    void message(const QString& text, int milliseconds = 0);
    void saved(const QString& path);
    /// A run was written as HDF5.
    void runSaved(std::shared_ptr<const ks::Run> run);
    void failed(const ks::Error& error);

  private:
    QString dataOf(const Run& run) const;
    QString ask(const QString& kind, const QString& title, const QString& proposal, const QString& filter);
    void write(const std::shared_ptr<const Run>& run, const QString& path,
               const std::function<void(const Analysis&, const std::filesystem::path&)>& save,
               const std::function<void()>& done = {});

    Jobs& jobs_;
    std::shared_ptr<const Registry> registry_;
    const RunTableModel& runs_;
    const FileSession& files_;
    SaveFolders& folders_;
    QSettings& settings_;
    QWidget* window_;
};

}  // namespace ks::ui
