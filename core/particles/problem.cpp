#include "core/particles/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/base/error.h"
#include "core/particles/check.h"
#include "core/particles/origin.h"

namespace ks::particles {
namespace {

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
        throw Error(ErrorKind::input, "expected points with weights, found none", "sources");
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
        warnings.push_back(fmt::format(
            "coordinates extend to {:.3g} from their centre, where f32 only resolves {:.1g}, so sums "
            "may be off by {:.1g} of their terms; use f64",
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
