// What the page reads, computes and requests.

#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <algorithm>

#include "core/io/digis/digi_file.h"
#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/filtered_table.h"
#include "ui/clusters/clusters_page.h"
#include "ui/clusters/detector_form.h"
#include "ui/clusters/difference_panel.h"
#include "ui/clusters/modules/module_map.h"
#include "ui/clusters/modules/module_overview.h"
#include "ui/clusters/step_recorder.h"
#include "ui/files/file_filters.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/runs/run_source.h"

namespace ks::ui::clusters {
namespace {

constexpr std::size_t livelyDigis =
    5'000'000;  ///< above this number the full computation takes too long for live previews

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
    return io::are_columns_of_digis(file.columns) || holdsDigis(file.tree);
}

QStringList ClustersPage::fileFilters() const {
    return {tablesFilter(tr("Digis"), true)};
}

std::vector<Demo> ClustersPage::demos() const {
    return {Demo{{{"events", std::int64_t{3}}}, QStringLiteral("h5")}};
}

OwnParameters ClustersPage::ownParameters() const {
    return {{QStringLiteral("layout"), QStringLiteral("charge_cut"), QStringLiteral("record")}};
}

void ClustersPage::resetParameters() {
    detector_->reset();
}

QWidget* ClustersPage::inputWidget() {
    return detector_;
}

void ClustersPage::setFile(std::shared_ptr<const OpenFile> file) {
    if (file_ && file_->path != file->path) detector_->forgetOtherCuts();
    file_ = std::move(file);
    for (FilteredTable* table : {clusterTable_, moduleTable_, &difference_->table()})
        table->setRead({{"digis", file_->path.toStdString()}});
    runs_.setPreview(nullptr);
    waiting_.reset();
    readDigis();
}

std::function<std::any()> ClustersPage::reader(const OpenFile& file) const {
    return [name = file.name.toStdString(), layout = detector_->chosenLayout()]() -> std::any {
        try {
            return readDigiSet(name, layout);
        } catch (const Error&) {
            // The file may be from another detector than the one chosen for the previous file.
            if (layout.empty()) throw;
            return readDigiSet(name, {});
        }
    };
}

void ClustersPage::closeFile() {
    context_.jobs.drop(this, QStringLiteral("digis"));
    file_.reset();
    for (FilteredTable* table : {clusterTable_, moduleTable_, &difference_->table()}) table->setRead({});
    runs_.setPreview(nullptr);
    waiting_.reset();
    forgetDigis();
    events_->hide();
    plots_->setRuns({}, nullptr);
}

void ClustersPage::forgetDigis() {
    // Results computed from these digis must not arrive after they are gone.
    for (const char* job : {"layout", "clusters of runs"}) context_.jobs.drop(this, QString::fromLatin1(job));
    digis_.reset();
    unread_.clear();
    takeRuns({});
    showEventOf(0);
    showEmptyTexts();
}

void ClustersPage::readDigis() {
    forgetDigis();
    context_.jobs.start(
        Jobs::Lane::files, this, QStringLiteral("digis"),
        [given = contentOf<DigiSet>(*file_), name = file_->name.toStdString(),
         layout = detector_->chosenLayout()] { return given ? given : readDigiSet(name, layout); },
        [this](std::shared_ptr<const DigiSet> digis) { takeDigis(std::move(digis)); },
        [this](const Error& error) {
            // The file was opened for another page, which could read it: not an error for the user.
            file_.reset();
            unread_ = QString::fromUtf8(error.what());
            showEmptyTexts();
            emit inputsChanged();
        });
}

void ClustersPage::takeDigis(std::shared_ptr<const DigiSet> digis) {
    digis_ = std::move(digis);
    detector_->takeLayout(digis_->layout());
    const std::size_t events = digis_->events();
    {
        const QSignalBlocker quiet(events_);
        events_->setFrameCount(static_cast<int>(events));
        events_->setFrame(0);
    }
    events_->setVisible(events > 1);
    slot_.reset();
    plots_->setRuns({}, &digis_->layout());
    plots_->setCut(detector_->cut());
    showEventOf(0);
    showEmptyTexts();
    decode();
    lookAtKept();
    emit inputsChanged();
}

void ClustersPage::edited() {
    plots_->setCut(detector_->cut());
    if (file_) emit previewWanted();
}

void ClustersPage::changeLayout() {
    if (!digis_) {
        // The file may have failed in the previously chosen layout.
        if (file_) readDigis();
        return;
    }
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("layout"),
        [digis = digis_, layout = detector_->layout()] { return inLayout(*digis, layout); },
        [this](std::shared_ptr<const DigiSet> digis) { takeDigis(std::move(digis)); },
        [this](const Error& error) {
            // The displayed digis keep their layout.
            detector_->returnTo(digis_->layout().id);
            emit failed(error);
        });
}

QString ClustersPage::missing() const {
    if (!unread_.isEmpty()) return unread_;
    if (!file_) return tr("no digis: open a CSV or HDF5 file with digis, or the demo");
    if (!digis_) return tr("reading the digis");
    try {
        ks::clusters::charge_cuts_from(detector_->cut(), digis_->layout());
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

void ClustersPage::apply(const ParameterSet& given) {
    if (given.contains("layout")) detector_->setLayout(text(given, "layout"));
    if (!given.contains("charge_cut")) return;
    detector_->setCut(text(given, "charge_cut"));
    detector_->keepCutForNext();
}

void ClustersPage::fill(Request& request) const {
    request.inputs["digis"] = {file_->name.toStdString(), {}};
    fillOwn(request.parameters);
    if (slot_) recorder_->fill(request, *slot_);
}

void ClustersPage::fillOwn(ParameterSet& parameters) const {
    for (const auto& [id, value] : detector_->values()) parameters[id] = value;
}

void ClustersPage::setOutdated(const QStringList& labels) {
    if (labels == outdated_) return;
    outdated_ = labels;
    showStatus();
}

AnalysisPage::Reduced ClustersPage::reduce(Request& request, double /*share*/) const {
    if (digis_->digis().size() > livelyDigis) return Reduced::noPreviews;
    request.check = CheckMode::none;
    return Reduced::whole;
}

void ClustersPage::setPreview(std::shared_ptr<const Run> run) {
    if (runs_.setPreview(std::move(run))) decode();
}

void ClustersPage::setRuns(const std::vector<RunRow>& runs) {
    runs_.setTicked(runs);
    decode();
}

bool ClustersPage::ofThisFile(const Run& run) const {
    return file_ && digis_ && readFrom(run, "digis", *file_, {{"digis", digis_->digis().size()}});
}

// Runs with many events have millions of clusters. They are decoded in the background, and known ones are
// not decoded again.
void ClustersPage::decode() {
    struct Wanted {
        RunRow row;
        ShownRun known;
    };
    std::vector<Wanted> wanted;
    for (const RunRow& row : runs_.shown()) {
        ShownRun known;
        // A check makes another Run with the same number and result.
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
            shown.reserve(wanted.size());
            for (const Wanted& one : wanted) {
                shown.push_back(one.known.run ? one.known : shownRun(one.row.run, one.row.number, digis));
                shown.back().wrong = isWrong(one.row);
            }
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
    recorder_->setRuns(all_, digis_.get(), slot_);
    plots_->setRuns(all_, digis_ ? &digis_->layout() : nullptr);
    plots_->setCut(detector_->cut());
    showTables();
    pickedDifference_.reset();
    // The older run comes first: the difference says what the newer one makes of its clusters.
    difference_->setRuns(b_.run, a_.run);
    showEmptyTexts();
    if (!digis_) return;
    overview_->setEvent(digis_, a_.run, event_);
    showModule();
}

}  // namespace ks::ui::clusters
