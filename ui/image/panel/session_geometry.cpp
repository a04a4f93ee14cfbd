#include "ui/image/panel/session_geometry.h"

#include <QStringList>
#include <algorithm>
#include <utility>

#include "ui/base/json_read.h"

namespace ks::ui {
namespace {

struct GeometryField {
    const char* key;
    double Geometry::*value;
};
constexpr GeometryField geometryFields[] = {{"wavelength", &Geometry::wavelength},
                                            {"distance", &Geometry::distance},
                                            {"beam_x", &Geometry::beam_x},
                                            {"beam_y", &Geometry::beam_y},
                                            {"pixel_size_x", &Geometry::pixel_size_x},
                                            {"pixel_size_y", &Geometry::pixel_size_y}};

/// Names the step from one geometry to another.
Undoable<SessionGeometry::State>::Name geometryChange(const SessionGeometry::State& before,
                                                      const SessionGeometry::State& now) {
    const auto named = [](const QString& text, const QString& field = {}) {
        return Undoable<SessionGeometry::State>::Name{text, field, true};
    };
    const Geometry &a = before.geometry, &b = now.geometry;
    if (before.swapped != now.swapped) return named(SessionGeometry::tr("swap of x and y"));
    QStringList names;
    if (a.beam_x != b.beam_x || a.beam_y != b.beam_y) names << SessionGeometry::tr("beam centre");
    if (a.wavelength != b.wavelength) names << SessionGeometry::tr("wavelength");
    if (a.distance != b.distance) names << SessionGeometry::tr("distance");
    if (a.pixel_size_x != b.pixel_size_x || a.pixel_size_y != b.pixel_size_y)
        names << SessionGeometry::tr("pixel size");
    if (names.size() == 1) return named(names.front(), names.front());
    return named(SessionGeometry::tr("geometry"));
}

}  // namespace

bool SessionGeometry::fromFile() const {
    return file_ && file_->geometry &&
           std::ranges::none_of(
               file_->faults, [](const io::GeometryFault& fault) { return fault.part.starts_with("beam"); });
}

void SessionGeometry::setFile(std::shared_ptr<const OpenFile> file) {
    if (file == file_) return;
    if (file_) emit fileLeaves();
    file_ = std::move(file);
    // The run uses what is known beside a beam centre that cannot be used.
    start_ = file_ ? file_->geometry.value_or(Geometry{}) : Geometry{};
    if (file_ && !fromFile()) {
        start_.beam_x = static_cast<double>(file_->frames->width()) / 2;
        start_.beam_y = static_cast<double>(file_->frames->height()) / 2;
    }
    state_ = {start_, false};
    moving_ = false;
    if (steps_) steps_->settle();
    emit fileChanged();
}

void SessionGeometry::take(const State& state, bool final) {
    // The end of a drag is also reported.
    if (state == state_ && moving_ == !final) return;
    state_ = state;
    moving_ = !final;
    if (steps_) steps_->edited(final);
    emit changed(final);
}

void SessionGeometry::setSwapped(bool swapped) {
    if (!fromFile() || swapped == state_.swapped) return;
    State exchanged{state_.geometry, swapped};
    std::swap(exchanged.geometry.beam_x, exchanged.geometry.beam_y);
    take(exchanged, true);
}

void SessionGeometry::keepSteps(History& history) {
    steps_ = std::make_unique<Undoable<State>>(
        history, this, [this] { return state_; }, [this](const State& state) { setState(state); },
        geometryChange);
}

nlohmann::json SessionGeometry::keep() const {
    nlohmann::json kept = nlohmann::json::object();
    if (!file_ || !(edited() || state_.swapped)) return kept;
    for (const GeometryField& field : geometryFields) kept["geometry"][field.key] = geometry().*field.value;
    kept["swapped"] = state_.swapped;
    return kept;
}

void SessionGeometry::bringBack(const nlohmann::json& kept) {
    const nlohmann::json where = jsonPart(kept, "geometry");
    if (!file_ || !where.is_object()) return;
    State state = state_;
    if (const bool swapped = jsonBoolean(kept, "swapped"); fromFile() && swapped != state.swapped) {
        std::swap(state.geometry.beam_x, state.geometry.beam_y);
        state.swapped = swapped;
    }
    for (const GeometryField& field : geometryFields) {
        double& value = state.geometry.*field.value;
        const double given = jsonNumber(where, field.key, value);
        const bool beam = field.value == &Geometry::beam_x || field.value == &Geometry::beam_y;
        if (beam || given >= 0) value = given;
    }
    setState(state);
    if (steps_) steps_->settle();
}

}  // namespace ks::ui
