#include "ui/particles/particles_page.h"

#include <QObject>
#include <QScopedValueRollback>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/io/frame_format.h"
#include "core/io/points/point_file.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/files/file_filters.h"
#include "ui/particles/cost_panel.h"
#include "ui/particles/map_form.h"
#include "ui/particles/reference_maker.h"
#include "ui/particles/sources_panel.h"
#include "ui/particles/sum_form.h"
#include "ui/particles/sums_view.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/run_source.h"

namespace ks::ui::particles {
namespace {

constexpr std::int64_t minSide = 32;  ///< minimum for a preview
/// Maximum for a preview: more points than the maps have pixels on a screen, and results and pictures of some
/// hundred megabytes whatever is computed.
constexpr std::int64_t maxSide = 1024;

bool holdsPoints(const io::FileNode& node) {
    const auto has = [&node](const char* name) {
        return std::ranges::any_of(node.children, [name](const io::FileNode& child) {
            return child.name == name && child.kind == io::FileNode::Kind::dataset;
        });
    };
    return node.points || (has("x") && has("y") && has("z")) ||
           std::ranges::any_of(node.children, holdsPoints);
}

nlohmann::json jsonOf(const PlanePosition& point) {
    return {{"plane", static_cast<int>(point.plane)}, {"at", {point.at.x(), point.at.y()}}};
}

/// Two numbers; nothing: the value is not a pair of them.
std::optional<std::pair<double, double>> pairIn(const nlohmann::json& value) {
    if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number())
        return std::nullopt;
    return std::pair{value[0].get<double>(), value[1].get<double>()};
}

/// For synthetic problems like the page's: in the unit box, with the kernel width scaled in proportion.
/// @param sources null: none
SizeLists costProblem(const SumForm& form, const SourceSet* sources) {
    ParameterSet own;
    form.fill(own);
    const double extent = sources ? sources->extent() : 1;
    SizeLists sizes;
    sizes["kernel"] = {own.at("kernel")};
    sizes["sigma"] = {real(own, "sigma") / extent};
    sizes["wavenumber"] = {real(own, "wavenumber") * extent};
    const bool isComplex = sources && sources->points().is_complex();
    sizes["weights"] = {std::string(isComplex ? "complex" : "signed")};
    if (sources) sizes["vectors"] = {static_cast<std::int64_t>(sources->points().n_vectors())};
    for (const char* ofWindow : {"precision", "gradient", "tolerance"}) sizes[ofWindow] = {};
    return sizes;
}

}  // namespace

void LiveTimes::setPreview(std::shared_ptr<const Run> run) {
    timing_ = false;
    since_ = asked_;
    if (!run) times_.clear();
    timed_ = asked_.isValid() ? std::move(run) : nullptr;
}

void LiveTimes::pictured(const std::shared_ptr<const Run>& run) {
    if (!timed_ || timed_ != run) return;
    timed_.reset();
    timing_ = true;
}

bool LiveTimes::painted(std::size_t side) {
    if (!std::exchange(timing_, false)) return false;
    latency_ = static_cast<double>(since_.nsecsElapsed()) * 1e-6;
    if (told_ != since_) times_.clear();
    told_ = since_;
    if (times_.size() > 1) times_.removeLast();
    times_ << QObject::tr("%1 at %2 \u00d7 %2").arg(formatDuration(latency_ * 1e6)).arg(side);
    return true;
}

/// Particle sums: three linked maps of the planes xy, xz and yz, profiles, and the error
/// against the reference.
std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<ParticlesPage>(context);
}

ParticlesPage::ParticlesPage(PageContext& context)
    : AnalysisPage({QStringLiteral("particles")}),
      context_(context),
      runs_([this](const Run& run) { return ofThisFile(run); }),
      form_(new SumForm),
      look_(new MapForm),
      panel_(new SourcesPanel),
      inputs_(boxed(inRows({form_, look_}, 16))),
      view_(new SumsView(context, *look_, *this)),
      cost_(new CostPanel([this] { return costProblem(*form_, sources_.get()); })) {
    setKeysWithoutWork({QStringLiteral("sums"), QStringLiteral("point"), QStringLiteral("shown")});
    setUsedBy(QStringLiteral("tolerance"), tr("Measure cost (tab Cost)"));
    for (const Plane plane : allPlanes) figures_.emplace_back(view_->maps(), plane);
    setBody(view_,
            {{tr("Profiles"), &view_->profile(), false,
              tr("The field along the lines through the selected point")},
             {tr("Cost"), cost_, false,
              tr("Cost of a run against N, with direct sums and with a treecode, and the N where the two "
                 "curves cross")}},
            3);
    connectParts();
    connect(this, &Page::openingChanged, this, &ParticlesPage::showEmptyTexts);
    view_->setMarks([this](const RunRow& row, bool isNewest) {
        if (row.number == 0) return runMark(isWrong(row), QString());
        return runMark(isWrong(row), isNewest ? outdated_ : differing(*row.run));
    });
    cost_->follow(*context_.desk, *this);
    connect(&cost_->plot(), &CurvePlot::pointHovered, this, &Page::cursorMoved);
    form_->keepSteps(*context_.history);
    view_->maps().setGrid(form_->planes());
    chooseRuns();
}

ParticlesPage::~ParticlesPage() {
    disconnectParts({form_, look_, panel_});
}

void ParticlesPage::connectParts() {
    connect(form_, &SumForm::changed, this, &ParticlesPage::edited);
    connect(form_, &SumForm::changed, cost_, &CostPanel::showMade);
    connect(form_, &SumForm::fitRequested, this, &ParticlesPage::fit);
    connect(panel_, &SourcesPanel::demoRequested, this, &AnalysisPage::demoRequested);
    connect(&view_->maps(), &PlaneMaps::planeDragged, this,
            [this](Plane plane, double at, bool) { form_->setOffset(plane, at); });
    connect(view_, &SumsView::cursorMoved, this, &Page::cursorMoved);
    connect(view_, &SumsView::failed, this, &Page::failed);
    connect(view_, &SumsView::referenceChanged, this, &Page::inputsChanged);
    connect(view_, &SumsView::behindChanged, this, &Page::inputsChanged);
    connect(view_, &SumsView::fullCheckWanted, this, &AnalysisPage::fullCheckWanted);
    connect(view_, &SumsView::pictured, this,
            [this](const std::shared_ptr<const Run>& run) { live_.pictured(run); });
    connect(view_, &SumsView::painted, this, [this] {
        const auto picture = view_->maps().picture();
        if (picture && live_.painted(picture->grid.side)) form_->setLive(tr("live: %1").arg(live_.text()));
    });
}

bool ParticlesPage::showPlace(const VerdictPlace& place) {
    const auto target = place.find("target");
    const PlaneMaps& maps = view_->maps();
    const ks::particles::PlaneGrid& grid = maps.picture() ? maps.picture()->grid : maps.grid();
    const std::size_t area = grid.side * grid.side;
    if (!sources_ || target == place.end() || target->second >= allPlanes.size() * area) return false;
    const std::size_t rest = target->second % area;
    view_->pick({allPlanes[target->second / area], {grid.at(rest / grid.side), grid.at(rest % grid.side)}});
    return true;
}

bool ParticlesPage::accepts(const OpenFile& file) const {
    const std::string path = file.path.toStdString();
    const io::FrameFormat* const format = io::format_of_suffix(path);
    // A file that cannot be read is accepted by its name: the page reports the error.
    const bool table = format && format->tables && !format->objects && !file.frames;
    return io::are_columns_of_points(file.columns) || table || holdsPoints(file.tree);
}

bool ParticlesPage::prefers(const OpenFile& file) const {
    const std::vector<io::FileNode>& objects = file.tree.children;
    return objects.size() == 1 && objects.front().points && objects.front().type.starts_with('f');
}

QStringList ParticlesPage::fileFilters() const {
    return {tablesFilter(tr("Points"), false)};
}

std::vector<Demo> ParticlesPage::demos() const {
    return {panel_->demo()};
}

OwnParameters ParticlesPage::ownParameters() const {
    ParameterSet all = form_->plain();
    for (const auto& [id, value] : fitted_) all[id] = value;
    return {SumForm::parameters(), all};
}

void ParticlesPage::resetParameters() {
    form_->reset();
    if (sources_) fit();
}

void ParticlesPage::fit() {
    if (sources_) form_->fitTo(*sources_);
    form_->noteStep();
    edited();
}

QWidget* ParticlesPage::dataWidget() {
    return panel_;
}

std::function<std::any()> ParticlesPage::reader(const OpenFile& file) const {
    return [name = file.name.toStdString()]() -> std::any { return readSources(name); };
}

void ParticlesPage::closeFile() {
    context_.jobs.drop(this, QStringLiteral("sources"));
    forgetSources();
    showEmptyTexts();
}

void ParticlesPage::forgetSources() {
    file_.reset();
    sources_.reset();
    unread_.clear();
    runs_.setPreview(nullptr);
    waiting_.reset();
    fitted_.clear();
    view_->forget();
    panel_->setSources(nullptr);
    view_->setSources(nullptr, form_->range());
    live_.reset();
    form_->setLive({});
    chooseRuns();
}

void ParticlesPage::setFile(std::shared_ptr<const OpenFile> file) {
    forgetSources();
    file_ = std::move(file);
    context_.jobs.start(
        Jobs::Lane::files, this, QStringLiteral("sources"),
        [given = contentOf<SourceSet>(*file_), name = file_->name.toStdString()] {
            return given ? given : readSources(name);
        },
        [this](std::shared_ptr<const SourceSet> sources) { takeSources(std::move(sources)); },
        [this](const Error& error) {
            // The file was opened for another page, which could read it: not an error for the user.
            file_.reset();
            unread_ = QString::fromUtf8(error.what());
            showEmptyTexts();
            emit inputsChanged();
        });
}

void ParticlesPage::takeSources(std::shared_ptr<const SourceSet> sources) {
    // The form is filled by the program, and no user waits for the sums.
    const QScopedValueRollback restoring(restoring_, true);
    sources_ = std::move(sources);
    panel_->setSources(sources_.get());
    form_->setSources(sources_.get());
    cost_->setLargest(sources_->size());
    const ks::particles::PlaneGrid grid = form_->planes();
    for (int axis = 0; axis < 3; ++axis)
        if (sources_->low(axis) < grid.low || sources_->high(axis) > grid.high) {
            ParameterSet before, now;
            form_->fill(before);
            form_->fitTo(*sources_);
            form_->fill(now);
            for (const auto& [id, value] : now)
                if (before.at(id) != value) fitted_[id] = value;
            break;
        }
    takeKept();
    form_->settle();
    showPlanes();
    view_->maps().fit();
    chooseRuns();
    emit previewWanted();
}

void ParticlesPage::showPlanes() {
    view_->maps().setGrid(form_->planes());
    view_->setSources(sources_, form_->range());
}

void ParticlesPage::edited() {
    keepEdit();
    showPlanes();
    if (!sources_) return emit inputsChanged();
    if (!restoring_) live_.edited();
    emit previewWanted();
}

void ParticlesPage::keepEdit() {
    if (!waiting_ || restoring_) return;
    const nlohmann::json now = sums();
    if (!waiting_->values.is_object()) waiting_->values = nlohmann::json::object();
    nlohmann::json& kept = waiting_->values["sums"];
    if (!kept.is_object()) kept = nlohmann::json::object();
    for (const auto& [id, value] : now.items())
        if (!sumsThen_.contains(id) || sumsThen_[id] != value) kept[id] = value;
    sumsThen_ = now;
}

nlohmann::json ParticlesPage::sums() const {
    ParameterSet set;
    form_->fill(set);
    return to_json(set);
}

QString ParticlesPage::missing() const {
    if (!unread_.isEmpty()) return unread_;
    if (!file_) return tr("no sources: open a CSV, NumPy or HDF5 file with points, or the demo");
    if (!sources_) return tr("reading the sources");
    return form_->whyNoPlanes();
}

void ParticlesPage::apply(const ParameterSet& given) {
    const QScopedValueRollback restoring(restoring_, true);
    form_->apply(given);
    if (!file_ || sources_) return;
    // Values saved for these sources are applied after their box, which moves the planes.
    const ParameterSet plain = ownParameters().ofData;
    ParameterSet set;
    for (const auto& [id, value] : given)
        if (const auto at = plain.find(id); at != plain.end() && at->second != value) set[id] = value;
    if (set.empty()) return;
    waiting_.reset();
    waiting_ = state(Scope::session);
    waiting_->values["sums"] = to_json(set);
    sumsThen_ = sums();
}

void ParticlesPage::fill(Request& request) const {
    request.inputs["sources"] = {file_->name.toStdString(), {}};
    fillOwn(request.parameters);
}

void ParticlesPage::fillOwn(ParameterSet& parameters) const {
    form_->fill(parameters);
}

void ParticlesPage::setOutdated(const QStringList& labels) {
    outdated_ = labels;
    view_->setOutdated(outdatedText(labels));
}

AnalysisPage::Reduced ParticlesPage::reduce(Request& request, double share) const {
    request.check = CheckMode::none;
    live_.requested();
    const auto whole = static_cast<std::int64_t>(form_->planes().side), most = std::min(whole, maxSide);
    const auto side = std::clamp<std::int64_t>(std::llround(static_cast<double>(most) * std::sqrt(share)),
                                               std::min(minSide, most), most);
    if (side >= whole) return Reduced::whole;
    request.parameters["planes"] = side;
    return side < most ? Reduced::part : Reduced::most;
}

bool ParticlesPage::ofThisFile(const Run& run) const {
    return file_ && sources_ && readFrom(run, "sources", *file_, {{"sources", sources_->size()}}) &&
           !fieldsOf(run.result).empty();
}

void ParticlesPage::setPreview(std::shared_ptr<const Run> run) {
    // Edits made until now get no preview: the next edit is timed from its start.
    if (!run) live_.dropEdits();
    if (!runs_.setPreview(std::move(run))) return;
    live_.setPreview(runs_.preview());
    if (!runs_.preview()) form_->setLive({});
    chooseRuns();
}

void ParticlesPage::setRuns(const std::vector<RunRow>& runs) {
    runs_.setTicked(runs);
    chooseRuns();
}

void ParticlesPage::runChanged(const RunRow& row) {
    runs_.replace(row);
    view_->renewRuns(runs_.shown());
}

void ParticlesPage::chooseRuns() {
    showEmptyTexts();
    view_->setRuns(runs_.shown(), runs_.preview() != nullptr);
}

QString ParticlesPage::status() const {
    return view_->status();
}

void ParticlesPage::showEmptyTexts() {
    view_->maps().setEmptyText(
        !unread_.isEmpty()            ? unread_
        : !file_ && isOpening()       ? openingText()
        : !file_ && !lack().isEmpty() ? lack()
        : !file_    ? tr("Drop a CSV, NumPy or HDF5 file with sources x, y, z, weight here, or open "
                            "the demo (Ctrl+D)")
        : !sources_ ? tr("Reading the sources \u2026")
                    : tr("Press Run (F5) or move a slider to see the sums here"));
}

AnalysisPage::Work ParticlesPage::work() const {
    if (view_->behind()) return Work::drawing;
    return view_->reference().running() ? Work::computing : Work::none;
}

void ParticlesPage::cancel() {
    view_->reference().cancel();
    if (drawing()) view_->stopDrawing();
}

std::vector<PicturePlace> ParticlesPage::pictures() const {
    return {placeIn(*this, view_->maps(), view_->maps().place())};
}

std::vector<NamedPlot> ParticlesPage::plots() const {
    std::vector<NamedPlot> all{{tr("Maps of the three planes"), &view_->maps(), QStringLiteral("planes")},
                               {tr("Profiles"), &view_->profile(), QStringLiteral("profiles")}};
    if (!cost_->curves().empty())
        all.push_back(
            {tr("Cost against N"), &cost_->plot(), QStringLiteral("cost"), [this] { return cost_->made(); }});
    for (const PlaneFigure& one : figures_)
        all.push_back({tr("Map of the plane %1").arg(one.figureName().right(2)), &one, {}});
    return all;
}

QList<QAction*> ParticlesPage::editActions() const {
    return view_->editActions();
}

std::optional<PageState> ParticlesPage::state(Scope scope) const {
    PageState state;
    if (scope == Scope::settings) {
        state.values = look_->settings();
        view_->keepSettings(state.values);
        state.values["cost-sizes"] = cost_->typedSizes().toStdString();
        return state;
    }
    if (scope != Scope::session) return std::nullopt;
    if (waiting_) return waiting_;
    state.values["sums"] = sums();
    if (const auto limits = look_->typedLimits()) state.values["limits"] = {limits->first, limits->second};
    if (const std::string beside = view_->shownBeside(); !beside.empty()) state.values["shown"] = beside;
    if (view_->picked()) state.values["point"] = jsonOf(*view_->picked());
    if (const nlohmann::json cost = cost_->keep(); !cost.empty()) state.values["cost"] = cost;
    return state;
}

// The box of the sources would move the planes, so the saved state is applied after it.
void ParticlesPage::setState(const PageState& state, Scope scope) {
    if (scope == Scope::expected) return;
    if (scope == Scope::settings) {
        look_->setSettings(state.values);
        view_->setSettings(state.values);
        return cost_->setSizes(jsonText(state.values, "cost-sizes"));
    }
    if (const nlohmann::json cost = jsonPart(state.values, "cost"); cost.is_object()) cost_->bringBack(cost);
    waiting_ = state;
    sumsThen_ = sums();
    if (!file_ || sources_) takeKept();
}

void ParticlesPage::takeKept() {
    if (!waiting_) return;
    const QScopedValueRollback restoring(restoring_, true);
    const nlohmann::json kept = std::exchange(waiting_, std::nullopt)->values;
    try {
        if (const nlohmann::json sums = jsonPart(kept, "sums"); sums.is_object())
            form_->apply(parameter_set_from(sums));
    } catch (const std::exception&) {
        // From another version: current values are kept.
    }
    look_->setTypedLimits(pairIn(jsonPart(kept, "limits")));
    view_->showBeside(jsonText(kept, "shown").toStdString());
    const nlohmann::json point = jsonPart(kept, "point");
    const int plane = jsonInteger(point, "plane", -1);
    if (const auto at = pairIn(jsonPart(point, "at"));
        at && plane >= 0 && plane < static_cast<int>(allPlanes.size()))
        view_->pick({allPlanes[static_cast<std::size_t>(plane)], {at->first, at->second}});
}

}  // namespace ks::ui::particles
