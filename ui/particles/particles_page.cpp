#include "ui/particles/particles_page.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/io/frame_format.h"
#include "core/io/points/point_file.h"
#include "core/particles/parameters.h"
#include "ui/base/elided_label.h"
#include "ui/files/file_filters.h"
#include "ui/particles/cost_panel.h"
#include "ui/particles/map_form.h"
#include "ui/particles/page.h"
#include "ui/particles/reference_maker.h"
#include "ui/particles/sources_panel.h"
#include "ui/particles/sum_form.h"
#include "ui/plots/curve_plot.h"
#include "ui/shell/page_actions.h"

namespace ks::ui::particles {
namespace {

constexpr int minSide = 32;  ///< minimum for a preview

QComboBox* chooser(const QStringList& items, const QString& name, const QString& tip) {
    auto* made = new QComboBox;
    made->addItems(items);
    made->setAccessibleName(name);
    made->setToolTip(tip);
    made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return made;
}

bool holdsPoints(const io::FileNode& node) {
    const auto has = [&node](const char* name) {
        return std::ranges::any_of(node.children, [name](const io::FileNode& child) {
            return child.name == name && child.kind == io::FileNode::Kind::dataset;
        });
    };
    return node.points || (has("x") && has("y") && has("z")) ||
           std::ranges::any_of(node.children, holdsPoints);
}

}  // namespace

std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<ParticlesPage>(context);
}

ParticlesPage::ParticlesPage(PageContext& context)
    : AnalysisPage({QStringLiteral("particles")}),
      context_(context),
      runs_([this](const Run& run) { return ofThisFile(run); }),
      maps_(new PlaneMaps),
      profile_(new CurvePlot),
      cost_(makeCost()),
      form_(new SumForm),
      look_(new MapForm),
      panel_(new SourcesPanel),
      maker_(new ReferenceMaker(context.jobs, this)),
      inputs_(new QWidget),
      shown_(chooser({tr("Result"), tr("Older run"), tr("Difference"), tr("Error")}, tr("Displayed result"),
                     tr("Show the newest ticked run, the previous one, their difference, or the deviation "
                        "from the reference"))),
      field_(chooser({}, tr("Field"), tr("Quantity of the result"))),
      part_(chooser({tr("Magnitude"), tr("Phase"), tr("Real part"), tr("Imaginary part")}, tr("Part"),
                    tr("Part of complex sums to show"))),
      scale_(
          chooser({tr("Linear"), tr("Log")}, tr("Scale"), tr("Colour scale; logarithms are of magnitudes"))),
      status_(new ElidedLabel),
      error_(new ElidedLabel),
      measure_(new QToolButton) {
    auto* rows = new QVBoxLayout(inputs_);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(16);
    rows->addWidget(form_);
    rows->addWidget(look_);
    for (const Plane plane : allPlanes) figures_.emplace_back(*maps_, plane);
    for (const auto& [name, part] :
         std::initializer_list<std::pair<const char*, QWidget*>>{{"profile", profile_},
                                                                 {"shown", shown_},
                                                                 {"field", field_},
                                                                 {"part", part_},
                                                                 {"scale", scale_},
                                                                 {"error", error_},
                                                                 {"measure", measure_}})
        part->setObjectName(QLatin1String(name));
    makeActions();
    makeCentre();
    connectParts();
    connectMaps();
    form_->keepSteps(*context_.history);
    look_->setIsolinesVisible(true);
    maps_->setGrid(form_->planes());
    chooseRuns();
}

ParticlesPage::~ParticlesPage() {
    maker_->cancel();
    disconnectParts({form_, look_, panel_});
}

void ParticlesPage::makeActions() {
    const auto add = [this](const char* name, const QString& text, const QKeySequence& key,
                            const QString& tip) {
        QAction* action = pageAction(this, name, text, key, tip);
        actions_.insert(QLatin1String(name), action);
        return action;
    };
    for (const char* name : {"sources", "isolines", "lock"}) {
        const QLatin1String id(name);
        QAction* action =
            id == QLatin1String("sources")
                ? add(name, tr("Sources"), Qt::Key_S,
                      tr("Show the sources as dots with an area that grows with |weight|; positive weights "
                         "are white, negative ones black, complex ones coloured by phase"))
            : id == QLatin1String("isolines")
                ? add(name, tr("Isolines"), Qt::Key_I, tr("Draw lines of equal value"))
                : add(name, tr("Lock colours"), Qt::Key_L, tr("Keep the colour limits"));
        action->setCheckable(true);
        action->setChecked(id != QLatin1String("lock"));
    }
    add("reference", tr("Error map"), QKeySequence(Qt::CTRL | Qt::Key_R),
        tr("Compute the reference of the displayed result on the host and show the deviation"));
    add("blink", tr("Blink"), Qt::Key_Space, tr("Show the other of two ticked runs"));
    // Elsewhere the space key activates buttons.
    QAction* other = actions_.value(QStringLiteral("blink"));
    removeAction(other);
    other->setShortcutContext(Qt::WidgetShortcut);
    maps_->addAction(other);
}

QWidget* ParticlesPage::makeBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);  // the smallest window has no room for more
    for (QComboBox* one : {shown_, field_, part_, scale_}) row->addWidget(one);
    for (const char* name : {"sources", "isolines", "reference"})
        row->addWidget(flatButton(actions_.value(QLatin1String(name))));
    row->addWidget(status_, 1);
    row->addWidget(measure_);
    return bar;
}

void ParticlesPage::makeCentre() {
    profile_->setAccessibleName(tr("Profiles through the selected point"));
    profile_->setLogOffered(false);
    profile_->setToolTip(
        tr("Profiles through the clicked point of a map. With the focus on the maps, Shift and an arrow key "
           "move the point, Page Up and Page Down move it to another plane."));
    status_->setAccessibleName(tr("Shown run"));
    error_->setAccessibleName(tr("Largest error"));
    error_->hide();
    measure_->setText(tr("Measure ceilings"));
    measure_->setAccessibleName(measure_->text());
    measure_->setToolTip(
        tr("Measure the peak rates of this run's device, to see how close the run comes to them"));
    measure_->hide();
    status_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    status_->setMinimumHeight(measure_->sizeHint().height());  // maps must not jump when the button is hidden
    auto* top = new QWidget;
    auto* rows = new QVBoxLayout(top);
    rows->setContentsMargins(4, 2, 4, 2);
    rows->setSpacing(2);
    rows->addWidget(makeBar());
    rows->addWidget(maps_, 1);
    rows->addWidget(error_);
    setBody(top,
            {{tr("Profiles"), profile_, false, tr("The field along the lines through the selected point")},
             {tr("Cost"), cost_, false,
              tr("Cost of a run against N, by direct sums and by a treecode, and their crossover")}},
            3);
}

std::vector<PicturePlace> ParticlesPage::pictures() const {
    return {placeIn(*this, *maps_, maps_->place())};
}

void ParticlesPage::connectParts() {
    connect(form_, &SumForm::changed, this, &ParticlesPage::edited);
    connect(form_, &SumForm::fitRequested, this, [this] {
        if (sources_) form_->fitTo(*sources_);
        form_->noteStep();
        edited();
    });
    connect(look_, &MapForm::changed, this, &ParticlesPage::showMaps);
    connect(look_, &MapForm::lockedChanged, actions_.value(QStringLiteral("lock")), &QAction::setChecked);
    connect(actions_.value(QStringLiteral("lock")), &QAction::toggled, look_, &MapForm::setLocked);
    connect(actions_.value(QStringLiteral("isolines")), &QAction::toggled, look_,
            &MapForm::setIsolinesVisible);
    connect(actions_.value(QStringLiteral("sources")), &QAction::toggled, maps_,
            &PlaneMaps::setSourcesVisible);
    connect(actions_.value(QStringLiteral("reference")), &QAction::triggered, this,
            &ParticlesPage::startReference);
    connect(actions_.value(QStringLiteral("blink")), &QAction::triggered, this, &ParticlesPage::blink);
    connect(panel_, &SourcesPanel::demoRequested, this, &AnalysisPage::demoRequested);
    for (QComboBox* one : {shown_, part_, scale_})
        connect(one, &QComboBox::currentIndexChanged, this, &ParticlesPage::showMaps);
    connect(field_, &QComboBox::currentIndexChanged, this, [this] {
        stem_ = field_->currentData().toString().toStdString();
        showFields();
        showMaps();
    });
    connect(maker_, &ReferenceMaker::made, this, &ParticlesPage::takeReference);
    connect(maker_, &ReferenceMaker::progress, this, [this](double fraction) {
        error_->setWhole(tr("Computing the reference: %1 % (Esc stops)").arg(std::lround(100 * fraction)));
        error_->show();
        emit inputsChanged();
    });
    connect(maker_, &ReferenceMaker::failed, this, [this](const Error& error) {
        showStatus();
        emit failed(error);
        emit inputsChanged();
    });
    connect(measure_, &QToolButton::clicked, this, [this] {
        if (const RunRow* shown = ofStatus()) context_.desk->measureCeilings(shown->run->device);
    });
    connect(context_.desk.get(), &Desk::measurableChanged, measure_, &QWidget::setEnabled);
    measure_->setEnabled(context_.desk->measurable());
    connect(context_.desk.get(), &Desk::ceilingsChanged, this, &ParticlesPage::showStatus);
    connect(profile_, &CurvePlot::pointHovered, this, &Page::cursorMoved);
}

void ParticlesPage::connectMaps() {
    connect(maps_, &PlaneMaps::hovered, this, &ParticlesPage::readOut);
    connect(maps_, &PlaneMaps::hoverLeft, this, [this] { emit cursorMoved({}); });
    connect(maps_, &PlaneMaps::clicked, this, [this](const PlanePosition& position) {
        picked_ = position;
        maps_->setPicked(picked_);
        showProfile();
    });
    connect(maps_, &PlaneMaps::planeDragged, this,
            [this](Plane plane, double at, bool) { form_->setOffset(plane, at); });
    connect(maps_, &PlaneMaps::painted, this, &ParticlesPage::painted);
}

bool ParticlesPage::showPlace(const VerdictPlace& place) {
    const auto target = place.find("target");
    const ks::particles::PlaneGrid& grid = maps_->picture() ? maps_->picture()->grid : maps_->grid();
    const std::size_t area = grid.side * grid.side;
    if (!sources_ || target == place.end() || target->second >= allPlanes.size() * area) return false;
    const std::size_t rest = target->second % area;
    picked_ = PlanePosition{allPlanes[target->second / area],
                            {grid.at(rest / grid.side), grid.at(rest % grid.side)}};
    maps_->setPicked(picked_);
    showProfile();
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
    if (sources_) {
        form_->fitTo(*sources_);
        form_->noteStep();
        edited();
    }
}

QWidget* ParticlesPage::dataWidget() {
    return panel_;
}

QWidget* ParticlesPage::inputWidget() {
    return inputs_;
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
    maker_->cancel();
    sources_.reset();
    unread_.clear();
    runs_.setPreview(nullptr);
    referenceOf_.reset();
    picked_.reset();
    waiting_.reset();
    fitted_.clear();
    maps_->setPicked(picked_);
    panel_->setSources(nullptr);
    maps_->setSources(nullptr, form_->range());
    // The first sums of other data are not a response to an edit.
    for (QElapsedTimer* of : {&edited_, &asked_, &told_}) of->invalidate();
    live_.clear();
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
    maps_->setGrid(form_->planes());
    maps_->setSources(sources_, form_->range());
    maps_->fit();
    chooseRuns();
    emit previewWanted();
}

void ParticlesPage::edited() {
    maps_->setGrid(form_->planes());
    maps_->setSources(sources_, form_->range());
    if (!sources_) return emit inputsChanged();
    if (!restoring_ && !edited_.isValid()) edited_.start();
    emit previewWanted();
}

QString ParticlesPage::missing() const {
    if (!unread_.isEmpty()) return unread_;
    if (!file_) return tr("no sources: open a CSV, NumPy or HDF5 file with points, or the demo");
    if (!sources_) return tr("reading the sources");
    const ks::particles::PlaneGrid grid = form_->planes();
    if (!(grid.low < grid.high))
        return tr("the lower end of the planes must be below the upper end, found %1 to %2")
            .arg(grid.low)
            .arg(grid.high);
    return {};
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
}

void ParticlesPage::fill(Request& request) const {
    request.inputs["sources"] = {file_->name.toStdString(), {}};
    fillOwn(request.parameters);
}

void ParticlesPage::fillOwn(ParameterSet& parameters) const {
    form_->fill(parameters);
}

FileValues ParticlesPage::fileValues() const {
    return {.traits = {{"targets", std::string("planes")}}};
}

void ParticlesPage::setOutdated(const QStringList& labels) {
    if (labels == outdated_) return;
    outdated_ = labels;
    showStatus();
}

AnalysisPage::Reduced ParticlesPage::reduce(Request& request, double share) const {
    request.check = CheckMode::none;
    if (edited_.isValid()) {
        asked_ = edited_;
        edited_.invalidate();
    }
    const auto whole = static_cast<std::int64_t>(form_->planes().side);
    const auto side =
        std::max<std::int64_t>(minSide, std::llround(static_cast<double>(whole) * std::sqrt(share)));
    if (side >= whole) return Reduced::whole;
    request.parameters["planes"] = side;
    return Reduced::part;
}

bool ParticlesPage::working() const {
    return maker_->running();
}

void ParticlesPage::cancel() {
    maker_->cancel();
}

std::vector<NamedPlot> ParticlesPage::plots() const {
    std::vector<NamedPlot> all{{tr("Maps of the three planes"), maps_, QStringLiteral("planes")},
                               {tr("Profiles"), profile_, QStringLiteral("profiles")}};
    if (!cost_->curves().empty())
        all.push_back({tr("Cost against N"), &cost_->plot(), QStringLiteral("cost")});
    for (const PlaneFigure& one : figures_)
        all.push_back({tr("Map of the plane %1").arg(one.figureName().right(2)), &one, {}});
    return all;
}

QList<QAction*> ParticlesPage::editActions() const {
    QList<QAction*> actions;
    for (const char* name : {"sources", "isolines", "lock", "reference", "blink"})
        actions << actions_.value(QLatin1String(name));
    return actions;
}

}  // namespace ks::ui::particles
