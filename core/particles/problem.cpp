#include "core/particles/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/error.h"
#include "core/particles/check.h"
#include "core/particles/origin.h"

namespace ks::particles {
namespace {

using Points = std::shared_ptr<const PointSet>;

double along(double low, double high, std::size_t side, std::size_t i) {
    if (side < 2) return low;
    if (i + 1 == side) return high;
    return low + (high - low) * static_cast<double>(i) / static_cast<double>(side - 1);
}

Place place_on(const PlaneGrid& planes, std::size_t index) {
    const std::size_t area = planes.side * planes.side, rest = index % area;
    const double first = planes.at(rest / planes.side), second = planes.at(rest % planes.side);
    switch (index / area) {
        case 0:
            return {first, second, planes.z_of_xy};
        case 1:
            return {first, planes.y_of_xz, second};
        default:
            return {planes.x_of_yz, first, second};
    }
}

template <class Grid>
void require_sides(const Grid& grid, const char* parameter) {
    if (grid.side == 0)
        throw Error(ErrorKind::input, "expected at least 1 point along a side, found 0", parameter);
    if (!(grid.low < grid.high))
        throw Error(ErrorKind::input,
                    fmt::format("expected plane_low below plane_high, found {} and {}", grid.low, grid.high),
                    "plane_low");
}

/// A warning if the error of the phase k r exceeds a thousandth of a radian; else empty.
std::string phase_warning(const SumSettings& settings, double largest_r) {
    if (settings.kernel != Kernel::helmholtz) return {};
    const bool single = settings.precision == Precision::f32;
    const double unit = single ? 0x1p-24 : 0x1p-53, phase = std::abs(settings.wavenumber) * largest_r;
    if (phase * unit < 1e-3) return {};
    return fmt::format("the phase k r reaches {:.3g} radians, which {} resolves only to {:.1g}{}", phase,
                       single ? "f32" : "f64", phase * unit, single ? "; use f64" : "");
}

void require_settings(const SumSettings& settings, double half_extent) {
    if (settings.kernel != Kernel::rbf) return;
    if (!(settings.sigma > 0) || std::isinf(settings.sigma))
        throw Error(ErrorKind::input, fmt::format("expected a width above 0, found {}", settings.sigma),
                    "sigma");
    // (r / sigma)^2 must stay finite.
    const double maximum = settings.precision == Precision::f32 ? 1e18 : 1e150;
    if (half_extent > maximum * settings.sigma)
        throw Error(
            ErrorKind::input,
            fmt::format(
                "expected a width of at least {:.3g} for coordinates that extend over {:.3g}, found {}",
                half_extent / maximum, 2 * half_extent, settings.sigma),
            "sigma");
}

}  // namespace

double PlaneGrid::at(std::size_t i) const {
    return along(low, high, side, i);
}

double CubeGrid::at(std::size_t i) const {
    return along(low, high, side, i);
}

std::size_t count(const Targets& targets) {
    if (const auto* planes = std::get_if<PlaneGrid>(&targets)) return 3 * planes->side * planes->side;
    if (const auto* cube = std::get_if<CubeGrid>(&targets)) return cube->side * cube->side * cube->side;
    return std::get<Points>(targets)->size();
}

Place place(const Targets& targets, std::size_t index) {
    if (const auto* planes = std::get_if<PlaneGrid>(&targets)) return place_on(*planes, index);
    if (const auto* cube = std::get_if<CubeGrid>(&targets)) {
        const std::size_t side = cube->side;
        return {cube->at(index / side / side), cube->at(index / side % side), cube->at(index % side)};
    }
    const PointSet& points = *std::get<Points>(targets);
    return {points.x[index], points.y[index], points.z[index]};
}

std::pair<double, double> bounds(const Targets& targets, std::size_t axis) {
    if (const auto* planes = std::get_if<PlaneGrid>(&targets)) {
        const double plane_at[] = {planes->x_of_yz, planes->y_of_xz, planes->z_of_xy};
        return {std::min(planes->low, plane_at[axis]), std::max(planes->high, plane_at[axis])};
    }
    if (const auto* cube = std::get_if<CubeGrid>(&targets)) return {cube->low, cube->high};
    const PointSet& points = *std::get<Points>(targets);
    const std::vector<double>* const from[] = {&points.x, &points.y, &points.z};
    const auto [low, high] = std::ranges::minmax(*from[axis]);
    return {low, high};
}

void require_some(const Targets& targets) {
    if (const auto* planes = std::get_if<PlaneGrid>(&targets)) require_sides(*planes, "planes");
    if (const auto* cube = std::get_if<CubeGrid>(&targets)) require_sides(*cube, "grid");
    if (count(targets) == 0) throw Error(ErrorKind::input, "expected points, found none", "targets");
    if (count(targets) > std::numeric_limits<std::int32_t>::max())
        throw Error(ErrorKind::input,
                    fmt::format("expected at most 2^31 - 1 targets, found {}", count(targets)), "targets");
}

SumProblem::SumProblem(std::shared_ptr<const PointSet> sources, Targets targets, SumSettings settings)
    : sources_(std::move(sources)), targets_(std::move(targets)), end_(count(targets_)), settings_(settings) {
    require_some(targets_);
    measure();
    measure_weights();
    if (settings_.precision == Precision::f32) place_origin();
}

std::shared_ptr<const SumProblem> SumProblem::part(std::size_t first, std::size_t end) const {
    auto some = std::make_shared<SumProblem>(*this);
    some->first_ = first_ + first;
    some->end_ = first_ + end;
    return some;
}

void SumProblem::measure() {
    if (sources_->size() == 0) throw Error(ErrorKind::input, "expected points, found none", "sources");
    if (!sources_->has_weights())
        throw Error(ErrorKind::input, "expected points with weights, found no weights", "sources");
    if (sources_->size() > std::numeric_limits<std::int32_t>::max())
        throw Error(ErrorKind::input,
                    fmt::format("expected at most 2^31 - 1 points, found {}", sources_->size()), "sources");
    const std::vector<double>* const from[] = {&sources_->x, &sources_->y, &sources_->z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto [minimum, maximum] = std::ranges::minmax(*from[axis]);
        const auto [first, last] = bounds(targets_, axis);
        const double low = std::min(minimum, first), high = std::max(maximum, last);
        centre_[axis] = low + (high - low) / 2;
        half_extent_ = std::max(half_extent_, (high - low) / 2);
    }
    reach_ = half_extent_;
    require_settings(settings_, half_extent_);
    if (std::string warning = phase_warning(settings_, 2 * half_extent_ * std::numbers::sqrt3);
        !warning.empty())
        warnings.push_back(std::move(warning));
}

void SumProblem::measure_weights() {
    for (std::size_t vector = 0; vector < n_vectors(); ++vector) {
        double total = 0;
        for (const double weight : sources_->re(vector)) total += std::abs(weight);
        for (const double weight : sources_->im(vector)) total += std::abs(weight);
        total_weight_ = std::max(total_weight_, total);
    }
}

void SumProblem::place_origin() {
    const Origin origin = local_origin(*this);
    centre_ = origin.centre;
    reach_ = origin.reach;
    // The loss of phase was already reported.
    if (origin.loss > acceptable_loss && warnings.empty())
        warnings.push_back(
            fmt::format("coordinates extend to {:.3g} from their centre, where f32 only resolves {:.1g}, so "
                        "a sum may have an error of {:.1g} times the total magnitude of its terms; use f64",
                        half_extent_, half_extent_ * 0x1p-24, origin.loss));
}

double SumProblem::from_centre(const Place& place) const {
    double largest = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        largest = std::max(largest, std::abs(place[axis] - centre_[axis]));
    return largest;
}

void require_whole(const SumProblem& problem, const std::string& variant, const std::string& why) {
    if (problem.is_part())
        throw Error(ErrorKind::input, why + ", so devices cannot share them", variant,
                    "choose another variant, or one device");
}

}  // namespace ks::particles
