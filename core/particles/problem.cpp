#include "core/particles/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/run/error.h"

namespace ks::particles {
namespace {

/// A warning where the phase k r is known to less than a thousandth of a radian; else empty.
std::string phase_warning(const SumSettings& settings, double largest_r) {
    if (settings.kernel != Kernel::helmholtz) return {};
    const bool single = settings.precision == Precision::f32;
    const double unit = single ? 0x1p-24 : 0x1p-53, phase = std::abs(settings.wavenumber) * largest_r;
    if (phase * unit < 1e-3) return {};
    return fmt::format("k r reaches {:.3g}: {} keeps its phase to {:.1g} radians only{}", phase,
                       single ? "f32" : "f64", phase * unit, single ? "; f64 keeps more" : "");
}

void require_settings(const SumSettings& settings, double half_extent) {
    if (settings.kernel != Kernel::rbf) return;
    if (!(settings.sigma > 0) || std::isinf(settings.sigma))
        throw Error(ErrorKind::input, fmt::format("expected a width above 0, found {}", settings.sigma),
                    "sigma");
    // (r / sigma)^2 must stay a number.
    const double most = settings.precision == Precision::f32 ? 1e18 : 1e150;
    if (half_extent > most * settings.sigma)
        throw Error(ErrorKind::input,
                    fmt::format("expected at least {:.3g} for coordinates over {:.3g}, found {}",
                                half_extent / most, 2 * half_extent, settings.sigma),
                    "sigma");
}

}  // namespace

double PlaneGrid::at(std::size_t i) const {
    if (side < 2) return low;
    if (i + 1 == side) return high;
    return low + (high - low) * static_cast<double>(i) / static_cast<double>(side - 1);
}

SumProblem::SumProblem(std::shared_ptr<const PointSet> sources, PlaneGrid planes, SumSettings settings)
    : sources_(std::move(sources)), planes_(planes), settings_(settings) {
    if (planes_.side == 0)
        throw Error(ErrorKind::input, "expected at least 1 point along a side, found 0", "planes");
    if (!(planes_.low < planes_.high))
        throw Error(
            ErrorKind::input,
            fmt::format("expected plane_low below plane_high, found {} and {}", planes_.low, planes_.high),
            "plane_low");
    measure();
}

SumProblem::SumProblem(std::shared_ptr<const PointSet> sources, std::shared_ptr<const PointSet> targets,
                       SumSettings settings)
    : sources_(std::move(sources)), targets_(std::move(targets)), settings_(settings) {
    if (targets_->size() == 0) throw Error(ErrorKind::input, "expected points, found none", "targets");
    if (targets_->size() > std::numeric_limits<std::int32_t>::max())
        throw Error(ErrorKind::input,
                    fmt::format("expected at most 2^31 - 1 points, found {}", targets_->size()), "targets");
    measure();
}

void SumProblem::measure() {
    if (sources_->size() == 0) throw Error(ErrorKind::input, "expected points, found none", "sources");
    if (sources_->size() > std::numeric_limits<std::int32_t>::max())
        throw Error(ErrorKind::input,
                    fmt::format("expected at most 2^31 - 1 points, found {}", sources_->size()), "sources");
    const std::vector<double>* const from[] = {&sources_->x, &sources_->y, &sources_->z};
    const double plane_at[] = {planes_.x_of_yz, planes_.y_of_xz, planes_.z_of_xy};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        auto [low, high] = std::ranges::minmax(*from[axis]);
        if (on_planes()) {
            low = std::min({low, planes_.low, plane_at[axis]});
            high = std::max({high, planes_.high, plane_at[axis]});
        } else {
            const std::vector<double>* const to[] = {&targets_->x, &targets_->y, &targets_->z};
            const auto [first, last] = std::ranges::minmax(*to[axis]);
            low = std::min(low, first);
            high = std::max(high, last);
        }
        centre_[axis] = low + (high - low) / 2;
        half_extent_ = std::max(half_extent_, (high - low) / 2);
    }
    require_settings(settings_, half_extent_);
    if (std::string warning = phase_warning(settings_, 2 * half_extent_ * std::numbers::sqrt3);
        !warning.empty())
        warnings.push_back(std::move(warning));
}

std::size_t SumProblem::n_targets() const {
    return on_planes() ? 3 * planes_.side * planes_.side : targets_->size();
}

Place SumProblem::target(std::size_t index) const {
    if (!on_planes()) return {targets_->x[index], targets_->y[index], targets_->z[index]};
    const std::size_t area = planes_.side * planes_.side, rest = index % area;
    const double first = planes_.at(rest / planes_.side), second = planes_.at(rest % planes_.side);
    switch (index / area) {
        case 0:
            return {first, second, planes_.z_of_xy};
        case 1:
            return {first, planes_.y_of_xz, second};
        default:
            return {planes_.x_of_yz, first, second};
    }
}

}  // namespace ks::particles
