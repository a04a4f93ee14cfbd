#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QTabWidget>
#include <algorithm>
#include <utility>

#include "core/base/json_text.h"
#include "core/io/files/atomic_file.h"
#include "core/run/bench_baseline.h"
#include "ui/base/filtered_table.h"
#include "ui/base/json_read.h"
#include "ui/base/save_folders.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_table_model.h"
#include "ui/lab/plan_form.h"
#include "ui/lab/report_file.h"
#include "ui/lab/roofline_pane.h"
#include "ui/lab/roofline_plot.h"
#include "ui/lab/strip_plot.h"
#include "ui/lab/view_choice.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/device_titles.h"
#include "ui/runs/stages_view.h"
#include "ui/shell/general/size_plots.h"

namespace ks::ui::lab {
namespace {

const QString reportFolder = QStringLiteral("report");

}  // namespace

void LabPage::saveReport(const Compared& report, const QString& path, bool overwrite) const {
    // A report that was read may lack parts of what its file contains.
    std::string text = bench_text(report.report);
    if (QFile kept(report.kept); !report.kept.isEmpty()) {
        if (!kept.open(QIODevice::ReadOnly))
            throw Error(ErrorKind::input, "could not be read", report.kept.toStdString());
        text = kept.readAll().toStdString();
    }
    io::write_text(path.toStdString(), text, overwrite);
}

void LabPage::askSave() {
    std::vector<std::shared_ptr<const Compared>> complete;
    QStringList names;
    for (const auto& one : compared())
        if (isSavable(*one)) {
            complete.push_back(one);
            names << one->name();
        }
    for (std::size_t i = 0; i < complete.size(); ++i) {
        // With several devices each one gets its own file, as with `bench`.
        const QString leaf =
            QStringLiteral("bench_%1%2.json")
                .arg(form_->analysis(), complete.size() > 1 ? QStringLiteral("_%1").arg(i + 1) : QString());
        const QString path =
            askSavePath(this, tr("Save report of %1").arg(names[static_cast<qsizetype>(i)]),
                        savePathOfNone(this, reportFolder, leaf), tr("Benchmark reports (*.json)"));
        if (path.isEmpty()) return;
        rememberSaved(this, reportFolder, path);
        try {
            saveReport(*complete[i], path, true);  // the dialog has asked
        } catch (const Error& error) {
            emit failed(error);
        }
    }
}

void LabPage::askOpen() {
    const QStringList paths = QFileDialog::getOpenFileNames(
        this, tr("Open reports"), QFileInfo(savePath(this, reportFolder, QStringLiteral("x"))).path(),
        tr("Benchmark reports (*.json)"));
    if (!paths.isEmpty()) rememberSaved(this, reportFolder, paths.front());
    for (const QString& path : paths) openReport(path);
}

void LabPage::openReport(const QString& path) {
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("report ") + path,
        [path = path.toStdString(), registry = registry_] { return readReport(path, *registry); },
        [this, path](const std::shared_ptr<Compared>& read) {
            const std::string& analysis = read->report.plan.analysis;
            std::vector<std::shared_ptr<const Compared>>& opened = results_[analysis].opened;
            std::erase_if(opened, [&](const auto& one) { return one->file == path; });
            opened.push_back(read);
            // A report of another analysis is shown with that analysis.
            if (analysis != analysisKey()) form_->choose(QString::fromStdString(analysis));
            view_->showOne(*read, compared());
            refresh();
            emit this->opened(path);
        });
}

void LabPage::closeReports() {
    results().opened.clear();
    refresh();
}

void LabPage::showOnItsPage() {
    const int item = table_->selected();
    if (item < 0) return;
    const Entry& entry = model_->entries()[static_cast<std::size_t>(item)];
    const BenchReport& report = entry.of->report;
    Request wanted;
    wanted.analysis = report.plan.analysis;
    wanted.variant = entry.row->variant.id;
    wanted.device = titleAmong(desk_->catalogue().devices, report.device).toStdString();
    // The problem itself if parameters define it completely; otherwise the page's data are used.
    const AnalysisInfo& info = registry_->analysis(wanted.analysis).info();
    if (report.plan.request)
        wanted.parameters = report.plan.request->parameters;
    else if (!info.needs_input())
        for (const auto& [id, value] : entry.point->sizes)
            if (std::ranges::find(info.parameters, id, &ParameterSpec::id) != info.parameters.end())
                wanted.parameters[id] = value;
    emit runElsewhereWanted(wanted);
}

std::vector<NamedPlot> LabPage::plots() const {
    const QString analysis = form_->analysis();
    return {{tr("Times"), times_, analysis + QStringLiteral("_times")},
            {tr("Stages"), &stages_->timing(), analysis + QStringLiteral("_stages")},
            {tr("Time over size"), &sizes_->times(), analysis + QStringLiteral("_sizes")},
            {tr("Rate over size"), &sizes_->rates(), analysis + QStringLiteral("_rates")},
            {tr("Roofline"), &roofline_->plot(), analysis + QStringLiteral("_roofline")}};
}

std::vector<PicturePlace> LabPage::pictures() const {
    const QRectF all(tabs_->rect());
    return {placeIn(*this, *tabs_, {all, all})};
}

std::optional<PageState> LabPage::state(Scope scope) const {
    if (scope != Scope::settings && scope != Scope::session) return std::nullopt;
    PageState state;
    state.values["plan"] = form_->keep();
    if (scope == Scope::session) return state;
    state.values["tab"] = tabs_->currentIndex();
    state.values["time"] = view_->times().currentIndex();
    const std::optional<bool> hand = view_->logarithmicByHand();
    state.values["logarithmicTimes"] = hand ? nlohmann::json(*hand) : nlohmann::json();
    return state;
}

void LabPage::setState(const PageState& state, Scope scope) {
    const nlohmann::json& values = state.values;
    if (scope == Scope::settings) {
        tabs_->setCurrentIndex(jsonInteger(values, "tab"));
        view_->times().setCurrentIndex(std::clamp(jsonInteger(values, "time"), 0, 1));
        if (const nlohmann::json hand = jsonPart(values, "logarithmicTimes"); hand.is_boolean())
            view_->setLogarithmicByHand(hand.get<bool>());
    }
    if (scope == Scope::settings || scope == Scope::session) form_->bringBack(jsonPart(values, "plan"));
}

}  // namespace ks::ui::lab
