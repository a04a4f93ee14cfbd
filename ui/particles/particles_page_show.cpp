// What the page shows of the runs.

#include <QAction>
#include <QComboBox>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/particles/pair_ceiling.h"
#include "core/particles/parameters.h"
#include "core/run/user/shown_variant.h"
#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/palette.h"
#include "ui/particles/field_profile.h"
#include "ui/particles/map_form.h"
#include "ui/particles/particles_page.h"
#include "ui/particles/reference_maker.h"
#include "ui/particles/sum_form.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/run_source.h"
#include "ui/runs/same_inputs.h"

namespace ks::ui::particles {
namespace {

void enableItem(QComboBox& box, int item, bool enabled) {
    auto* model = qobject_cast<QStandardItemModel*>(box.model());
    if (model && model->item(item)) model->item(item)->setEnabled(enabled);
}

QString verdictText(const Verdict& verdict) {
    switch (verdict.state) {
        case Verdict::State::unchecked:
            return {};
        case Verdict::State::fail:
            return QObject::tr("check: fail, %1").arg(QString::fromStdString(verdict.text));
        default:
            return QObject::tr("check: %1, error %2 of %3 allowed")
                .arg(verdict.state == Verdict::State::pass ? QObject::tr("pass")
                                                           : QObject::tr("pass on a sample"),
                     formatNumber(verdict.worst_error, 2), formatNumber(verdict.tolerance, 2));
    }
}

}  // namespace

bool ParticlesPage::ofThisFile(const Run& run) const {
    return file_ && sources_ && readFrom(run, "sources", *file_, {{"sources", sources_->size()}}) &&
           !fieldsOf(run.result).empty();
}

void ParticlesPage::setPreview(std::shared_ptr<const Run> run) {
    // Edits made until now get no preview: the next edit is timed from its start.
    if (!run) edited_.invalidate();
    if (!runs_.setPreview(std::move(run))) return;
    timing_ = false;
    timed_ = asked_.isValid() ? runs_.preview() : nullptr;
    since_ = asked_;
    if (!runs_.preview()) {
        live_.clear();
        form_->setLive({});
    }
    chooseRuns();
}

void ParticlesPage::setRuns(const std::vector<RunRow>& runs) {
    runs_.setTicked(runs);
    chooseRuns();
}

void ParticlesPage::runChanged(const RunRow& row) {
    runs_.replace(row);
    all_ = runs_.shown();
    showStatus();
}

void ParticlesPage::chooseRuns() {
    all_ = runs_.shown();
    if (referenceOf_ && (all_.empty() || !sameInputs(referenceOf_->request, all_[0].run->request)) &&
        !runs_.preview())
        referenceOf_.reset();
    showChoices();
    showFields();
    showEmptyTexts();
    showMaps();
}

QString ParticlesPage::nameOfRun(int index) const {
    if (static_cast<std::size_t>(index) >= all_.size()) return {};
    return runLabel(all_[static_cast<std::size_t>(index)]);
}

Shown ParticlesPage::shownNow() const {
    return static_cast<Shown>(std::max(shown_->currentIndex(), 0));
}

void ParticlesPage::showChoices() {
    const QSignalBlocker quiet(shown_);
    const bool two = all_.size() > 1, reference = referenceOf_ && !all_.empty() &&
                                                  sameInputs(referenceOf_->request, all_[0].run->request);
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

void ParticlesPage::showFields() {
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
void ParticlesPage::showScale() {
    const bool error = shownNow() == Shown::error;
    if (error == (scaleBefore_ >= 0)) return;
    const QSignalBlocker quiet(scale_);
    const int before = std::exchange(scaleBefore_, error ? scale_->currentIndex() : -1);
    scale_->setCurrentIndex(error ? 1 : before);
}

// One at a time: during a drag each picture is shown before the next one is started.
void ParticlesPage::showMaps() {
    showFields();
    showScale();
    if (making_) {
        again_ = true;
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
    input.mapName = look_->mapName();
    input.limits = look_->limits();
    input.isolines = look_->isolines();
    if (!input.first) {
        takePicture(nullptr);
        return;
    }
    making_ = true;
    const auto done = [this] {
        making_ = false;
        if (std::exchange(again_, false)) showMaps();
    };
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("maps"), [input] { return makePicture(input); },
        [this, done, of = std::array{input.first, input.second}](std::shared_ptr<const MapPicture> picture) {
            if (timed_ && std::ranges::find(of, timed_) != of.end()) {
                timed_.reset();
                timing_ = true;
            }
            takePicture(std::move(picture));
            done();
        },
        [this, done](const Error& error) {
            takePicture(nullptr);
            emit failed(error);
            done();
        });
}

void ParticlesPage::takePicture(std::shared_ptr<const MapPicture> picture) {
    look_->setAngles(picture && picture->colours.angles);
    if (picture && !picture->colours.angles)
        look_->showLimits(picture->colours.scale.low, picture->colours.scale.high);
    maps_->setPicture(std::move(picture));
    if (!maps_->picture()) showProfile();
    showStatus();
}

// The maps come first, as the user waits for them; then the profiles.
void ParticlesPage::painted() {
    if (std::exchange(timing_, false)) {
        latency_ = static_cast<double>(since_.nsecsElapsed()) * 1e-6;
        if (told_ != since_) live_.clear();
        told_ = since_;
        const std::size_t side = maps_->picture()->grid.side;
        const QString part = tr("%1 at %2 \u00d7 %2").arg(formatDuration(latency_ * 1e6)).arg(side);
        if (live_.size() > 1) live_.removeLast();
        live_ << part;
        form_->setLive(tr("live: %1").arg(live_.join(QStringLiteral(", "))));
    }
    showProfile();
    if (maps_->pointer()) readOut(*maps_->pointer());
}

void ParticlesPage::showProfile() {
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
    profile_->setEmptyText(tr("No values at this point: click another one"));
    profile_->setYAxis(picture->title);
    profile_->setLogY(scale_->currentIndex() == 1 && !picture->colours.angles);
    // Until a point is clicked, the intersection of the planes.
    const PlanePosition at =
        picked_.value_or(PlanePosition{Plane::xy, {picture->grid.x_of_yz, picture->grid.y_of_xz}});
    const PlaneAxes axes = axesOf(at.plane);
    profile_->setXAxis(tr("%1 or %2 (plane %3 at %4 = %5)")
                           .arg(axisName(axes.first), axisName(axes.second), nameOf(at.plane),
                                axisName(axes.normal), formatNumber(picture->field->offset(at.plane), 4)));
    profile_->setNote(runs_.preview() ? tr("preview") : QString());
    profile_->setSeries(profilesOf(*picture, at, nameOfRun(0), nameOfRun(1)));
    if (!byHand) profile_->resetZoom();
    profileSeen_ = byHand ? profileSeen_ : seen();
}

const RunRow* ParticlesPage::ofStatus() const {
    if (all_.empty()) return nullptr;
    return &all_[shownNow() == Shown::second && all_.size() > 1 ? 1 : 0];
}

QString ParticlesPage::rateText(const Run& run) const {
    const double rate = run.result.facts.value("pairs_per_second", 0.0);
    if (!(rate > 0)) return {};
    QString text = formatSi(rate, tr("pairs/s"));
    if (const Ceilings* ceilings = find_ceilings(context_.desk->catalogue().ceilings, run.device))
        if (const auto maximum =
                ks::particles::pair_ceiling(ks::particles::settings_from(run.request.parameters), *ceilings))
            text += QStringLiteral(", ") + QString::fromStdString(ks::particles::share_text(rate, *maximum));
    return text;
}

void ParticlesPage::showStatus() {
    QStringList parts, shorter;
    const RunRow* shown = ofStatus();
    if (shown) {
        const Run& run = *shown->run;
        parts << (shown->number > 0 ? tr("Run %1").arg(shown->number) : tr("Preview (F5 makes it a run)"));
        shorter << (shown->number > 0 ? parts.first() : tr("Preview"));
        if (shown == &all_[0] && shown->number > 0 && !outdated_.isEmpty()) {
            parts << outdatedText(outdated_);
            shorter.first() = tr("%1, outdated").arg(parts.first());
        }
        parts << QString::fromStdString(shown_variant(run));
        if (const QString rate = rateText(run); !rate.isEmpty()) {
            parts << rate;
            shorter.prepend(shorter.last() + QStringLiteral("; ") + rate.section(QStringLiteral(", "), 0, 0));
        }
        if (sources_ && sources_->size() > PlaneMaps::maxDots)
            parts << tr("%1 of %2 drawn").arg(maps_->dots().size()).arg(sources_->countText());
        if (const QString verdict = verdictText(run.verdict); !verdict.isEmpty()) {
            parts << verdict;
            for (QString& one : shorter)
                one += QStringLiteral("; ") + verdict.section(QStringLiteral(", "), 0, 0);
        }
    }
    status_->setWhole(parts.join(QStringLiteral("; ")), shorter);
    measure_->setVisible(shown && shown->run->device.backend == "opencl" &&
                         ks::particles::settings_from(shown->run->request.parameters).precision ==
                             ks::particles::Precision::f32 &&
                         !find_ceilings(context_.desk->catalogue().ceilings, shown->run->device));
    if (maker_->running()) return;
    const auto picture = maps_->picture();
    error_->setVisible(picture && picture->error);
    if (!picture || !picture->error) return error_->setWhole({});
    const FieldError& found = *picture->error;
    error_->setWhole(found.absolute == 0
                         ? tr("All values are the same")
                         : tr("Largest absolute %1 at %2; largest relative %3 at %4")
                               .arg(formatNumber(found.absolute, 3), placeText(*picture->field, found.worst),
                                    formatNumber(found.relative, 3),
                                    placeText(*picture->field, found.worstRelative)));
}

QString ParticlesPage::status() const {
    return status_->whole();
}

void ParticlesPage::showEmptyTexts() {
    maps_->setEmptyText(!unread_.isEmpty() ? unread_
                        : !file_
                            ? tr("Drop a CSV, NumPy or HDF5 file with sources x, y, z, weight here, or open "
                                 "the demo (Ctrl+D)")
                        : !sources_ ? tr("Reading the sources \u2026")
                                    : tr("Press Run (F5) or move a slider to see the sums here"));
}

void ParticlesPage::startReference() {
    if (all_.empty()) return;
    if (referenceOf_ && sameInputs(referenceOf_->request, all_[0].run->request)) {
        shown_->setCurrentIndex(static_cast<int>(Shown::error));
        return;
    }
    maker_->start(all_[0].run->request);
    emit inputsChanged();
}

void ParticlesPage::takeReference(std::shared_ptr<const Run> run) {
    referenceOf_ = std::move(run);
    emit inputsChanged();
    showChoices();
    if (all_.empty() || !sameInputs(referenceOf_->request, all_[0].run->request)) {
        // Something else is shown by now.
        referenceOf_.reset();
        return showStatus();
    }
    shown_->setCurrentIndex(static_cast<int>(Shown::error));
}

void ParticlesPage::blink() {
    if (all_.size() > 1)
        shown_->setCurrentIndex(static_cast<int>(shownNow() == Shown::first ? Shown::second : Shown::first));
}

void ParticlesPage::readOut(const PlanePosition& position) {
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
    QString text =
        tr("x %1  y %2  z %3").arg(formatNumber(at[0], 4), formatNumber(at[1], 4), formatNumber(at[2], 4));
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
        text += QStringLiteral("  ") + sources_->describe(*source);
    emit cursorMoved(text);
}

}  // namespace ks::ui::particles
