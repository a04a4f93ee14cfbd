#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/run/run.h"

class QWidget;

namespace ks {
class Analysis;
}

namespace ks::ui {

struct FigureFile;
struct NamedPlot;
struct PlotRuns;
struct RunRow;
struct Workbench;

/// The result that goes into a file.
struct ExportedRun {
    QString text;     ///< "run 3, outdated (Mask)"; "run 4 of b.h5" if another file is open
    QString title;    ///< the same with the name of the file in any case: "run 3 of a.h5, outdated (Mask)"
    QString warning;  ///< a sentence, if something else is visible
    QString outdated = {};  ///< "outdated (Mask)"; empty: it is not
};

/// Writes results of runs: a run as HDF5, its curves or table as CSV, plots as figures. Proposes names, shows
/// dialogs if none is given, and writes runs in jobs.
class RunFiles : public QObject {
    Q_OBJECT
  public:
    /// @param bench of which it is a part
    /// @param window parent of its dialogs
    RunFiles(Workbench& bench, QWidget* window);

    /// The run of the current analysis that is saved and exported, see RunTableModel::shownRun(); null: none
    /// is ticked.
    const RunRow* shownRun() const;
    /// "/folder/scan_012_xpcs_gram.tiled_run3.h5": data, analysis, variant and number of the run.
    QString proposal(const RunRow& row) const;
    /// Writes HDF5 that open_run() reads. Shows a dialog if `path` is empty, which confirms overwriting.
    void saveRun(const RunRow& row, const QString& path = {}, bool overwrite = false);
    /// Curves or table as CSV, in the form that is chosen in the dialog; without a dialog in the one that it
    /// proposes.
    /// @param name proposed file name, without run number and suffix: "g2"
    void saveCsv(const RunRow& row, const QString& name, const QString& path = {}, bool overwrite = false);

    /// Folder and name for a plot, and what its file states about the ticked runs.
    FigureFile figureFile(const NamedPlot& plot) const;
    /// Asks for plot, format, size and name, and exports the picture or table of the plot.
    /// @param plots at least one
    /// @param chosen index of the proposed plot
    void exportPlot(const std::vector<NamedPlot>& plots, std::size_t chosen);

  signals:
    void saved(const QString& path);
    /// A run was written as HDF5.
    void runSaved(std::shared_ptr<const ks::Run> run);

  private:
    PlotRuns runsOf(const NamedPlot& plot) const;
    QString dataOf(const Run& run) const;
    /// The proposed path of a plot: with the name of the open data if a run of them, or none, is shown, else
    /// with that of the data of the newest run shown.
    QString proposal(const NamedPlot& plot, const PlotRuns& of) const;
    /// The data of a run as a figure names them: "scan_1.h5"; of an average "average of 2 of 3 repeats:
    /// scan_1.h5, scan_2.h5".
    QStringList filesOf(const RunRow& row) const;
    QString ask(const QString& kind, const QString& title, const QString& proposal, const QString& filter);
    void write(const std::shared_ptr<const Run>& run, const ExportedRun& what, const QString& path,
               const std::function<void(const Analysis&, const std::filesystem::path&)>& save,
               const std::function<void()>& done = {});

    Workbench& bench_;
    QWidget* window_;
};

}  // namespace ks::ui
