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

/// Which result a file gets.
struct ExportedRun {
    QString text;     ///< "run 3, outdated (Mask)"
    QString warning;  ///< a sentence, where something else is visible
};

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
    /// names a file that exists. Dialog and message name the run as `what` says.
    void saveRun(const RunRow& row, const ExportedRun& what, const QString& path = {},
                 bool overwrite = false);
    /// Curves or table as CSV. @param name of the proposed file, without number of the run and suffix: "g2"
    void saveCsv(const RunRow& row, const ExportedRun& what, const QString& name, const QString& path = {},
                 bool overwrite = false);
    /// Whether the pictures to be exported are those of a live preview, which is no run.
    void setPreviewed(std::function<bool()> previewed) { previewed_ = std::move(previewed); }

    /// Where and under which name a plot is saved, and what its file says of the ticked runs.
    FigureFile figureFile(const NamedPlot& plot) const;
    /// Asks for the plot, the format, the size and the name; the picture or table is that of the plot.
    /// @param plots one at least
    /// @param chosen index of the plot that is proposed
    void exportPlot(const std::vector<NamedPlot>& plots, std::size_t chosen);

  signals:
    void message(const QString& text, int milliseconds = 0);
    void warned(const QString& sentence, const QString& details);
    void saved(const QString& path);
    /// A run was written as HDF5.
    void runSaved(std::shared_ptr<const ks::Run> run);
    void failed(const ks::Error& error);

  private:
    QString dataOf(const Run& run) const;
    QString ask(const QString& kind, const QString& title, const QString& proposal, const QString& filter);
    void write(const std::shared_ptr<const Run>& run, const ExportedRun& what, const QString& path,
               const std::function<void(const Analysis&, const std::filesystem::path&)>& save,
               const std::function<void()>& done = {});

    Jobs& jobs_;
    std::shared_ptr<const Registry> registry_;
    const RunTableModel& runs_;
    const FileSession& files_;
    SaveFolders& folders_;
    QSettings& settings_;
    QWidget* window_;
    std::function<bool()> previewed_;
};

}  // namespace ks::ui
