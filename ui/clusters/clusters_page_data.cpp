// What the page reads, computes and asks for.

#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QTimer>
#include <algorithm>

#include "core/io/files/data_name.h"
#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/filtered_table.h"
#include "ui/base/parameter_form.h"
#include "ui/clusters/clusters_page.h"
#include "ui/clusters/modules/module_map.h"
#include "ui/clusters/modules/module_overview.h"
#include "ui/clusters/steps/step_panel.h"
#include "ui/files/file_filters.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/runs/run_source.h"

namespace ks::ui::clusters {
namespace {

const QString layoutId = QStringLiteral("layout");
constexpr std::size_t livelyDigis = 5'000'000;  ///< of more the whole takes longer than a hand waits

bool holdsDigis(const io::FileNode& node) {
    const auto has = [&node](const char* name) {
        return std::any_of(node.children.begin(), node.children.end(), [name](const io::FileNode& child) {
            return child.name == name && child.kind == io::FileNode::Kind::dataset;
        });
    };
    return (has("module") && has("x") && has("y") && has("adc")) ||
           std::any_of(node.children.begin(), node.children.end(), holdsDigis);
}

}  // namespace

bool ClustersPage::accepts(const OpenFile& file) const {
    return io::suffix_of(file.path.toStdString()) == ".csv" || holdsDigis(file.tree);
}

QStringList ClustersPage::fileFilters() const {
    return {tablesFilter(tr("Digis"), true)};
}

std::optional<Demo> ClustersPage::demo() const {
    return Demo{{{"events", std::int64_t{3}}}, QStringLiteral("h5")};
}

QStringList ClustersPage::ownParameters() const {
    return {layoutId, QStringLiteral("charge_cut"), QStringLiteral("record")};
}

void ClustersPage::resetParameters() {
    form_->reset();
}

QWidget* ClustersPage::inputWidget() {
    return inputs_;
}

void ClustersPage::setFile(std::shared_ptr<const OpenFile> file) {
    file_ = std::move(file);
    for (FilteredTable* table : {clusterTable_, moduleTable_, differenceTable_})
        table->setRead({{"digis", file_->path.toStdString()}});
    runs_.setPreview(nullptr);
    waiting_.reset();
    readDigis();
}

std::function<std::any()> ClustersPage::reader(const OpenFile& file) const {
    return [name = file.name.toStdString(),
            layout = byHandLayout_ ? shownLayout_ : std::string()]() -> std::any {
        try {
            return readDigiSet(name, layout);
        } catch (const Error&) {
            // It may be of another detector than the one that was chosen for the file before.
            if (layout.empty()) throw;
            return readDigiSet(name, {});
        }
    };
}

void ClustersPage::readDigis() {
    digis_.reset();
    takeRuns({});
    showEvent(0);
    showEmptyTexts();
    context_.jobs.start(
        Jobs::Lane::files, this, QStringLiteral("digis"),
        [given = contentOf<DigiSet>(*file_), name = file_->name.toStdString(),
         layout = byHandLayout_ ? shownLayout_ : std::string()] {
            return given ? given : readDigiSet(name, layout);
        },
        [this](std::shared_ptr<const DigiSet> digis) { takeDigis(std::move(digis)); },
        [this](const Error& error) {
            file_.reset();
            showEmptyTexts();
            emit failed(error);
            emit inputsChanged();
        });
}

void ClustersPage::takeDigis(std::shared_ptr<const DigiSet> digis) {
    digis_ = std::move(digis);
    shownLayout_ = digis_->layout().id;
    {
        const QSignalBlocker quiet(form_);
        form_->setValue(layoutId, shownLayout_);
        takeCutOfLayout();
        formSteps_->settle();
    }
    guess_->setWhole(tr("Guessed: %1").arg(QString::fromStdString(digis_->layout().title)));
    guess_->setVisible(!byHandLayout_ && shownLayout_ != "free");
    const std::size_t events = digis_->events();
    {
        const QSignalBlocker quiet(events_);
        events_->setFrameCount(static_cast<int>(events));
        events_->setFrame(0);
    }
    events_->setVisible(events > 1);
    slot_.reset();
    plots_->setRuns({}, &digis_->layout());
    plots_->setCut(text(form_->values(), "charge_cut"));
    showEvent(0);
    showEmptyTexts();
    decode();
    lookAtKept();
    emit inputsChanged();
}

// A cut in the charges of one detector means nothing for those of another.
void ClustersPage::takeCutOfLayout() {
    if (!cutLayout_.empty() && cutLayout_ != shownLayout_) {
        const QString id = QStringLiteral("charge_cut");
        cuts_[QString::fromStdString(cutLayout_)] =
            QString::fromStdString(text(form_->values(), "charge_cut"));
        const auto kept = cuts_.constFind(QString::fromStdString(shownLayout_));
        form_->setValue(id, kept == cuts_.cend() ? std::string("off") : kept->toStdString());
    }
    cutLayout_ = shownLayout_;
}

void ClustersPage::edited() {
    if (text(form_->values(), "layout") != shownLayout_) return changeLayout();
    plots_->setCut(text(form_->values(), "charge_cut"));
    if (!file_) return;
    emit previewWanted();
    emit inputsChanged();
}

void ClustersPage::changeLayout() {
    shownLayout_ = text(form_->values(), "layout");
    byHandLayout_ = true;
    guess_->hide();
    if (!digis_) {
        // The file may have failed in the layout that was chosen before.
        if (file_) readDigis();
        return;
    }
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("layout"),
        [digis = digis_, layout = shownLayout_] { return inLayout(*digis, layout); },
        [this](std::shared_ptr<const DigiSet> digis) { takeDigis(std::move(digis)); },
        [this](const Error& error) {
            // What is shown stays in its layout.
            shownLayout_ = digis_->layout().id;
            const QSignalBlocker quiet(form_);
            form_->setValue(layoutId, shownLayout_);
            emit failed(error);
        });
}

QString ClustersPage::missing() const {
    if (!file_) return tr("there are no digis: open a CSV or HDF5 file with digis, or the demo");
    if (!digis_) return tr("the digis are being read");
    try {
        ks::clusters::charge_cuts_from(text(form_->values(), "charge_cut"), digis_->layout());
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

void ClustersPage::apply(const ParameterSet& given) {
    for (const char* id : {"layout", "charge_cut"})
        if (const auto one = given.find(id); one != given.end())
            form_->setValue(QLatin1String(id), one->second);
    if (given.contains("charge_cut")) cutLayout_.clear();
}

void ClustersPage::fill(Request& request) const {
    request.inputs["digis"] = {file_->name.toStdString(), {}};
    fillOwn(request.parameters);
    if (!recording_ || !slot_) return;
    request.parameters["record"] = static_cast<std::int64_t>(*slot_);
    if (!recordVariant_.empty()) request.variant = recordVariant_;
}

void ClustersPage::fillOwn(ParameterSet& parameters) const {
    for (const auto& [id, value] : form_->values()) parameters[id] = value;
}

void ClustersPage::setOutdated(const QStringList& labels) {
    if (labels == outdated_) return;
    outdated_ = labels;
    showStatus();
}

Page::Reduced ClustersPage::reduce(Request& request, double /*share*/) const {
    if (digis_->digis().size() > livelyDigis) return Reduced::noPreviews;
    request.check = CheckMode::none;
    return Reduced::whole;
}

/// @param variant empty: the chosen one
void ClustersPage::record(const std::string& variant) {
    recordVariant_ = variant;
    recording_ = true;
    emit runRequested();
    recording_ = false;
    show(Part::steps);
}

// On a device a variant records its own algorithm; the page shows both, which the reference records.
void ClustersPage::complete() {
    if (!completing_ || !trace_ || !slot_ || trace_->slot() != *slot_) return;
    completing_ = false;
    if (trace_->hasLabels() && trace_->hasParents()) return;
    // The session is still busy with the run that has come.
    QTimer::singleShot(0, this, [this] { record(ks::clusters::analysis_info().reference); });
}

void ClustersPage::setPreview(std::shared_ptr<const Run> run) {
    if (runs_.setPreview(std::move(run))) decode();
}

void ClustersPage::setRuns(const std::vector<RunRow>& runs) {
    runs_.setTicked(runs);
    decode();
}

bool ClustersPage::ofThisFile(const Run& run) const {
    return file_ && digis_ && readFrom(run, "digis", file_->name, {{"digis", digis_->digis().size()}});
}

// Runs of many events hold millions of clusters: decoded beside the window, those that are known not again.
void ClustersPage::decode() {
    struct Wanted {
        RunRow row;
        ShownRun known;
    };
    std::vector<Wanted> wanted;
    for (const RunRow& row : runs_.shown()) {
        ShownRun known;
        // A check makes another Run of the same number with the same result.
        for (const ShownRun& one : all_)
            if (row.number > 0 && one.run->number() == row.number && one.run->digis() == digis_) known = one;
        wanted.push_back({row, known});
    }
    if (wanted.empty()) {
        context_.jobs.drop(this, QStringLiteral("clusters of runs"));
        return takeRuns({});
    }
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("clusters of runs"),
        [wanted, digis = digis_] {
            std::vector<ShownRun> shown;
            for (const Wanted& one : wanted)
                shown.push_back(one.known.run ? one.known : shownRun(one.row.run, one.row.number, digis));
            return shown;
        },
        [this](std::vector<ShownRun> shown) { takeRuns(std::move(shown)); },
        [this](const Error& error) {
            takeRuns({});
            emit failed(error);
        });
}

void ClustersPage::takeRuns(std::vector<ShownRun> shown) {
    all_ = std::move(shown);
    const auto before = a_.run;
    a_ = all_.empty() ? ShownRun{} : all_[0];
    b_ = all_.size() > 1 ? all_[1] : ShownRun{};
    if (a_.run != before) picked_.reset();
    findTrace();
    plots_->setRuns(all_, digis_ ? &digis_->layout() : nullptr);
    plots_->setCut(text(form_->values(), "charge_cut"));
    showTables();
    compare();
    showEmptyTexts();
    if (!digis_) return;
    overview_->setEvent(digis_, a_.run, event_);
    showModule();
}

void ClustersPage::findTrace() {
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [](const ShownRun& one) { return StepTrace::in(*one.run->run()); });
    if (found == all_.end()) {
        trace_.reset();
        return;
    }
    try {
        const auto& run = found->run->run();
        if (trace_ && trace_->run() == run) return;
        StepTrace made(run);
        if (trace_) made = made.completedBy(*trace_);
        trace_ = std::make_shared<const StepTrace>(std::move(made));
        // It may have been recorded in another layout, where modules have other slots.
        const auto slot = digis_->digis().slot();
        if (trace_->size() == 0 || slot[static_cast<std::size_t>(trace_->row(0))] != trace_->slot())
            trace_.reset();
        if (trace_)
            traceName_ = tr("Module %1, run %2, %3")
                             .arg(digis_->module(trace_->slot()))
                             .arg(found->run->number())
                             .arg(QString::fromStdString(run->variant.id));
        complete();
    } catch (const Error& error) {
        trace_.reset();
        emit failed(error);
    }
}

void ClustersPage::compare() {
    difference_.reset();
    context_.jobs.drop(this, QStringLiteral("difference of runs"));
    const bool two = a_.run && b_.run;
    differences_.setDifference(nullptr, nullptr, nullptr);
    differenceText_->setText({});
    differenceText_->hide();
    differenceTable_->refresh(
        two ? tr("Comparing \u2026")
            : tr("Tick two runs of this file: merged, split and missing clusters appear here."));
    if (!two) return;
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("difference of runs"),
        // The older one is the first: what the newer one makes of its clusters.
        [a = b_.run, b = a_.run] { return std::make_shared<const DifferenceOfRuns>(differenceOf(*a, *b)); },
        [this](std::shared_ptr<const DifferenceOfRuns> found) {
            QStringList parts{tr("%1 the same").arg(grouped(found->same))};
            for (int kind = 0; kind <= static_cast<int>(DifferenceKind::changed); ++kind)
                if (const std::size_t n = found->count(static_cast<DifferenceKind>(kind)))
                    parts << QStringLiteral("%1 %2").arg(
                        grouped(n), DifferenceModel::kindText(static_cast<DifferenceKind>(kind)));
            const auto name = [](const RunClusters& run) {
                return run.number() > 0 ? tr("run %1").arg(run.number()) : tr("the preview");
            };
            differenceText_->setText(
                tr("From %1 to %2: %3").arg(name(*b_.run), name(*a_.run), parts.join(QStringLiteral(", "))));
            differenceText_->show();
            differences_.setDifference(std::move(found), b_.run, a_.run);
            differenceTable_->refresh(tr("Both runs have the same clusters."));
        });
}

}  // namespace ks::ui::clusters
