#include "ui/shell/run_files.h"

#include <QFileInfo>
#include <QStringList>
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/input/input_files.h"
#include "core/io/files/data_name.h"
#include "core/record/names_read.h"
#include "core/run/repeats/repeats.h"
#include "core/run/user/shown_variant.h"
#include "ui/base/save_folders.h"
#include "ui/base/save_guard.h"
#include "ui/plots/export_dialog.h"
#include "ui/shell/workbench.h"

namespace ks::ui {
namespace {

const QString runKind = QStringLiteral("run");
const QString csvKind = QStringLiteral("csv");
const QString figureKind = QStringLiteral("figure");
constexpr int savedMs = 8000;

}  // namespace

RunFiles::RunFiles(Workbench& bench, QWidget* window) : bench_(bench), window_(window) {}

const RunRow* RunFiles::shownRun() const {
    const QString& analysis = bench_.runs.analysis();
    return analysis.isEmpty() ? nullptr : bench_.runs.shownRun(analysis);
}

// The open file may be another one, and a run computed from parameters alone has none.
QString RunFiles::dataOf(const Run& run) const {
    const std::string name = bench_.registry()->analysis(run.request.analysis).info().data_of(run.request);
    return name.empty() ? QString() : QString::fromStdString(io::DataName::parse(name).file.string());
}

QString RunFiles::proposal(const RunRow& row) const {
    const Run& run = *row.run;
    const QString leaf =
        QStringLiteral("%1_%2_run%3.h5")
            .arg(QString::fromStdString(run.request.analysis), QString::fromStdString(run.variant.id))
            .arg(row.number);
    return bench_.folders.proposal(runKind, leaf, dataOf(run));
}

QString RunFiles::ask(const QString& kind, const QString& title, const QString& proposal,
                      const QString& filter) {
    const QString path = askSavePath(window_, title, proposal, filter);
    if (!path.isEmpty()) bench_.folders.remember(kind, path);
    return path;
}

void RunFiles::write(const std::shared_ptr<const Run>& run, const ExportedRun& what, const QString& path,
                     const std::function<void(const Analysis&, const std::filesystem::path&)>& save,
                     const std::function<void()>& done) {
    bench_.jobs.start(
        Jobs::Lane::general, QStringLiteral("save ") + path,
        [run, registry = bench_.registry(), path, save, read = bench_.saves.read()] {
            const std::filesystem::path to = path.toStdString();
            io::require_not_read("saving", to, names_read(*run));
            io::require_not_read("saving", to, read);
            save(registry->analysis(run->request.analysis), to);
            return path;
        },
        [this, done, what](const QString& written) {
            bench_.saves.setSucceeded();
            if (done) done();
            emit bench_.messages.said(tr("Saved %1: %2").arg(written, what.text), savedMs);
            if (!what.warning.isEmpty())
                emit bench_.messages.warned(
                    tr("%1 contains %2, but %3").arg(QFileInfo(written).fileName(), what.text, what.warning),
                    {});
            emit saved(written);
        },
        [this](const Error& error) {
            bench_.saves.setFailed(error);
            emit bench_.messages.failed(error);
        });
}

void RunFiles::saveRun(const RunRow& row, const QString& path, bool overwrite) {
    const ExportedRun what = bench_.pageRuns.exported(row);
    // The row may be removed while the dialog is open.
    const std::shared_ptr<const Run> run = row.run;
    const AnalysisPage* const page = bench_.files.pageOf(QString::fromStdString(run->request.analysis));
    const std::function<Run()> asShown = page ? page->asShown(row) : nullptr;
    const QString out =
        path.isEmpty() ? ask(runKind, tr("Save %1").arg(what.title), proposal(row), tr("HDF5 (*.h5)")) : path;
    if (out.isEmpty()) return;
    write(
        run, what, out,
        [run, asShown, replace = overwrite || path.isEmpty()](const Analysis& analysis,
                                                              const std::filesystem::path& to) {
            Progress quiet;
            analysis.save(asShown ? asShown() : *run, to, replace, quiet);
        },
        [this, run] { emit runSaved(run); });
}

void RunFiles::saveCsv(const RunRow& row, const QString& name, const QString& path, bool overwrite) {
    const ExportedRun what = bench_.pageRuns.exported(row);
    const std::shared_ptr<const Run> run = row.run;
    const QString leaf = QStringLiteral("%1_run%2.csv").arg(name).arg(row.number);
    const Analysis& analysis = bench_.registry()->analysis(run->request.analysis);
    const std::vector<CsvForm>& forms = analysis.csv_forms;
    QStringList filters;
    for (auto form = forms.rbegin(); form != forms.rend(); ++form)
        filters << tr("CSV, %1 (*.csv)").arg(QString::fromStdString(form->title));
    if (filters.isEmpty()) filters << tr("CSV (*.csv)");
    ChosenPath out{path, 0};
    if (path.isEmpty()) {
        out = askSavePath(window_, tr("Export %1").arg(what.title),
                          bench_.folders.proposal(csvKind, leaf, dataOf(*run)), filters);
        if (out.path.isEmpty()) return;
        bench_.folders.remember(csvKind, out.path);
    }
    const auto save = forms.empty() ? analysis.save_csv
                                    : forms[forms.size() - 1 - static_cast<std::size_t>(out.filter)].save;
    std::vector<std::string> notes;
    if (!what.outdated.isEmpty()) notes.push_back(what.outdated.toStdString());
    write(run, what, out.path,
          [run, notes, save, replace = overwrite || path.isEmpty()](const Analysis&,
                                                                    const std::filesystem::path& to) {
              Run noted = *run;
              noted.notes = notes;
              Progress quiet;
              save(noted, to, replace, quiet);
          });
}

PlotRuns RunFiles::runsOf(const NamedPlot& plot) const {
    if (plot.ofRuns) return plot.ofRuns();
    PlotRuns of{{}, bench_.pageRuns.showsPreview()};
    if (!of.preview)
        for (const RunRow& row : bench_.runs.ticked(bench_.runs.analysis())) of.numbers.push_back(row.number);
    return of;
}

QString RunFiles::proposal(const NamedPlot& plot, const PlotRuns& of) const {
    const QString open = bench_.folders.proposal(figureKind, plot.fileName());
    const RunRow* newest = nullptr;
    for (const int number : of.numbers) {
        const RunRow* const row = bench_.runs.find(number);
        if (!row) continue;
        if (!row->files.isEmpty() && bench_.runs.isOfFile(*row)) return open;
        if (!newest) newest = row;
    }
    if (!newest || of.preview) return open;
    return bench_.folders.proposal(figureKind, plot.fileName(), dataOf(*newest->run));
}

QStringList RunFiles::filesOf(const RunRow& row) const {
    QStringList names;
    for (const QString& file : row.files) names << bench_.runs.nameOf(file);
    const std::vector<RepeatRow> repeats = repeats_of(*row.run);
    if (repeats.empty() || names.isEmpty()) return names;
    QStringList averaged;
    for (const RepeatRow& one : repeats)
        if (one.left_out.empty())
            averaged << bench_.runs.nameOf(
                QString::fromStdString(io::DataName::parse(one.name).file.string()));
    // The first file is that of the frames, which a request names of one repeat; others, such as that of the
    // bins, may be the same one.
    const QString frames = names.takeFirst();
    names.removeIf([&](const QString& one) { return one == frames || averaged.contains(one); });
    names.prepend(QStringLiteral("%1: %2").arg(QString::fromStdString(average_text(*row.run)),
                                               averaged.join(QStringLiteral(", "))));
    return names;
}

FigureFile RunFiles::figureFile(const NamedPlot& plot) const {
    FigureFile made;
    made.read = bench_.saves.read();
    made.text.title = plot.title;
    const PlotRuns of = plot.measured ? PlotRuns() : runsOf(plot);
    made.proposal = proposal(plot, of);
    if (plot.measured) {
        if (const QString measured = plot.measured(); !measured.isEmpty()) made.text.measured << measured;
        return made;
    }
    const AnalysisPage* const page = bench_.files.analysisPage();
    const bool showsFile = page && page->needsFile() && bench_.files.pageAccepts();
    // Beside averages the open file is one of the repeats, which are named together.
    const auto isAverage = [this](int number) {
        const RunRow* const row = bench_.runs.find(number);
        return row && !repeats_of(*row->run).empty() && bench_.runs.isOfFile(*row);
    };
    const bool averages = !of.preview && !of.numbers.empty() && std::ranges::all_of(of.numbers, isAverage);
    if (const auto& file = bench_.files.file(); file && showsFile && !averages) {
        made.text.files << bench_.runs.nameOf(QFileInfo(file->path).absoluteFilePath());
    }
    if (of.preview) made.text.runs << (of.numbers.empty() ? tr("none (live preview)") : tr("live preview"));
    const auto once = [](QStringList& all, const QString& one) {
        if (!one.isEmpty() && !all.contains(one)) all << one;
    };
    for (const int number : of.numbers) {
        const RunRow* const found = bench_.runs.find(number);
        if (!found) continue;
        const RunRow& row = *found;
        QStringList marks;
        if (isWrong(row)) marks << tr("wrong");
        if (!bench_.pageRuns.exported(row).outdated.isEmpty()) marks << tr("outdated");
        made.text.runs << (marks.isEmpty()
                               ? QString::number(number)
                               : QStringLiteral("%1 (%2)").arg(number).arg(marks.join(QStringLiteral(", "))));
        once(made.text.variants, QString::fromStdString(shown_variant(*row.run)));
        std::vector<DeviceInfo> devices;
        for (const DeviceShare& one : row.run->devices) devices.push_back(one.device);
        if (devices.empty()) devices.push_back(row.run->device);
        for (const DeviceInfo& one : devices) {
            once(made.text.devices, QString::fromStdString(one.name));
            once(made.text.drivers, QString::fromStdString(one.driver));
        }
        for (const QString& name : filesOf(row)) once(made.text.files, name);
    }
    return made;
}

void RunFiles::exportPlot(const std::vector<NamedPlot>& plots, std::size_t chosen) {
    try {
        std::vector<Figure> figures;
        figures.reserve(plots.size());
        for (const NamedPlot& one : plots) figures.push_back({one.plot, figureFile(one)});
        ExportDialog dialog(std::move(figures), chosen, bench_.settings.get(), window_);
        dialog.exec();
        if (dialog.written().isEmpty()) return;
        bench_.folders.remember(figureKind, dialog.written());
        bench_.saves.setSucceeded();
        emit bench_.messages.said(tr("Saved %1").arg(dialog.written()), savedMs);
    } catch (const Error& error) {
        emit bench_.messages.failed(error);
    }
}

}  // namespace ks::ui
