#include "ui/particles/sums_view.h"

#include <QAction>
#include <QComboBox>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/particles/pair_ceiling.h"
#include "core/particles/parameters.h"
#include "core/run/user/shown_variant.h"
#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/wrapping_row.h"
#include "ui/particles/map_form.h"
#include "ui/particles/plane_scene.h"
#include "ui/particles/reference_maker.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/same_inputs.h"
#include "ui/shell/page.h"
#include "ui/shell/page_actions.h"

namespace ks::ui::particles {
namespace {

constexpr const char* switches[] = {"sources", "isolines"};
/// Names of Shown in kept states.
constexpr std::array<std::string_view, 4> besides{"", "older", "difference", "error"};

/// @param object its object name
QComboBox* chooser(const char* object, const QStringList& items, const QString& name, const QString& tip) {
    auto* made = named(new QComboBox, name, tip);
    made->setObjectName(QLatin1String(object));
    made->addItems(items);
    made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return made;
}

void enableItem(QComboBox& box, int item, bool enabled) {
    auto* model = qobject_cast<QStandardItemModel*>(box.model());
    if (model && model->item(item)) model->item(item)->setEnabled(enabled);
}

/// What a verdict says, in fewer and fewer words.
struct VerdictTexts {
    QString whole, brief, least;
};

VerdictTexts verdictTexts(const Verdict& verdict) {
    switch (verdict.state) {
        case Verdict::State::unchecked:
            return {};
        case Verdict::State::fail: {
            const QString fail = QObject::tr("check: fail");
            return {QObject::tr("check: fail, %1").arg(QString::fromStdString(verdict.text)), fail, fail};
        }
        default:
            break;
    }
    const QString error = QObject::tr("error %1").arg(formatNumber(verdict.worst_error.value_or(0), 2)),
                  brief = QObject::tr("check: %1, %2")
                              .arg(verdict.state == Verdict::State::pass ? QObject::tr("pass")
                                                                         : QObject::tr("pass on a sample"),
                                   error);
    return {QObject::tr("%1 of %2 allowed").arg(brief, formatNumber(verdict.tolerance, 2)), brief, error};
}

}  // namespace

SumsView::SumsView(PageContext& context, MapForm& look, QWidget& page)
    : context_(context),
      look_(look),
      page_(page),
      maps_(new PlaneMaps),
      profile_(new CurvePlot),
      maker_(new ReferenceMaker(context.jobs, this)),
      shown_(chooser("shown", {tr("Result"), tr("Older run"), tr("Difference"), tr("Error")},
                     tr("Displayed result"),
                     tr("Show the newest ticked run, the previous one, their difference, or the deviation "
                        "from the reference"))),
      field_(chooser("field", {}, tr("Field"), tr("Quantity of the result"))),
      part_(chooser("part", {tr("Magnitude"), tr("Phase"), tr("Real part"), tr("Imaginary part")}, tr("Part"),
                    tr("Which part of complex sums is shown"))),
      scale_(chooser("scale", {tr("Linear"), tr("Log")}, tr("Scale"),
                     tr("Colour scale; \"Log\" shows logarithms of magnitudes"))),
      status_(named(new ElidedLabel, tr("Shown run"))),
      error_(named(new ElidedLabel, tr("Largest error"))),
      measure_(new QToolButton) {
    makeActions();
    describeParts();
    setLayout(inRows({makeBar(), {maps_, 1}, error_}, 2, {4, 2, 4, 2}));
    connectParts();
    look_.setIsolinesVisible(true);
    showAll();
}

SumsView::~SumsView() {
    maker_->cancel();
    if (stopped_) stopped_->store(true);
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void SumsView::makeActions() {
    const auto add = [this](const char* name, const QString& text, const QKeySequence& key,
                            const QString& tip) {
        QAction* made = pageAction(&page_, name, text, key, tip);
        actions_.insert(QLatin1String(name), made);
        return made;
    };
    const auto addSwitch = [&add](const char* name, const QString& text, Qt::Key key, const QString& tip,
                                  bool on) {
        QAction* made = add(name, text, key, tip);
        made->setCheckable(true);
        made->setChecked(on);
        return made;
    };
    connect(addSwitch("sources", tr("Sources"), Qt::Key_S,
                      tr("Show the sources as dots with an area that grows with |weight|; positive weights "
                         "are white, negative ones black, complex ones coloured by phase"),
                      true),
            &QAction::toggled, maps_, &PlaneMaps::setSourcesVisible);
    connect(addSwitch("isolines", tr("Isolines"), Qt::Key_I, tr("Draw lines of equal value"), true),
            &QAction::toggled, &look_, &MapForm::setIsolinesVisible);
    QAction* lock = addSwitch("lock", tr("Lock colours"), Qt::Key_L, tr("Keep the colour limits"), false);
    connect(lock, &QAction::toggled, &look_, &MapForm::setLocked);
    connect(&look_, &MapForm::lockedChanged, lock, &QAction::setChecked);
    connect(add("reference", tr("Error map"), QKeySequence(Qt::CTRL | Qt::Key_R),
                tr("Compute the reference of the displayed result on the host and show the deviation")),
            &QAction::triggered, this, &SumsView::startReference);
    QAction* other =
        add("blink", tr("Blink"), Qt::Key_Space, tr("Switch to the other of the two ticked runs"));
    connect(other, &QAction::triggered, this, &SumsView::blink);
    // Elsewhere the space key activates buttons.
    page_.removeAction(other);
    other->setShortcutContext(Qt::WidgetShortcut);
    maps_->addAction(other);
}

void SumsView::describeParts() {
    profile_->setObjectName(QStringLiteral("profile"));
    profile_->setLogOffered(false);
    named(
        profile_, tr("Profiles through the selected point"),
        tr("Profiles through the clicked point of a map. With the focus on the maps, Shift and an arrow key "
           "move the point, Page Up and Page Down move it to another plane."));
    error_->setObjectName(QStringLiteral("error"));
    error_->hide();
    measure_->setObjectName(QStringLiteral("measure"));
    measure_->setText(tr("Measure ceilings"));
    named(measure_, measure_->text(),
          tr("Measure the peak rates of this run's device, to see how close the run comes to them"));
    measure_->hide();
    status_->setObjectName(QStringLiteral("status"));
    status_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    status_->setMinimumHeight(measure_->sizeHint().height());  // maps must not jump when the button is hidden
}

QLayout* SumsView::makeBar() {
    return new WrappingRow(
        {shown_, field_, part_, scale_, flatButton(action("sources")), flatButton(action("isolines")),
         flatButton(action("reference")), status_, measure_},
        4);
}

void SumsView::connectParts() {
    constexpr int longDrawing = 400;  // milliseconds: while a hand moves, each picture is shown
    slow_.setSingleShot(true);
    slow_.setInterval(longDrawing);
    connect(&slow_, &QTimer::timeout, this, [this] {
        if (again_) stopped_->store(true);
        setBehind(true);
    });
    connect(&look_, &MapForm::changed, this, &SumsView::showMaps);
    for (QComboBox* one : {shown_, part_, scale_})
        connect(one, &QComboBox::currentIndexChanged, this, &SumsView::showMaps);
    connect(shown_, &QComboBox::activated, this, [this] { wanted_.reset(); });
    connect(field_, &QComboBox::currentIndexChanged, this, [this] {
        stem_ = field_->currentData().toString().toStdString();
        showMaps();
    });
    connect(maker_, &ReferenceMaker::made, this, &SumsView::takeReference);
    connect(maker_, &ReferenceMaker::progress, this, [this](double fraction) {
        error_->setWhole(tr("Computing the reference: %1 % (Esc stops)").arg(std::lround(100 * fraction)));
        error_->show();
        emit referenceChanged();
    });
    connect(maker_, &ReferenceMaker::failed, this, [this](const Error& error) {
        showStatus();
        emit failed(error);
        emit referenceChanged();
    });
    Desk* const desk = context_.desk.get();
    connect(measure_, &QToolButton::clicked, this, [this, desk] {
        if (const RunRow* shown = ofStatus()) desk->measureCeilings(shown->run->device);
    });
    connect(desk, &Desk::measurableChanged, measure_, &QWidget::setEnabled);
    measure_->setEnabled(desk->measurable());
    connect(desk, &Desk::ceilingsChanged, this, &SumsView::showStatus);
    connect(profile_, &CurvePlot::pointHovered, this, &SumsView::cursorMoved);
    connect(maps_, &PlaneMaps::hovered, this, &SumsView::readOut);
    connect(maps_, &PlaneMaps::hoverLeft, this, [this] { emit cursorMoved({}); });
    connect(maps_, &PlaneMaps::clicked, this, &SumsView::pick);
    // The maps come first, as the user waits for them; then the profiles.
    connect(maps_, &PlaneMaps::painted, this, [this] {
        emit painted();
        showProfile();
        if (maps_->pointer()) readOut(*maps_->pointer());
    });
}

void SumsView::setSources(std::shared_ptr<const SourceSet> sources, double fade) {
    sources_ = std::move(sources);
    maps_->setSources(sources_, fade);
}

void SumsView::forget() {
    maker_->cancel();
    referenceOf_.reset();
    picked_.reset();
    maps_->setPicked(picked_);
}

void SumsView::setRuns(std::vector<RunRow> runs, bool live) {
    all_ = std::move(runs);
    live_ = live;
    if (!live_ && !hasReference()) referenceOf_.reset();
    showAll();
    takeWanted();
}

void SumsView::renewRuns(std::vector<RunRow> runs) {
    all_ = std::move(runs);
    showStatus();
}

void SumsView::setOutdated(const QString& text) {
    if (text == outdated_) return;
    outdated_ = text;
    showStatus();
}

void SumsView::pick(const PlanePosition& position) {
    picked_ = position;
    maps_->setPicked(picked_);
    showProfile();
}

QList<QAction*> SumsView::editActions() const {
    return {action("sources"), action("isolines"), action("lock"), action("reference"), action("blink")};
}

QString SumsView::status() const {
    return status_->whole();
}

void SumsView::keepSettings(nlohmann::json& kept) const {
    kept["part"] = part_->currentIndex();
    kept["scale"] = scaleBefore_.value_or(scale_->currentIndex());
    for (const char* name : switches) kept[std::string("show-") + name] = action(name)->isChecked();
}

std::string SumsView::shownBeside() const {
    return std::string(besides[static_cast<std::size_t>(wanted_.value_or(shownNow()))]);
}

void SumsView::showBeside(const std::string& what) {
    const auto found = std::ranges::find(besides, std::string_view(what));
    wanted_.reset();
    if (found == besides.end() || found == besides.begin()) return;
    wanted_ = static_cast<Shown>(found - besides.begin());
    takeWanted();
}

void SumsView::takeWanted() {
    if (!wanted_ || live_ || all_.size() < (*wanted_ == Shown::error ? 1U : 2U)) return;
    const Shown what = *std::exchange(wanted_, std::nullopt);
    if (what == Shown::error)
        startReference();
    else
        choose(what);
}

void SumsView::setSettings(const nlohmann::json& kept) {
    for (const auto& [box, key] : {std::pair{part_, "part"}, std::pair{scale_, "scale"}}) {
        const int index = jsonInteger(kept, key, box->currentIndex());
        if (index >= 0 && index < box->count()) box->setCurrentIndex(index);
    }
    for (const char* name : switches)
        action(name)->setChecked(
            jsonBoolean(kept, (std::string("show-") + name).c_str(), action(name)->isChecked()));
}

void SumsView::showAll() {
    showChoices();
    showMaps();
}

bool SumsView::hasReference() const {
    return referenceOf_ && !all_.empty() && sameInputs(referenceOf_->request, all_[0].run->request);
}

QString SumsView::nameOfRun(std::size_t index) const {
    return index < all_.size() ? runLabel(all_[index]) : QString();
}

void SumsView::choose(Shown what) {
    shown_->setCurrentIndex(static_cast<int>(what));
}

Shown SumsView::shownNow() const {
    return static_cast<Shown>(std::max(shown_->currentIndex(), 0));
}

void SumsView::showChoices() {
    const QSignalBlocker quiet(shown_);
    const bool two = all_.size() > 1, reference = hasReference();
    const QString first = nameOfRun(0), second = nameOfRun(1);
    shown_->setItemText(0, first.isEmpty() ? tr("Result") : capitalised(first));
    shown_->setItemText(1, two ? capitalised(second) : tr("Older run"));
    shown_->setItemText(2, two ? tr("%1 \u2212 %2").arg(capitalised(first), second) : tr("Difference"));
    shown_->setItemText(3, tr("|f \u2212 reference|"));
    enableItem(*shown_, 1, two);
    enableItem(*shown_, 2, two);
    enableItem(*shown_, 3, reference);
    const Shown now = shownNow();
    if ((now == Shown::error && !reference) || (!two && (now == Shown::second || now == Shown::difference)))
        shown_->setCurrentIndex(0);
    actions_.value(QStringLiteral("blink"))->setEnabled(two);
    actions_.value(QStringLiteral("reference"))->setEnabled(!all_.empty());
}

void SumsView::showFields() {
    const std::vector<FieldInfo> fields =
        all_.empty() ? std::vector<FieldInfo>() : fieldsOf(all_[0].run->result);
    const QSignalBlocker quiet(field_);
    QStringList have, want;
    for (int i = 0; i < field_->count(); ++i) have << field_->itemData(i).toString() + field_->itemText(i);
    for (const FieldInfo& one : fields) want << QString::fromStdString(one.stem) + one.title;
    if (have != want) {
        field_->clear();
        for (const FieldInfo& one : fields) {
            field_->addItem(one.title, QString::fromStdString(one.stem));
            field_->setItemData(field_->count() - 1, QString::fromStdString(one.stem), Qt::ToolTipRole);
        }
    }
    const int index = field_->findData(QString::fromStdString(stem_));
    field_->setCurrentIndex(field_->count() == 0 ? -1 : std::max(index, 0));
    field_->setEnabled(field_->count() > 0);
    const int now = field_->currentIndex();
    const Shown shown = shownNow();
    part_->setEnabled(now >= 0 && fields[static_cast<std::size_t>(now)].isComplex && shown != Shown::error);
}

// Errors span decades; the previous scale is restored afterwards.
void SumsView::showScale() {
    const bool error = shownNow() == Shown::error;
    if (error == scaleBefore_.has_value()) return;
    const QSignalBlocker quiet(scale_);
    const auto before =
        std::exchange(scaleBefore_, error ? std::optional(scale_->currentIndex()) : std::nullopt);
    scale_->setCurrentIndex(before.value_or(1));
}

// One at a time: during a drag each picture is shown before the next one is started.
void SumsView::showMaps() {
    showFields();
    showScale();
    if (making_) {
        again_ = true;
        if (behind_) stopped_->store(true);
        return;
    }
    PictureInput input;
    if (!all_.empty()) input.first = all_[0].run;
    if (all_.size() > 1) input.second = all_[1].run;
    input.reference = referenceOf_;
    input.shown = shownNow();
    input.stem = field_->currentData().toString().toStdString();
    constexpr Part parts[] = {Part::magnitude, Part::phase, Part::real, Part::imaginary};
    input.part = parts[std::max(part_->currentIndex(), 0)];
    input.kind = scale_->currentIndex() == 1 ? ScaleKind::log : ScaleKind::linear;
    input.mapName = look_.mapName();
    input.limits = look_.limits();
    input.isolines = look_.isolines();
    if (!input.first) {
        takePicture(nullptr);
        setBehind(false);
        return;
    }
    making_ = true;
    stopped_ = std::make_shared<std::atomic<bool>>(false);
    input.stopped = stopped_;
    slow_.start();
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("maps"), [input] { return makePicture(input); },
        [this, of = std::array{input.first, input.second}](std::shared_ptr<const MapPicture> picture) {
            for (const auto& run : of) emit pictured(run);
            const QString why =
                picture ? QString() : tr("A run chosen for display has no map of this quantity");
            takePicture(std::move(picture), why);
            endDrawing();
        },
        [this](const Error& error) {
            const bool isStopped = error.kind() == ErrorKind::cancelled;
            // What was stopped for a newer picture stays, marked, until that one is there.
            if (!isStopped || !again_)
                takePicture(nullptr, capitalised(QString::fromStdString(error.message())));
            if (!isStopped) emit failed(error);
            endDrawing();
        });
}

void SumsView::endDrawing() {
    making_ = false;
    slow_.stop();
    if (std::exchange(again_, false))
        showMaps();
    else
        setBehind(false);
}

void SumsView::setBehind(bool behind) {
    if (std::exchange(behind_, behind) == behind) return;
    showNote();
    emit behindChanged();
}

void SumsView::stopDrawing() {
    if (!making_) return;
    again_ = false;
    stopped_->store(true);
}

void SumsView::takePicture(std::shared_ptr<const MapPicture> picture, const QString& why) {
    maps_->setReason(why);
    look_.setDrawn(picture ? &picture->colours : nullptr);
    if (picture && !picture->colours.angles)
        look_.showLimits(picture->colours.scale.low, picture->colours.scale.high);
    if (picture) maps_->setVector(picture->field->info.vector);
    maps_->setPicture(std::move(picture));
    if (!maps_->picture()) showProfile();
    showStatus();
}

void SumsView::showProfile() {
    const auto picture = maps_->picture();
    if (!picture) {
        profile_->setEmptyText(tr("Profiles through a point of a map appear here"));
        profile_->setSeries({});
        return;
    }
    // The user's zoom is kept; otherwise all of the curves is visible.
    const auto seen = [this] {
        const QCPRange x = profile_->figure().xAxis->range(), y = profile_->figure().yAxis->range();
        return QRectF(QPointF(x.lower, y.lower), QPointF(x.upper, y.upper));
    };
    const bool byHand = !profile_->series().isEmpty() && seen() != profileSeen_;
    profile_->setEmptyText(tr("No values at this point: click another point"));
    profile_->setYAxis(picture->title);
    profile_->setLogY(scale_->currentIndex() == 1 && !picture->colours.angles);
    // Until a point is clicked, the intersection of the planes.
    const PlanePosition at =
        picked_.value_or(PlanePosition{Plane::xy, {picture->grid.x_of_yz, picture->grid.y_of_xz}});
    const PlaneAxes axes = axesOf(at.plane);
    profile_->setXAxis(
        tr("%1 or %2 (plane %3 at %4 = %5)")
            .arg(axisName(axes.first), axisName(axes.second), nameOf(at.plane), axisName(axes.normal),
                 positionText(picture->field->offset(at.plane), picture->grid.high - picture->grid.low)));
    profile_->setSeries(profilesOf(*picture, at, nameOfRun(0), nameOfRun(1)));
    if (!byHand) profile_->resetZoom();
    profileSeen_ = byHand ? profileSeen_ : seen();
}

const RunRow* SumsView::ofStatus() const {
    if (all_.empty()) return nullptr;
    return &all_[shownNow() == Shown::second && all_.size() > 1 ? 1 : 0];
}

QString SumsView::rateText(const Run& run) const {
    const double rate = run.result.facts.value("pairs_per_second", 0.0);
    if (!(rate > 0)) return {};
    QString text = formatSi(rate, tr("pairs/s"));
    if (const Ceilings* ceilings = find_ceilings(context_.desk->catalogue().ceilings, run.device))
        if (const auto maximum =
                ks::particles::pair_ceiling(ks::particles::settings_from(run.request.parameters), *ceilings))
            text += QStringLiteral(", ") + QString::fromStdString(ks::particles::share_text(rate, *maximum));
    return text;
}

QString SumsView::noteOf(std::size_t index) const {
    if (!markOf_ || index >= all_.size()) return {};
    return markOf_(all_[index], index == 0);
}

void SumsView::showNote() {
    const Shown what = shownNow();
    const auto named = [this](std::size_t index, const QString& note) {
        const int number = all_[index].number;
        return number == 0 ? tr("preview: %1").arg(note) : tr("run %1: %2").arg(number).arg(note);
    };
    QStringList notes;
    for (const std::size_t index : {std::size_t{0}, std::size_t{1}}) {
        const bool isShown = what == Shown::difference || (what == Shown::second) == (index == 1);
        const QString note = isShown ? noteOf(index) : QString();
        if (!note.isEmpty()) notes << (what == Shown::difference ? named(index, note) : note);
    }
    if (behind_ && maps_->picture()) notes = {tr("outdated: other sums are being drawn")};
    const QString ofMaps = notes.join(QStringLiteral("; "));
    maps_->setNote(ofMaps);
    // The profiles may be of the older run as well.
    const auto picture = maps_->picture();
    if (picture && !picture->secondValues.front().empty()) {
        notes.clear();
        for (const std::size_t index : {std::size_t{0}, std::size_t{1}})
            if (const QString note = noteOf(index); !note.isEmpty())
                notes << (all_[index].number == 0 ? note : named(index, note));
    }
    if (live_) notes.prepend(tr("preview"));
    profile_->setNote(picture ? notes.join(QStringLiteral("; ")) : QString());
}

void SumsView::showStatus() {
    showNote();
    const RunRow* shown = ofStatus();
    if (!shown) {
        status_->setWhole({});
    } else {
        const Run& run = *shown->run;
        const bool isRun = shown->number > 0;
        const QString name = isRun ? tr("Run %1").arg(shown->number) : tr("Preview");
        const bool outdated = shown == &all_[0] && isRun && !outdated_.isEmpty();
        const QString brief = outdated ? tr("%1, outdated").arg(name) : name,
                      variant = QString::fromStdString(shown_kernel(run)), rate = rateText(run),
                      rateAlone = rate.section(QStringLiteral(", "), 0, 0);
        const VerdictTexts verdict = verdictTexts(run.verdict);
        const QString drawn = sources_ && sources_->size() > PlaneMaps::maxDots
                                  ? tr("%1 of %2 drawn").arg(maps_->dots().size()).arg(sources_->countText())
                                  : QString();
        const QString whole =
            joinedTexts({isRun ? name : tr("Preview (press F5 to make it a run)"),
                         outdated ? outdated_ : QString(), variant, rate, drawn, verdict.whole});
        // What is dropped last matters most: an outdated or wrong result, the error, the variant.
        QStringList shorter;
        for (const QStringList& parts : {QStringList{brief, variant, rate, verdict.whole},
                                         {brief, variant, rateAlone, verdict.brief},
                                         {brief, variant, verdict.brief},
                                         {brief, variant, verdict.least},
                                         {brief, verdict.least}})
            shorter << tr("%1 \u2026").arg(joinedTexts(parts));
        status_->setWhole(whole, shorter);
    }
    measure_->setVisible(shown && shown->run->device.backend == "opencl" &&
                         ks::particles::settings_from(shown->run->request.parameters).precision ==
                             ks::particles::Precision::f32 &&
                         !find_ceilings(context_.desk->catalogue().ceilings, shown->run->device));
    if (!maker_->running()) showError();
}

void SumsView::showError() {
    const auto picture = maps_->picture();
    error_->setVisible(picture && picture->error);
    if (!picture || !picture->error) return error_->setWhole({});
    const FieldError& found = *picture->error;
    error_->setWhole(found.absolute == 0
                         ? tr("All values are the same")
                         : tr("Largest absolute error %1 at %2; largest relative error %3 at %4")
                               .arg(formatNumber(found.absolute, 3), placeText(*picture->field, found.worst),
                                    formatNumber(found.relative, 3),
                                    placeText(*picture->field, found.worstRelative)));
}

void SumsView::startReference() {
    if (all_.empty()) return;
    if (hasReference()) return choose(Shown::error);
    maker_->start(all_[0].run->request);
    emit referenceChanged();
}

void SumsView::takeReference(std::shared_ptr<const Run> run) {
    referenceOf_ = std::move(run);
    emit referenceChanged();
    showChoices();
    if (!hasReference()) {
        // Something else is shown by now.
        referenceOf_.reset();
        return showStatus();
    }
    choose(Shown::error);
    // The map shows errors that the verdict of a sample may not know of.
    const auto state = all_[0].run->verdict.state;
    const bool knowsAll = state == Verdict::State::pass || state == Verdict::State::fail;
    if (all_[0].number > 0 && !knowsAll) emit fullCheckWanted(all_[0].number);
}

void SumsView::blink() {
    if (all_.size() > 1) choose(shownNow() == Shown::first ? Shown::second : Shown::first);
}

void SumsView::readOut(const PlanePosition& position) {
    const PlaneAxes axes = axesOf(position.plane);
    const auto picture = maps_->picture();
    std::array<double, 3> at{};
    at[static_cast<std::size_t>(axes.first)] = position.at.x();
    at[static_cast<std::size_t>(axes.second)] = position.at.y();
    at[static_cast<std::size_t>(axes.normal)] = picture ? picture->field->offset(position.plane) : 0;
    std::optional<PlanePoint> target;
    if (picture) target = picture->nearest(position.plane, position.at);
    if (target) {
        at[static_cast<std::size_t>(axes.first)] = picture->grid.at(target->i);
        at[static_cast<std::size_t>(axes.second)] = picture->grid.at(target->j);
    }
    const ks::particles::PlaneGrid& grid = picture ? picture->grid : maps_->grid();
    const double extent = grid.high - grid.low;
    QString text =
        tr("x %1  y %2  z %3")
            .arg(positionText(at[0], extent), positionText(at[1], extent), positionText(at[2], extent));
    if (target) {
        text +=
            QStringLiteral("  %1 %2").arg(picture->title, formatNumber(double{picture->value(*target)}, 5));
        const std::size_t plane = static_cast<std::size_t>(position.plane),
                          index = target->i * picture->grid.side + target->j;
        if (const auto& im = picture->field->im[plane]; !im.empty())
            text += QStringLiteral("  (%1 %2 %3i)")
                        .arg(formatNumber(picture->field->re[plane][index], 4),
                             im[index] < 0 ? QStringLiteral("\u2212") : QStringLiteral("+"),
                             formatNumber(std::abs(im[index]), 4));
    }
    if (const auto source = maps_->sourceAt(maps_->toWidget(position)))
        text += QStringLiteral("  ") + sources_->describe(*source, maps_->vector());
    emit cursorMoved(text);
}

}  // namespace ks::ui::particles
