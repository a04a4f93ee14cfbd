#include "ui/xpcs/xpcs_page.h"

#include <QEvent>
#include <QFileInfo>
#include <QPointer>
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "core/base/progress.h"
#include "core/io/files/data_name.h"
#include "core/io/series/name_pattern.h"
#include "core/run/repeats/repeats.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/rebin.h"
#include "core/xpcs/g2_fit.h"
#include "core/xpcs/pairs/estimate.h"
#include "core/xpcs/pairs/kept_pairs.h"
#include "core/xpcs/pairs/reduced_frames.h"
#include "core/xpcs/pairs/static_bins.h"
#include "core/xpcs/repeats/average.h"
#include "ui/base/count_text.h"
#include "ui/base/form_parts.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/base/save_folders.h"
#include "ui/files/data_identity.h"
#include "ui/files/disk_states.h"
#include "ui/files/repeat_names.h"
#include "ui/files/watched_inputs.h"
#include "ui/image/panel/profile_panel.h"
#include "ui/image/tools/edge_tool.h"
#include "ui/image/tools/line_tool.h"
#include "ui/image/view/detector_view.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/map_plot.h"
#include "ui/runs/run_source.h"
#include "ui/runs/same_inputs.h"
#include "ui/xpcs/bins_kept.h"
#include "ui/xpcs/fit/fit_form.h"
#include "ui/xpcs/fit/fit_results.h"
#include "ui/xpcs/fit/tau_panel.h"
#include "ui/xpcs/repeats_panel.h"
#include "ui/xpcs/run_curves.h"
#include "ui/xpcs/series/correction_form.h"
#include "ui/xpcs/series/frames_panel.h"
#include "ui/xpcs/series/stability_panel.h"
#include "ui/xpcs/two_time/counts_strip.h"
#include "ui/xpcs/two_time/two_time_panel.h"

namespace ks::ui::xpcs {
namespace {

constexpr double minDelays = 63;
/// At 1280 x 800, g2 is then some 220 pixels high.
constexpr int drawerHeight = 315;
/// Up to this number of frames the first run includes a two-time map automatically; beyond it the map takes
/// as long as the curves.
constexpr std::size_t maxFramesForTwoTime = 1000;

/// Keys of a state: which curves are not ticked in the legends.
constexpr const char *repeatsKey = "repeats", *chosenKey = "chosen_repeats", *segmentsKey = "segments",
                     *ageKey = "age_and_lag", *logLagKey = "log_lag";
constexpr const char *hiddenKey = "hidden", *hiddenErrorsKey = "hidden_errors";

void keepHidden(nlohmann::json& values, const char* key, const CurvePlot& plot) {
    const HiddenCurves hidden = plot.hidden();
    std::set<int> bins(hidden.bins.begin(), hidden.bins.end());
    std::set<std::string> runs;
    for (const QString& run : hidden.runs) runs.insert(run.toStdString());
    if (!bins.empty()) values[key]["bins"] = bins;
    if (!runs.empty()) values[key]["runs"] = runs;
}

HiddenCurves hiddenFrom(const nlohmann::json& kept) {
    HiddenCurves hidden;
    constexpr std::size_t most = 100'000;
    const nlohmann::json bins = jsonPart(kept, "bins"), runs = jsonPart(kept, "runs");
    if (bins.is_array() && bins.size() <= most)
        for (const nlohmann::json& bin : bins)
            if (bin.is_number_integer()) hidden.bins.insert(bin.get<int>());
    if (runs.is_array() && runs.size() <= most)
        for (const nlohmann::json& run : runs)
            if (run.is_string()) hidden.runs.insert(QString::fromStdString(run.get<std::string>()));
    return hidden;
}

/// The row of a repeat, probably the one at this position; null: there is none.
const RepeatRow* rowOf(const std::vector<RepeatRow>& rows, const std::string& name, std::size_t position) {
    if (position < rows.size() && isSameData(rows[position].name, name)) return &rows[position];
    const auto found = std::ranges::find(rows, name, &RepeatRow::name);
    return found == rows.end() ? nullptr : &*found;
}

/// True, false or null for each name of the set; empty: nothing is chosen by hand.
nlohmann::json keptChoice(const RepeatSet& set) {
    nlohmann::json kept = nlohmann::json::array();
    bool any = false;
    for (const std::string& name : set.names) {
        const std::optional<bool> chosen = set.choice_for(name);
        any = any || chosen.has_value();
        kept.push_back(chosen ? nlohmann::json(*chosen) : nlohmann::json());
    }
    return any ? kept : nlohmann::json::array();
}

/// "scan_1.h5"
QString leafOfFrames(const Request& request) {
    const io::DataName name = io::DataName::parse(request.inputs.at("frames").name);
    return QFileInfo(QString::fromStdString(name.file.string())).fileName();
}

/// The points of a rebinned g2, or the usual ones.
std::size_t rowsPerDecade(const ParameterSet& parameters) {
    return ks::xpcs::rebin_of(parameters).value_or(ks::xpcs::usual_lags_per_decade);
}

QString noMapOfAverage() {
    return XpcsPage::tr("An average of repeats has no two-time map");
}

QString oneFrame() {
    return XpcsPage::tr("the file has one frame, but correlation needs at least two: open a series");
}

}  // namespace

/// Photon correlation: image with bins, g2 curves, two-time map.
std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<XpcsPage>(context);
}

XpcsPage::XpcsPage(PageContext& context)
    : FramesPage(QStringLiteral("xpcs"), context),
      bins_(new Bins(context, *image_, this)),
      correction_(new CorrectionForm),
      fields_(new WatchedInputs(context.jobs, this)),
      repeatFiles_(new DiskStates(context.jobs, this)),
      curves_(new CurvePlot),
      errors_(new CurvePlot),
      fits_(new CurveFits(context.jobs, this)),
      fitForm_(new FitForm),
      fitResults_(new FitResults),
      tau_(new TauPanel),
      repeatsPanel_(new RepeatsPanel),
      twoTimePanel_(new TwoTimePanel(context.jobs)),
      twoTime_(&twoTimePanel_->map()),
      profile_(new ProfilePanel(*image_, context.jobs)),
      pairs_(new PairsOfInputs(*context.desk, context.jobs, this)),
      frames_(new FramesPanel),
      stability_(new StabilityPanel(context.jobs)) {
    setKeysWithoutWork({QStringLiteral("bins"), QStringLiteral("labels"), QStringLiteral("image"),
                        QStringLiteral("dark"), QStringLiteral("flat"), QStringLiteral("picked"),
                        QStringLiteral("profile"), QLatin1String(hiddenKey), QLatin1String(hiddenErrorsKey),
                        QLatin1String(repeatsKey), QLatin1String(chosenKey), QLatin1String(segmentsKey),
                        QLatin1String(ageKey), QLatin1String(logLagKey)});
    inputs_->setLayout(inRows({&bins_->form(), &bins_->panel(), &image_->geometryForm(), correction_}, 16));
    makeCentre();
    connectParts();
    connectBins();
    connectFits();
    connectFrames();
    showCurves();
    showTwoTime();
    new Restyled(this, Restyled::By::palette, [this] { bins_->recolour(isDark(palette())); });
}

XpcsPage::~XpcsPage() {
    disconnectParts();
}

std::vector<Demo> XpcsPage::demos() const {
    return {Demo{{{"kind", std::string("speckle")}, {"frame_time", 0.001}, {"geometry", true}},
                 QStringLiteral("h5"),
                 QStringLiteral("rings")},
            {{{"kind", std::string("seed")}, {"geometry", true}},
             QStringLiteral("h5"),
             QStringLiteral("beats"),
             tr("XPCS: rings whose counts oscillate, as in the published correlator notebook")}};
}

OwnParameters XpcsPage::ownParameters() const {
    return {QStringList{QStringLiteral("two_time_bin"), QStringLiteral("fit"), QStringLiteral("fit_start"),
                        QStringLiteral("fit_fixed"), QStringLiteral("stability")} +
            sharedParameters()};
}

void XpcsPage::makeCentre() {
    curves_->setAccessibleName(tr("Correlation curves"));
    curves_->setYAxis(QStringLiteral("g\u2082"));
    errors_->setAccessibleName(tr("Errors of the correlation curves"));
    errors_->setYAxis(QStringLiteral("error of g\u2082"));
    for (CurvePlot* const plot : {curves_, errors_}) {
        plot->setLogX(true);
        plot->setOfBins(true);
    }
    setBody(
        image_,
        {{tr("g\u2082"), curves_, false, tr("g\u2082 of each bin against the delay, for the ticked runs")},
         {tr("Profile"), profile_, true, tr("Mean counts against q or radius, with the bin edges")},
         {tr("Two-time"), twoTimePanel_, true,
          tr("Two-time correlation of the selected bin, cuts of it, and g\u2082 of a part of the frames")},
         {tr("I(t)"), frames_, true,
          tr("Mean counts of each frame; frames are left out and taken back by dragging")},
         {tr("Stability"), stability_, true,
          tr("g\u2082 of segments of the series, and whether the sample changes from segment to segment")},
         {tr("Error of g\u2082"), errors_, true, tr("Error of each bin's g\u2082 against the delay")},
         {tr("Fit"), scrolled(fitForm_, tr("Fit of g\u2082")), true,
          tr("Model that is fitted to g\u2082 of each bin")},
         {tr("Fitted bins"), fitResults_, true, tr("Fitted parameters of each bin with their errors")},
         {tr("\u03c4(q)"), tau_, true,
          tr("Fitted times, rates or contrasts against q, and the diffusion coefficient")},
         {tr("Repeats"), repeatsPanel_, true,
          tr("Repeats of a measurement, which of them are part of the average, and their curves")}},
        1, drawerHeight);
}

void XpcsPage::connectParts() {
    connect(&image_->view(), &DetectorView::clicked, this, [this](const QPointF& at, Qt::MouseButton button) {
        if (button != Qt::LeftButton || profile_->kind() != ProfilePanel::Azimuthal) return;
        if (const int label = bins_->labelAt(at); label > 0) pickBin(label);
    });
    connect(image_, &ImagePanel::geometryChanged, this, &XpcsPage::editedSomewhere);
    connect(image_, &ImagePanel::maskChanged, this, [this](bool final) {
        if (final && maskEdited()) editedSomewhere();
    });
    connectFields();
    connect(profile_, &ProfilePanel::failed, this, &Page::failed);
    connect(profile_, &ProfilePanel::shown, this, &XpcsPage::showBands);
    connect(profile_, &ProfilePanel::kindChanged, this, [this](int kind) {
        const bool line = kind == ProfilePanel::Line;
        image().setDefaultTool(line ? static_cast<ImageTool*>(&profile_->lineTool()) : &edgeTool());
    });
    image().setDefaultTool(&edgeTool());
    connect(&profile_->plot(), &CurvePlot::edgeDragged, this, &XpcsPage::dragEdge);
    for (CurvePlot* const plot : {curves_, errors_, &profile_->plot(), &tau_->plot(), &frames_->plot(),
                                  &stability_->plot(), &twoTimePanel_->cut(), &repeatsPanel_->plot()})
        connect(plot, &CurvePlot::pointHovered, this, &Page::cursorMoved);
    // The status bar has one line.
    connect(twoTime_, &MapPlot::pointHovered, this,
            [this](QString text) { emit cursorMoved(text.replace(QLatin1Char('\n'), QLatin1String("; "))); });
    connect(&twoTimePanel_->strip(), &CountsStrip::pointHovered, this, &Page::cursorMoved);
    connect(context_.desk.get(), &Desk::offered, this,
            [this](const QString& of, const std::vector<Offer>&, const Variant* next) {
                if (of != analysis()) return;
                makesMap_ = !next || makesTwoTime(*next);
                ownKernel_ = next && next->from_user();
            });
}

void XpcsPage::connectFields() {
    correction_->keepSteps(*context_.history);
    connect(correction_, &CorrectionForm::changed, this, [this] {
        watchFields();
        emit inputsChanged();
        if (file_) emit previewWanted();
    });
    connect(fields_, &WatchedInputs::changed, this, [this](const QString& file) {
        pairs_->drop();
        emit inputChangedOnDisk(file);
        if (runs_.preview()) emit previewWanted();
    });
    connect(fields_, &WatchedInputs::known, this, [this] {
        followFrames();
        emit inputsChanged();
    });
}

void XpcsPage::watchFields() {
    correction_->files().watch(*fields_, file_ ? file_->path : QString());
}

bool XpcsPage::renewInputs() {
    const bool bins = bins_->renew(), fields = fields_->look();
    return bins || fields;
}

void XpcsPage::connectBins() {
    connect(this, &AnalysisPage::fileRestored, bins_, &Bins::retry);
    connect(&bins_->panel(), &BinsPanel::picked, this, &XpcsPage::pickBin);
    connect(bins_, &Bins::edited, this, [this] {
        showBands();
        emit inputsChanged();
    });
    connect(bins_, &Bins::replaced, this, &XpcsPage::keepPick);
    connect(bins_, &Bins::previewWanted, this, &XpcsPage::previewWanted);
    connect(bins_, &Bins::shown, this, [this](bool previewed) {
        bins_->panel().select(picked_);
        if (!runs_.preview()) showCurves();
        if (!previewed) emit inputsChanged();
        emit partitionShown();
    });
    connect(bins_, &Bins::switched, this, [this](bool previewed) {
        showCurves();
        if (!previewed) emit inputsChanged();
    });
    connect(bins_, &Bins::lost, this, [this] {
        setPreview(nullptr);
        emit inputsChanged();
    });
    connect(bins_, &Bins::exported, this, [this](const QString& path) {
        reportSaved(this, tr("Saved %1").arg(path));
        emit labelsExported(path);
    });
    connect(bins_, &Bins::changedOnDisk, this, &AnalysisPage::inputChangedOnDisk);
    connect(bins_, &Bins::failed, this, &Page::failed);
    connect(bins_, &Bins::mended, this, &Page::mended);
    setDropUnused([this](Request& request) {
        if (!ks::xpcs::takes_static_bins(request.parameters))
            request.inputs.erase(ks::xpcs::static_bins_role);
        // Whether its delays are in seconds is known only with all parameters.
        if (ks::xpcs::why_no_fit(request.parameters).empty() && fitForm_->choice().withRuns &&
            fitForm_->formulaProblem().isEmpty())
            for (const auto& [id, value] : fitForm_->choice().ofRun(unitOfRun(request.parameters)))
                request.parameters[id] = value;
    });
}

void XpcsPage::connectFits() {
    fitForm_->keepSteps(*context_.history);
    connect(fitForm_, &FitForm::changed, this, [this] {
        showFits();
        fitCurves();
        emit inputsChanged();
    });
    setChoicesBeyondRuns([this] {
        return [this, choice = fitForm_->choice()] {
            fitForm_->setChoice(choice);
            emit fitForm_->changed();
        };
    });
    setAsShown([this](const RunRow& row) -> std::function<Run()> {
        const FitChoice& choice = fitForm_->choice();
        const bool isTicked =
            std::ranges::find(runs_.ticked(), row.number, &RunRow::number) != runs_.ticked().end();
        if (!isTicked || !choice.any() || !fitForm_->formulaProblem().isEmpty()) return nullptr;
        return
            [row, choice, unit = shown_.delayUnit.toStdString()] { return withChosenFit(row, choice, unit); };
    });
    connect(fitForm_, &FitForm::byContrastChanged, this, &XpcsPage::showFits);
    connect(fits_, &CurveFits::made, this, &XpcsPage::showFits);
    connect(curves_, &CurvePlot::pointClicked, this,
            [this](qsizetype curve, qsizetype point, Qt::KeyboardModifiers modifiers) {
                const CurveSeries& of = curves_->series()[curve];
                const bool allBins = modifiers.testFlag(Qt::ShiftModifier);
                const auto same = [&of](const CurveSeries& one) {
                    return one.bin == of.bin && one.run == of.run && one.foreign == of.foreign;
                };
                const auto known = std::ranges::find_if(shown_.series, same);
                if (known == shown_.series.end()) return;
                const int number = shown_.numbers[static_cast<std::size_t>(known - shown_.series.begin())];
                fitForm_->toggle({of.x[point], allBins ? std::nullopt : std::optional(of.bin),
                                  dataOfShown()[number], shown_.delayUnit.toStdString()});
            });
    connect(fitResults_, &FitResults::picked, this, [this](int bin) {
        bins_->panel().select(bin);
        if (std::exchange(picked_, bin) == bin) return;
        mapWaits_ = false;
        noMap_.clear();
        showPick();
        showTwoTime();
    });
    connect(fitResults_, &FitResults::failed, this, &Page::failed);
    connect(repeatsPanel_, &RepeatsPanel::chosen, this, &XpcsPage::chooseRepeats);
    connect(repeatsPanel_, &RepeatsPanel::choiceUndone, this, [this] {
        for (const std::string& name : repeats()) chooseRepeat(name, {});
        showRepeats();
        followPreviewed();
    });
    connect(repeatFiles_, &DiskStates::looked, this, &XpcsPage::compareRepeats);
    connect(this, &AnalysisPage::repeatsChanged, this, [this] {
        watchRepeats();
        showRepeats();
        showTwoTime();
        if (!repeats().empty()) drawer().raise(repeatsPanel_);
        emit inputsChanged();
    });
    fitResults_->setNote([this](int number) {
        const std::vector<RunRow> shown = shownRuns();
        const auto row = std::ranges::find(shown, number, &RunRow::number);
        return row == shown.end() ? QString() : tableNote(*row->run, number, outdatedOf(*row));
    });
}

void XpcsPage::connectFrames() {
    connect(context_.desk.get(), &Desk::nextChanged, this, [this](const Request& next) {
        if (next.analysis != analysis().toStdString()) return;
        next_ = next;
        followFrames();
    });
    // Without inputs there is no next run. Edits by hand request a preview instead of reporting new inputs.
    const auto followLack = [this] {
        if (!bins_->awaited() && !missing().isEmpty()) followFrames();
    };
    connect(this, &AnalysisPage::inputsChanged, this, followLack);
    connect(this, &AnalysisPage::previewWanted, this, followLack);
    connect(frames_, &FramesPanel::shown, this, &XpcsPage::followFrames);
    connect(stability_, &StabilityPanel::shown, this, &XpcsPage::followFrames);
    connect(twoTimePanel_, &TwoTimePanel::shown, this, &XpcsPage::followFrames);
    connect(twoTimePanel_, &TwoTimePanel::pairsWanted, this, [this] {
        followFrames();
        if (twoTime_->isVisible()) showTwoTime();  // a preview passes a hidden map by
    });
    connect(twoTimePanel_, &TwoTimePanel::picked, this, &XpcsPage::pickBin);
    connect(stability_, &StabilityPanel::picked, this, &XpcsPage::pickBin);
    connect(&drawer(), &Drawer::raisedChanged, this, [this] {
        if (twoTime_->isVisible()) showTwoTime();
    });
    connect(pairs_, &PairsOfInputs::changed, this, &XpcsPage::followFrames);
    connect(frames_, &FramesPanel::leftOutChanged, this, [this](const QString& frames) {
        emit parametersChanged({{"leave_out", frames.toStdString()}});
    });
}

void XpcsPage::followFrames() {
    const bool complete = next_ && missing().isEmpty();
    const bool visible = frames_->isVisible() || stability_->isVisible() ||
                         (twoTimePanel_->isVisible() && twoTimePanel_->wantsPairs());
    const PairsOfInputs::Files files = inputState().files;
    if (!complete || (!visible && !pairs_->areOf(*next_, files))) {
        pairs_->drop();  // computed again when they are looked at
    } else if (visible) {
        const QPartition& bins = *partition();
        const auto last = optional_integer(next_->parameters, "last_frame");
        const std::int64_t first = integer(next_->parameters, "first_frame"),
                           all = static_cast<std::int64_t>(file_->frames->frames());
        const std::int64_t count = std::clamp<std::int64_t>(last.value_or(all - 1) + 1 - first, 1, all);
        pairs_->want(*next_,
                     {static_cast<std::size_t>(count), file_->frames->frames(), bins.bins(), bins.selected()},
                     files);
    }
    const QString lacking = file_ && !bins_->awaited() ? capitalised(missing()) : QString();
    const QString why = !complete                      ? lacking
                        : !pairs_->problem().isEmpty() ? pairs_->problem()
                                                       : tr("Computing the sums of all frames");
    frames_->setPairs(pairs_->pairs(), why);
    stability_->setPairs(pairs_->pairs(), why);
    twoTimePanel_->setPairs(pairs_->pairs(), why);
    // Beside an average, they are of one of the repeats.
    const QString only =
        complete && !repeats().empty() ? tr("%1 only, not the average").arg(leafOfFrames(*next_)) : QString();
    frames_->setNote(only);
    stability_->setSource(only);
    if (complete) {
        frames_->setNext(*next_);
        // What is half typed is no choice yet.
        if (!frames_->isUnclear()) {
            stability_->setNext(*next_, frames_->leftOut());
            twoTimePanel_->setNext(*next_, frames_->leftOut());
        }
    }
    showPick();
    if (pairs_->pairs())
        setAtOnce([this](const Request& next) { return previewOfPairs(next); });
    else
        setAtOnce(nullptr);
}

std::shared_ptr<const Run> XpcsPage::previewOfPairs(const Request& next) {
    // What a kernel of the user computes is not known without it.
    if (ownKernel_ || !next.kernel_source.empty() || !makesMap_ || !previewsOpenFile_) return nullptr;
    std::optional<Run> run = pairs_->pairs()->preview(next);
    return run ? std::make_shared<const Run>(std::move(*run)) : nullptr;
}

void XpcsPage::setFile(std::shared_ptr<const OpenFile> file) {
    const auto quiet = bins_->quietly();
    picked_ = 0;
    mapWaits_ = false;
    noMap_.clear();
    next_.reset();
    pairs_->drop();
    takeRepeats({});
    const bool sameData = file && file_ && file->identity == file_->identity;
    for (CurvePlot* const plot : {curves_, errors_}) {
        plot->resetZoom();
        if (!sameData) plot->holdHidden({});  // bins of other data
    }
    take(std::move(file));
    watchRepeats();
    correction_->setFiles({});
    watchFields();
    bins_->setFile(file_);
    showCurves();
    showRepeats();
    twoTimePanel_->clear();
    showTwoTime();
    followFrames();
}

bool XpcsPage::useObject(const QString& path) {
    if (!file_) return false;
    bins_->form().setDataset(file_->path + QStringLiteral("::") + path);
    return true;
}

QString XpcsPage::missing() const {
    if (const QString none = FramesPage::missing(); !none.isEmpty()) return none;
    return file_->frames->frames() < 2 ? oneFrame() : bins_->missing();
}

AnalysisPage::InputState XpcsPage::inputState() const {
    InputState state{bins_->awaited(), fields_->files(), {}, fields_->gone()};
    const DataFiles& labels = bins_->made().files;
    if (!labels.record.hash.empty()) state.files["partition"] = labels;
    state.uses = [this](const Run& run, const std::string& role) {
        if (role == ks::xpcs::static_bins_role)
            return !ks::xpcs::takes_static_bins(run.request.parameters) || bins_->haveStatics(run.request);
        return (role == "partition" || role == ks::xpcs::bin_q_role) && bins_->haveLabels(labelsOf(run));
    };
    state.changedRepeats = [this](const Run& run) {
        QStringList texts;
        const auto changed = std::ranges::find_if(
            changedRepeats_, [&run](const auto& one) { return one.first.get() == &run; });
        if (changed == changedRepeats_.end()) return texts;
        constexpr qsizetype most = 3;
        for (const auto& [file, isGone] : changed->second) {
            const QString leaf = QFileInfo(QString::fromStdString(file)).fileName();
            if (texts.size() < most) texts << (isGone ? tr("%1 is gone") : tr("%1 has changed")).arg(leaf);
        }
        const auto count = static_cast<qsizetype>(changed->second.size());
        if (count > most) texts << tr("%1 more files have changed").arg(count - most);
        return texts;
    };
    return state;
}

void XpcsPage::fill(Request& request) const {
    FramesPage::fill(request);
    bins_->fill(request);
    correction_->files().fill(request);
    const std::vector<int> off = bins_->model().labelsOff();
    const bool has = picked_ > 0 && std::ranges::find(off, picked_) == off.end() &&
                     partition()->bin_size(static_cast<std::size_t>(picked_) - 1) > 0 && makesMap_ &&
                     repeats().empty();
    request.parameters["two_time_bin"] = has ? ParameterValue(std::int64_t{picked_}) : ParameterValue();
    request.parameters["stability"] = {};  // the tab computes it from the pairs
    const bool fits = fitForm_->choice().withRuns && fitForm_->formulaProblem().isEmpty();
    const FitChoice choice = fits ? fitForm_->choice() : FitChoice();
    for (const auto& [id, value] : choice.ofRun(unitOfRun(request.parameters)))
        request.parameters[id] = value;
}

std::string XpcsPage::unitOfRun(const ParameterSet& parameters) const {
    const bool given = parameters.contains("frame_time") && optional_real(parameters, "frame_time");
    return given || (file_ && file_->frames->frame_time()) ? "s" : "frames";
}

void XpcsPage::apply(const ParameterSet& given) {
    FramesPage::apply(given);
    if (!given.contains("fit")) return;
    FitChoice choice = fitForm_->choice();
    choice.take(given, unitOfRun(given));
    fitForm_->setChoice(choice);
    showFits();
    fitCurves();
}

FileValues XpcsPage::fileValues() const {
    FileValues known = FramesPage::fileValues();
    if (!file_) return known;
    const std::optional<double> time = file_->frames->frame_time();
    known.parameters[QStringLiteral("frame_time")] =
        time ? QStringLiteral("%1 s").arg(*time, 0, 'g', 6) : QString();
    return known;
}

void XpcsPage::fillOwn(ParameterSet& parameters) const {
    if (const auto& input = bins_->made().input)
        image_->fillGeometry(parameters, input->geometry, input->located);
}

void XpcsPage::showOutdated() {
    showCurves();
    showRepeats();
    showTwoTime();
}

AnalysisPage::Reduced XpcsPage::reduce(Request& request, double share) const {
    request.parameters["two_time_bin"] = {};
    if (!previewsOpenFile_) request.inputs["frames"] = {previewed_};
    for (const auto& [id, value] : FitChoice().ofRun({})) request.parameters[id] = value;
    if (share >= 1) return Reduced::whole;
    // The first D delays of T frames take D (2 T - D) of T^2 products. Fewer delays than a tile
    // has save nothing.
    const std::int64_t first = integer(request.parameters, "first_frame");
    const std::int64_t last = optional_integer(request.parameters, "last_frame")
                                  .value_or(static_cast<std::int64_t>(file_->frames->frames()) - 1);
    const auto frames = static_cast<double>(std::max<std::int64_t>(last - first + 1, 1));
    const double delays = std::max(minDelays, frames * (1 - std::sqrt(1 - share)));
    if (delays >= frames) return Reduced::whole;
    const auto wanted = optional_integer(request.parameters, "max_delay");
    const auto reduced = static_cast<std::int64_t>(delays);
    if (wanted && *wanted <= reduced) return Reduced::whole;
    request.parameters["max_delay"] = reduced;
    return Reduced::part;
}

void XpcsPage::setPreview(std::shared_ptr<const Run> run) {
    if (!runs_.setPreview(std::move(run))) return;
    showCurves();
    if (twoTime_->isVisible()) showTwoTime();
}

void XpcsPage::pickBin(int label) {
    picked_ = label;
    mapWaits_ = false;
    noMap_.clear();
    bins_->panel().select(label);
    fitResults_->select(label);
    showPick();
    if (repeats().empty() && !drawer().isRaised(frames_) && !drawer().isRaised(stability_))
        drawer().raise(twoTimePanel_);
    if (!hasMap(label)) noMap_ = askForMap(label);
    showTwoTime();
}

void XpcsPage::showPick() {
    for (CurvePlot* plot : {curves_, errors_})
        plot->setPickedBin(picked_ > 0 ? std::optional(picked_) : std::nullopt);
    frames_->setPickedBin(picked_);
    stability_->setPickedBin(picked_);
    twoTimePanel_->setBin(picked_);
    repeatsPanel_->setBin(picked_);
}

bool XpcsPage::showPlace(const VerdictPlace& place) {
    const auto bin = place.find("bin");
    if (bin == place.end() || !partition() || bin->second < 1 || bin->second > partition()->bins())
        return false;
    pickBin(static_cast<int>(bin->second));
    // Where the runs have no maps, the plots of the bin show more than an empty map.
    const std::vector<const RunRow*> runs = runsOfTheseBins();
    const auto able = [](const RunRow* row) { return makesTwoTime(row->run->variant); };
    if (!hasMap(picked_) && !runs.empty() && std::ranges::none_of(runs, able)) drawer().raise(errors_);
    return true;
}

QString XpcsPage::askForMap(int label) {
    if (!repeats().empty()) return noMapOfAverage();
    if (const QString none = whyNoMap(label); !none.isEmpty()) return none;
    const std::vector<const RunRow*> runs = runsOfTheseBins();
    const auto able =
        std::ranges::find_if(runs, [](const RunRow* row) { return makesTwoTime(row->run->variant); });
    std::optional<Supplement> wanted;
    if (able != runs.end()) wanted = twoTimeSupplement(**able, label);
    // A run of another file says nothing about these bins.
    const bool any =
        std::ranges::any_of(runs_.ticked(), [this](const RunRow& row) { return runs_.isOfData(row); });
    if (!wanted)
        return (!any ? tr("Press Run (F5) to compute\nthe two-time map of bin %1")
                     : tr("Bin %1 has changed since the last run:\npress Run (F5)"))
            .arg(label);
    ++mapsAsked_;
    wanted->ended = [page = QPointer(this), asked = mapsAsked_](const std::optional<Error>& why) {
        if (page) page->mapEnded(asked, why);
    };
    mapWaits_ = true;
    emit supplementWanted(*wanted);
    return tr("Computing the two-time map of bin %1").arg(label);
}

void XpcsPage::mapEnded(int asked, const std::optional<Error>& why) {
    if (!mapWaits_ || asked != mapsAsked_ || !why) return;
    mapWaits_ = false;
    noMap_ = tr("No two-time map of bin %1:\n%2;\nclick the bin again")
                 .arg(picked_)
                 .arg(QString::fromStdString(why->message()));
    showTwoTime();
}

QString XpcsPage::whyNoMap(int label) const {
    const std::vector<int> off = bins_->off().labels;
    if (std::ranges::find(off, label) != off.end())
        return tr("Bin %1 is switched off:\ntick it in the table of bins, then press Run (F5)").arg(label);
    const std::vector<const RunRow*> runs = runsOfTheseBins();
    const auto able = [](const RunRow* row) { return makesTwoTime(row->run->variant); };
    if (runs.empty() || std::ranges::any_of(runs, able)) return {};
    return tr("The variant %1 does not compute two-time maps:\nchoose another variant to see the map of bin "
              "%2")
        .arg(QString::fromStdString(runs.front()->run->variant.id))
        .arg(label);
}

bool XpcsPage::hasMap(int label) const {
    return std::ranges::any_of(runs_.ticked(), [&](const RunRow& row) {
        return runs_.isOfData(row) && (twoTimeBin(*row.run) == label || maps_.find(row.number, label));
    });
}

std::vector<const RunRow*> XpcsPage::runsOfTheseBins() const {
    if (!missing().isEmpty()) return {};
    Request now;
    fill(now);
    const auto same = [&](const Run& run, const char* role) { return sameInput(now, run.request, role); };
    const DataFiles& labels = bins_->made().files;
    std::vector<const RunRow*> found;
    for (const RunRow& row : runs_.ticked())
        if (runs_.isOfData(row) && repeats_of(*row.run).empty() &&
            (bins_->haveLabels(labelsOf(*row.run)) ||
             (same(*row.run, "partition") && same(*row.run, "mask") &&
              readContents(*row.run, labels.record, labels.states))))
            found.push_back(&row);
    return found;
}

void XpcsPage::setRuns(const std::vector<RunRow>& runs) {
    runs_.setTicked(runs);
    fields_->look();  // a run has read them as they are now
    watchRepeats();
    for (const RunRow& row : runs) maps_.keep(row);
    if (!mapWaits_ || hasMap(picked_)) {
        mapWaits_ = false;
        noMap_ = picked_ == 0 || hasMap(picked_) ? QString() : whyNoMap(picked_);
    }
    showCurves();
    showRepeats();
    showTwoTime();
}

bool XpcsPage::isOfFrames(const Run& run) const {
    if (FramesPage::isOfFrames(run)) return true;
    // The average is of the open file as well, although its request names the first repeat that can be used.
    return isRepeatOf(run, file_->name.toStdString());
}

const RunRow* XpcsPage::shownAverage() const {
    const auto isAverage = [](const RunRow& row) { return !repeats_of(*row.run).empty(); };
    const std::vector<RunRow>& ticked = runs_.ticked();
    auto found = std::ranges::find_if(
        ticked, [&](const RunRow& row) { return isAverage(row) && (!file_ || runs_.isOfData(row)); });
    return found == ticked.end() ? nullptr : &*found;
}

std::vector<const RunRow*> XpcsPage::averages() const {
    std::vector<const RunRow*> found;
    if (repeats().empty()) return found;
    const auto same = [](const std::string& one, const std::string& other) { return isSameData(one, other); };
    for (const RunRow& row : runs_.ticked())
        if (std::ranges::equal(names_of_repeats(*row.run), repeats(), same)) found.push_back(&row);
    return found;
}

void XpcsPage::watchRepeats() {
    std::set<std::string> files;
    std::vector<FileRecord> known;
    const auto add = [&files](const std::filesystem::path& file) {
        if (file.is_absolute() && !io::NamePattern::parse(file.filename().string()))
            files.insert(file.string());
    };
    for (const RunRow* const row : averages()) {
        for (const FileRecord& one : row->run->files) add(one.file);
        known.insert(known.end(), row->run->files.begin(), row->run->files.end());
        for (const std::string& name : repeats()) add(io::DataName::parse(name).file);
        // Another choice of the same repeats: what is known of their files stays.
        const auto same = std::ranges::find_if(
            changedRepeats_, [&row](const auto& one) { return one.first->files == row->run->files; });
        if (same != changedRepeats_.end()) changedRepeats_.try_emplace(row->run, same->second);
    }
    const auto leave = [&files](const FileStates& states) {
        for (const std::filesystem::path& one : states.files()) files.erase(one.string());
    };
    if (file_) leave(file_->states);
    leave(bins_->made().files.states);
    for (const auto& [role, one] : fields_->files()) leave(one.states);
    repeatFiles_->setFiles(std::move(files), std::move(known));
}

void XpcsPage::compareRepeats() {
    const DiskStates::States& now = repeatFiles_->states();
    std::map<std::shared_ptr<const Run>, std::map<std::string, bool>> all;
    std::map<std::string, bool> newest;
    for (const RunRow* const row : averages()) {
        std::map<std::string, bool>& changed = all[row->run];
        for (const std::string& file : changedRepeats(*row->run, now, repeatFiles_->hashes()))
            changed[file] = !now.at(file);
        if (all.size() == 1) newest = changed;
    }
    const bool differ = all != changedRepeats_;
    changedRepeats_ = std::move(all);
    const std::map<std::string, bool> told = std::exchange(toldRepeats_, newest);
    for (const auto& [file, isGone] : told)
        if (!newest.contains(file)) emit inputSettledOnDisk(QString::fromStdString(file));
    for (const auto& [file, isGone] : newest)
        if (const auto before = told.find(file); before == told.end() || before->second != isGone)
            emit inputChangedOnDisk(QString::fromStdString(file));
    if (differ) emit inputsChanged();
}

std::vector<RepeatRow> XpcsPage::rowsOf(const RunRow& average) const {
    std::vector<RepeatRow> rows = repeats_of(*average.run);
    const auto choice = choosing_.find(average.number);
    if (choice == choosing_.end()) return rows;
    for (std::size_t i = 0; i < std::min(rows.size(), choice->second.chosen.size()); ++i) {
        rows[i].chosen = choice->second.chosen[i];
        if (rows[i].chosen) rows[i].left_out = *rows[i].chosen ? std::string() : left_out_by_hand;
    }
    return rows;
}

void XpcsPage::showRepeats() {
    const RunRow* const average = shownAverage();
    const std::vector<RepeatRow> rows = average ? rowsOf(*average) : std::vector<RepeatRow>();
    std::vector<std::string> used;
    for (std::size_t i = 0; i < repeats().size(); ++i) {
        const std::string& name = repeats()[i];
        const RepeatRow* const row = rowOf(rows, name, i);
        // The next run keeps the choice that is shown.
        if (row) chooseRepeat(name, row->chosen);
        const bool out = row ? !row->left_out.empty() : !repeatSet().choice_for(name).value_or(true);
        if (!out) used.push_back(name);
    }
    const auto isOpen = [this](const std::string& name) {
        return file_ && isSameData(name, file_->name.toStdString());
    };
    const auto open = std::ranges::find_if(used, isOpen);
    previewed_ = open != used.end() ? *open : used.empty() ? std::string() : used.front();
    previewsOpenFile_ = previewed_.empty() || open != used.end();
    repeatsPanel_->setRepeats(repeatSet(), average, rows,
                              average ? outdatedMark(outdatedOf(*average)) : QString());
}

QString XpcsPage::liveText(const QString& what) const {
    if (repeats().empty()) return what;
    return tr("live: %1 only, not the average: press Run").arg(leafOfFrames(runs_.preview()->request));
}

void XpcsPage::chooseRepeats(int number, const std::vector<std::optional<bool>>& chosen) {
    const auto row = std::ranges::find(runs_.ticked(), number, &RunRow::number);
    if (row == runs_.ticked().end()) return;
    // At once, for a run that is requested meanwhile.
    const std::vector<RepeatRow> rows = repeats_of(*row->run);
    for (std::size_t i = 0; i < repeats().size(); ++i)
        if (const RepeatRow* const one = rowOf(rows, repeats()[i], i))
            chooseRepeat(repeats()[i], chosen.at(static_cast<std::size_t>(one - rows.data())));
    const int asked = ++choicesAsked_;
    choosing_[number] = {asked, chosen};
    const auto ended = [this, number, asked] {
        std::erase_if(choosing_,
                      [&](const auto& one) { return one.first == number && one.second.asked == asked; });
    };
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("choice of repeats"),
        [run = row->run, chosen] {
            Progress progress;
            return std::shared_ptr<const Run>(
                std::make_shared<Run>(ks::xpcs::with_chosen_repeats(*run, chosen, progress)));
        },
        [this, number, ended](const std::shared_ptr<const Run>& run) {
            ended();
            emit runAmended(number, run);
        },
        [this, ended](const Error& error) {
            ended();
            showRepeats();  // as they were
            emit failed(Error(error.kind(), error.message()));
        });
}

void XpcsPage::followPreviewed() {
    const auto& preview = runs_.preview();
    if (preview && !previewed_.empty() && !isSameData(preview->request.inputs.at("frames").name, previewed_))
        emit previewWanted();
}

void XpcsPage::runChanged(const RunRow& row) {
    maps_.keep(row);
    runs_.replace(row);
    if (!repeats_of(*row.run).empty()) {
        watchRepeats();
        showCurves();
        showRepeats();
        followPreviewed();
    }
    if (hasMap(picked_)) {
        mapWaits_ = false;
        noMap_.clear();
    }
    showTwoTime();
}

std::vector<RunRow> XpcsPage::shownRuns() const {
    // Runs of other files are labelled as such; a preview replaces them all.
    return runs_.preview() ? std::vector<RunRow>{{0, runs_.preview(), true, false}} : runs_.ticked();
}

std::map<int, std::string> XpcsPage::dataOfShown() const {
    std::map<int, std::string> data;
    for (const RunRow& row : shownRuns()) data[row.number] = dataOfCurves(*row.run);
    return data;
}

void XpcsPage::fitCurves() {
    const FitChoice& choice = fitForm_->choice();
    const bool good = choice.any() && fitForm_->formulaProblem().isEmpty();
    fits_->fit(good ? shownRuns() : std::vector<RunRow>(), bins_->off(), choice,
               shown_.delayUnit.toStdString());
}

void XpcsPage::showFits() {
    const FitChoice& choice = fitForm_->choice();
    QVector<CurveSeries> series = shown_.series;
    // Without any fit, it is known what is wrong, but not which bin lacks its fit. While a run waits for its
    // fit, all curves stay as they are, since one axis cannot be of both.
    const bool byContrast =
        fitForm_->byContrast() && !fits_->fits().empty() &&
        std::ranges::all_of(shown_.numbers, [this](int number) { return fits_->tried(number); });
    const QStringList removed = addFits(series, shown_.numbers, fits_->fits(), choice,
                                        shown_.delayUnit.toStdString(), byContrast, dataOfShown());
    QString note = curvesNote_;
    if (!removed.isEmpty()) {
        constexpr qsizetype most = 12;
        const QString bins = removed.first(std::min(most, removed.size())).join(QStringLiteral(", "));
        if (!note.isEmpty()) note += QLatin1Char('\n');
        note += tr("not drawn, without a fit of \u03b2: bins %1").arg(bins);
        if (removed.size() > most) note += QStringLiteral(", ...");
    }
    curves_->setYAxis(byContrast ? QStringLiteral("(g\u2082 \u2212 1)/\u03b2") : QStringLiteral("g\u2082"));
    curves_->setNote(note);
    curves_->setSeries(series);
    curves_->setDifferenceVisible(shownRuns().size() > 1 || choice.any());
    std::vector<FittedRun> fits = fits_->fits();
    const QStringList others = nameOthers(fits);
    fitForm_->showFits(fits, fits_->problem());
    const QString problem = fitForm_->problemText();
    const QString hint = !choice.any()        ? tr("Choose a model in the tab Fit")
                         : !problem.isEmpty() ? problem
                                              : tr("Press Run (F5) to fit the curves");
    if (!choice.any()) fits.clear();
    // As in the plot of the curves.
    const QString ofOthers =
        others.isEmpty() ? QString() : tr("Not of the open file: %1").arg(others.join(QStringLiteral(", ")));
    const QString standing = fits.empty() ? QString()
                             : runs_.preview()
                                 ? liveText(tr("live: press Run to keep these values"))
                                 : joinedTexts({ofOthers, outdatedText(outdated_, 1)}, QStringLiteral("; "));
    fitResults_->setFits(fits, hint, standing);
    const bool allOther = others.size() == static_cast<qsizetype>(fits.size());
    const auto newest = std::ranges::find_if(runs_.ticked(), [&fits](const RunRow& row) {
        return !fits.empty() && row.number == fits.front().number;
    });
    fitResults_->setOrigin(allOther ? others.join(QStringLiteral(", ")) : QString(),
                           newest == runs_.ticked().end() ? QString() : newest->files.value(0));
    tau_->setFits(fits, hint, standing);
}

QStringList XpcsPage::nameOthers(std::vector<FittedRun>& fits) const {
    QStringList named;
    for (FittedRun& fitted : fits)
        for (qsizetype i = 0; i < shown_.series.size(); ++i)
            if (shown_.series[i].foreign && shown_.numbers[static_cast<std::size_t>(i)] == fitted.number) {
                fitted.label = shown_.series[i].run;
                named << fitted.label;
                break;
            }
    return named;
}

void XpcsPage::showCurves() {
    const Run* const preview = runs_.preview().get();
    const std::vector<RunRow> shown = shownRuns();
    shown_ = g2Curves(shown, bins_->off(), file_.get());
    const G2Curves& curves = shown_;
    const bool single = file_ && file_->frames->frames() < 2;
    curves_->setEmptyText(single  ? capitalised(oneFrame())
                          : file_ ? tr("Press Run (F5) to see the correlation curves here")
                                  : tr("Correlation curves appear here after a run"));
    errors_->setEmptyText(single  ? capitalised(oneFrame())
                          : file_ ? tr("Press Run (F5) to see the errors of the curves here")
                                  : tr("Errors of the correlation curves appear here after a run"));
    QString note;
    if (preview) {
        // Not all delays need be there.
        const auto delays = static_cast<std::size_t>(ks::xpcs::delays_of(preview->result).back()) + 1;
        const auto frames = preview->result.facts.value("frames", std::size_t{0});
        note = liveText(tr("live: press Run to keep these curves"));
        if (delays < frames) {
            const auto longest = static_cast<double>(delays - 1) * ks::xpcs::frames_per_delay(*preview);
            const QString part =
                tr("preview: delays up to %1")
                    .arg(counted(static_cast<std::size_t>(longest), tr("1 frame"), tr("%1 frames")));
            note = repeats().empty() ? part : note + QLatin1Char('\n') + part;
        }
        note = runMark(isWrong(shown.front()), note);
    } else if (!shown.empty()) {
        note = single ? capitalised(oneFrame()) : outdatedText(outdated_, 1);
        // The legend names the runs, and with them what is wrong, only if there are several.
        note = runMark(shown.size() == 1 && isWrong(shown.front()), note);
    }
    for (const RunRow& row : shown)
        if (const QString average = QString::fromStdString(average_text(*row.run)); !average.isEmpty()) {
            if (!note.isEmpty()) note += QLatin1Char('\n');
            note += shown.size() > 1 ? tr("%1: %2").arg(runLabel(row), average) : average;
        }
    // Bins with the same number need not be the same bins.
    const auto otherBins = [&](const CurveSeries& one) {
        return !one.foreign && one.basis != curves.series.front().basis;
    };
    if (std::ranges::any_of(curves.series, otherBins)) {
        if (!note.isEmpty()) note += QLatin1Char('\n');
        note += tr("not compared: runs with other bins");
    }
    if (!curves.otherMasks.isEmpty()) {
        if (!note.isEmpty()) note += QLatin1Char('\n');
        note += tr("masks differ: %1").arg(curves.otherMasks.join(QStringLiteral(", ")));
    }
    const bool inQ =
        std::ranges::any_of(curves.series, [](const CurveSeries& one) { return !one.labelInFull.isEmpty(); });
    const auto decorate = [&](CurvePlot& plot) {
        plot.setXAxis(tr("delay"), curves.delayUnit);
        plot.setNote(note);
        plot.setLegendTitle((inQ ? tr("bin, q (1/\u00c5)") : tr("bin")) +
                            (curves.sectors ? tr(", azimuth") : QString()));
        plot.setPickedBin(picked_ > 0 ? std::optional(picked_) : std::nullopt);
    };
    decorate(*errors_);
    errors_->setSeries(errorsOf(curves.series));
    errors_->setDifferenceVisible(shown.size() > 1);
    fitForm_->setUnit(curves.delayUnit.toStdString());
    // What is left out of the curves of the open file, or else of the newest run.
    const std::vector<RunRow> rows = shownRuns();
    const auto ofFile = std::ranges::find_if(rows, [this](const RunRow& row) { return runs_.isOfData(row); });
    if (ofFile != rows.end())
        fitForm_->setData(dataOfCurves(*ofFile->run));
    else
        fitForm_->setData(file_          ? absoluteName(*file_)
                          : rows.empty() ? std::string()
                                         : dataOfCurves(*rows.front().run));
    decorate(*curves_);
    curvesNote_ = note;
    showFits();
    fitCurves();
}

void XpcsPage::showTwoTime() {
    twoTime_->setEmptyText(!file_               ? tr("Two-time map of the selected bin")
                           : !noMap_.isEmpty()  ? noMap_
                           : !repeats().empty() ? noMapOfAverage()
                                                : tr("Click a bin in the image or the table\nfor its "
                                                     "two-time map"));
    mapped_ = {{}, showMapOfPreview()};
    if (mapped_.preview) return;
    if (std::ranges::any_of(runs_.ticked(), [this](const RunRow& row) { return showMapOf(row); })) return;
    twoTimePanel_->setShown({});
}

bool XpcsPage::showMapOfPreview() {
    constexpr std::size_t most = 1000;  // frames of a map that follows a hand
    const auto& pairs = pairs_->pairs();
    if (!runs_.preview() || !pairs || !previewsOpenFile_ || picked_ == 0 || pairs->frames() > most ||
        !twoTime_->isVisible())
        return false;
    std::optional<std::vector<double>> values =
        pairs->two_time(runs_.preview()->request, static_cast<std::size_t>(picked_) - 1);
    if (!values) return false;
    MapData map{pairs->frames(), pairs->frames(), std::move(*values)};
    map.xLast = map.yLast = (static_cast<double>(map.columns) - 1) * pairs->frame_time().value_or(1);
    const QString unit = pairs->frame_time() ? QStringLiteral("s") : QStringLiteral("frames");
    twoTimePanel_->setShown({tr("two-time, bin %1, live").arg(picked_),
                             {},
                             std::move(map),
                             unit,
                             pairs->first_frame(),
                             rowsPerDecade(runs_.preview()->request.parameters),
                             picked_,
                             runs_.preview()->request});
    return true;
}

bool XpcsPage::showMapOf(const RunRow& row) {
    if (file_ && !runs_.isOfData(row)) return false;
    const int label = picked_ != 0 ? picked_ : twoTimeBin(*row.run);
    std::optional<MapData> map;
    QString unit;
    if (const TwoTimeMaps::Entry* kept = maps_.find(row.number, label)) {
        map = kept->map;
        unit = kept->unit;
    } else if (label == twoTimeBin(*row.run)) {
        map = twoTimeMap(*row.run, &unit);
    }
    if (!map) return false;
    mapped_.numbers = {row.number};
    const ParameterSet& given = row.run->request.parameters;
    const bool single = ks::xpcs::reduction_of(given).none();
    const std::int64_t first = given.contains("first_frame") ? integer(given, "first_frame") : 0;
    twoTimePanel_->setShown({tr("two-time, bin %1, run %2").arg(label).arg(row.number),
                             runMark(isWrong(row), outdatedText(outdatedOf(row), 1)), std::move(*map), unit,
                             single ? std::optional(static_cast<std::size_t>(first)) : std::nullopt,
                             rowsPerDecade(given), label, row.run->request,
                             ks::xpcs::kept_counts(row.run->result, static_cast<std::size_t>(label) - 1)});
    return true;
}

QStringList XpcsPage::outdatedOf(const RunRow& row) const {
    if (row.number == 0 || !runs_.isOfData(row)) return {};
    return runs_.ofData().front().number == row.number ? outdated_ : differing(*row.run);
}

std::vector<NamedPlot> XpcsPage::plots() const {
    // A map is of one run, also beside a preview; the frames are of none.
    const auto mapped = [this] { return mapped_; };
    const auto none = [] { return PlotRuns{}; };
    const auto averaged = [this] {
        const RunRow* const average = shownAverage();
        return average ? PlotRuns{{average->number}, false} : PlotRuns{};
    };
    return {{tr("Correlation curves"), curves_, QStringLiteral("g2")},
            {tr("Two-time map"), &twoTimePanel_->strip(), QStringLiteral("twotime"), nullptr, mapped},
            {tr("Cut of the two-time map"), &twoTimePanel_->cut(), QStringLiteral("twotime_cut"), nullptr,
             mapped},
            {tr("Errors of the correlation curves"), errors_, QStringLiteral("g2_error")},
            {tr("Relaxation times"), &tau_->plot(), QStringLiteral("tau_q")},
            {tr("Curves of the single repeats"), &repeatsPanel_->plot(), QStringLiteral("repeats"), nullptr,
             averaged},
            {tr("Mean counts of each frame"), &frames_->plot(), QStringLiteral("frames"), nullptr, none},
            {tr("Curves of segments"), &stability_->plot(), QStringLiteral("segments"), nullptr, none},
            {tr("Detector image"), &image_->view(), {}, nullptr, none},
            {tr("Profile"), &profile_->plot(), QStringLiteral("profile"), nullptr, none}};
}

void XpcsPage::keepPick() {
    const QPartition& bins = *partition();
    if (picked_ == 0 && file_->frames->frames() <= maxFramesForTwoTime)
        for (std::size_t bin = bins.bins(); bin > 0; --bin)
            if (bins.bin_size(bin - 1) > 0) picked_ = static_cast<int>(bin);
    if (picked_ > static_cast<int>(bins.bins())) picked_ = 0;
}

void XpcsPage::dragEdge(int edge, double position, bool final) {
    std::optional<PartitionRecipe> moved = bins_->recipe();
    if (!moved || !std::isfinite(position)) return;
    const Geometry& where = moved->geometry;
    if (profile_->inQ() && !moved->in_q) position = where.radius_of_q(position).value_or(position);
    if (!profile_->inQ() && moved->in_q) position = where.q_of_radius(position);
    set_edge(*moved, static_cast<std::size_t>(edge), position);
    bins_->dragRecipe(*moved, final);
}

void XpcsPage::showBands() {
    QVector<CurveBand> bands;
    const std::optional<PartitionRecipe> shown = bins_->recipe();
    const Geometry& where = image_->geometry();
    // A circle in pixels that are not square is no range of q.
    const bool ranges = shown && (shown->in_q || !profile_->inQ() || where.aspect() == 1);
    if (ranges && profile_->kind() == ProfilePanel::Azimuthal) {
        const auto position = [&](double edge) {
            if (profile_->inQ() == shown->in_q) return edge;
            return shown->in_q ? where.radius_of_q(edge).value_or(0) : where.q_of_radius(edge);
        };
        for (std::size_t k = 0; k < shown->radial.size(); ++k)
            bands.push_back({position(shown->radial.lower[k]), position(shown->radial.upper[k]),
                             static_cast<int>(k * shown->sectors) + 1});
    }
    profile_->plot().setBands(bands);
}

void XpcsPage::keepFits(PageState& state, bool besideFile) const {
    FitChoice fit = fitForm_->choice();
    // The data may move together with the project.
    if (besideFile)
        for (LeftOutPoint& one : fit.leftOut)
            if (!one.data.empty()) one.data = keptNames({one.data}, absolutePath(file_->path)).front();
    state.values["fit"] = toJson(fit);
    // Only then: a project of an earlier version, without the key, is not modified.
    if (fitForm_->byContrast()) state.values["by_contrast"] = true;
    state.values["tau"] = tau_->keep();
    state.values[segmentsKey] = stability_->segments();
    state.values[ageKey] = twoTimePanel_->axes() != TwoTimePanel::times;
    // As with by_contrast.
    if (twoTimePanel_->axes() == TwoTimePanel::ageAndLogLag) state.values[logLagKey] = true;
}

void XpcsPage::bringFitsBack(const nlohmann::json& values, bool besideFile) {
    FitChoice fit = fitChoiceFrom(jsonPart(values, "fit"));
    for (LeftOutPoint& one : fit.leftOut) {
        io::DataName data = io::DataName::parse(one.data);
        if (one.data.empty() || !besideFile || data.file.is_absolute()) continue;
        data.file = std::filesystem::path(absolutePath(file_->path)).parent_path() / data.file;
        one.data = data.to_string();
    }
    fitForm_->setChoice(fit);
    fitForm_->setByContrast(jsonBoolean(values, "by_contrast"));
    tau_->bringBack(jsonPart(values, "tau"));
    if (const int count = jsonInteger(values, segmentsKey); count > 0) stability_->setSegments(count);
    twoTimePanel_->setAxes(!jsonBoolean(values, ageKey, false)     ? TwoTimePanel::times
                           : jsonBoolean(values, logLagKey, false) ? TwoTimePanel::ageAndLogLag
                                                                   : TwoTimePanel::ageAndLag);
}

std::optional<PageState> XpcsPage::state(Scope scope) const {
    PageState state;
    if (scope == Scope::settings) {
        state.values = image_->settings();
        state.values["logDelay"] = curves_->logX();
        return state;
    }
    if (scope == Scope::expected ||
        (scope == Scope::file && (!file_ || !(bins_->chosen() || correction_->files().any()))))
        return std::nullopt;
    if (scope == Scope::anyFile) {
        keepFits(state, false);
        return state;
    }
    if (file_) bins_->keep(state);
    if (file_) correction_->files().keep(state);
    if (scope == Scope::file) return state;
    // Runs that were saved are fitted without their data, too.
    keepFits(state, file_ != nullptr);
    keepHidden(state.values, hiddenKey, *curves_);
    keepHidden(state.values, hiddenErrorsKey, *errors_);
    if (!file_) return state;
    state.values["image"] = image_->keep();
    state.values["picked"] = picked_;
    if (!repeats().empty()) {
        state.values[repeatsKey] =
            keptNames(repeats(), io::DataName::parse(absoluteName(*file_)).file.string());
        if (const nlohmann::json chosen = keptChoice(repeatSet()); !chosen.empty())
            state.values[chosenKey] = chosen;
    }
    state.values["profile"] = static_cast<int>(profile_->kind());
    return state;
}

void XpcsPage::setState(const PageState& state, Scope scope) {
    const nlohmann::json& values = state.values;
    if (scope == Scope::settings) {
        image_->setSettings(values);
        for (CurvePlot* const plot : {curves_, errors_}) plot->setLogX(jsonBoolean(values, "logDelay", true));
        return;
    }
    if (scope == Scope::anyFile) {
        bringFitsBack(values, false);
        showFits();
        return fitCurves();
    }
    bins_->setExpecting(scope == Scope::expected);
    if (scope == Scope::expected) return image_->expect(jsonPart(values, "image"));
    if (scope == Scope::session) {
        bringFitsBack(values, file_ != nullptr);
        curves_->holdHidden(hiddenFrom(jsonPart(values, hiddenKey)));
        errors_->holdHidden(hiddenFrom(jsonPart(values, hiddenErrorsKey)));
        showFits();
        fitCurves();
    }
    if (!file_) return;
    if (scope == Scope::session) bringRepeatsBack(jsonPart(values, repeatsKey), jsonPart(values, chosenKey));
    const auto quiet = bins_->quietly();
    correction_->setFiles(CorrectionFiles::of(state));
    watchFields();
    if (!values.contains("bins")) return edited();
    if (scope == Scope::session) {
        image_->bringBack(jsonPart(values, "image"));
        picked_ = std::max(jsonInteger(values, "picked"), 0);
        profile_->setKind(static_cast<ProfilePanel::Kind>(
            std::clamp(jsonInteger(values, "profile"), 0, static_cast<int>(ProfilePanel::Column))));
    }
    bins_->bringBack(state);
}

void XpcsPage::bringRepeatsBack(const nlohmann::json& kept, const nlohmann::json& chosen) {
    constexpr std::size_t most = 100'000;
    std::vector<std::string> names;
    if (kept.is_array() && kept.size() <= most)
        for (const nlohmann::json& one : kept)
            if (one.is_string()) names.push_back(one.get<std::string>());
    takeRepeats(namesFrom(names, io::DataName::parse(absoluteName(*file_)).file.string()));
    const bool all = chosen.is_array() && chosen.size() == repeats().size();
    for (std::size_t i = 0; i < repeats().size(); ++i)
        chooseRepeat(repeats()[i],
                     all && chosen[i].is_boolean() ? std::optional(chosen[i].get<bool>()) : std::nullopt);
    showRepeats();
    emit inputsChanged();
}

std::optional<PageState> XpcsPage::ofRequest(const Request& request, const Geometry& geometry,
                                             MaskState& drawn) const {
    std::optional<PageState> state = binsOfRequest(request, geometry, drawn, bins_->form().choice().recipe);
    if (state) CorrectionFiles::of(request).keep(*state);
    return state;
}

}  // namespace ks::ui::xpcs
