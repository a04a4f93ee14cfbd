#include "core/data/partition/radial_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ks {
namespace {

/// Squared distances whose relative difference is below this are compared by the bound's definition. It is
/// far above the rounding error of either computation.
constexpr double close_radius = 1e-9;

}  // namespace

RadialRows::RadialRows(double beam_x, double beam_y, double scale_x, double scale_y, Bounds bounds)
    : beam_x_(beam_x), beam_y_(beam_y), scale_x_(scale_x), scale_y_(scale_y), bounds_(std::move(bounds)) {
    squares_.reserve(bounds_.distances.size());
    for (const double distance : bounds_.distances)
        squares_.push_back(distance < 0 ? -1.0 : distance * distance);
}

bool RadialRows::reached(const Side& side, std::size_t t, std::size_t bound) const {
    const double x = static_cast<double>(side.column(t)) + 0.5;
    const double dx = (x - beam_x_) * scale_x_;
    const double square = dx * dx + side.dy2, limit = squares_[bound];
    if (limit < 0) return true;
    if (square < limit * (1 - close_radius)) return false;
    if (square > limit * (1 + close_radius)) return true;
    return bounds_.reached(x, side.y, bound);
}

/// The number of bounds reached by pixel t, which is at least `known`.
std::size_t RadialRows::bounds_reached(const Side& side, std::size_t t, std::size_t known) const {
    const auto all_to = [&](std::size_t n) { return n <= squares_.size() && reached(side, t, n - 1); };
    // Usually it is the next one; doubling steps find it quickly even among a million.
    std::size_t step = 1;
    for (; all_to(known + step); step *= 2) known += step;
    while (step > 1) {
        step /= 2;
        if (all_to(known + step)) known += step;
    }
    return known;
}

/// The first pixel after t that has reached the bound; side.count if none has.
std::size_t RadialRows::first_to_reach(const Side& side, std::size_t t, std::size_t bound) const {
    const double from = std::abs(static_cast<double>(side.column(0)) + 0.5 - beam_x_);
    const double to = std::sqrt(std::max(0.0, squares_[bound] - side.dy2)) / scale_x_;
    const double estimate = std::ceil(to - from);
    std::size_t at = side.count;
    if (estimate < static_cast<double>(side.count))
        at = std::max(t + 1, estimate > 0 ? static_cast<std::size_t>(estimate) : 0);
    while (at < side.count && !reached(side, at, bound)) ++at;
    while (at > t + 1 && reached(side, at - 1, bound)) --at;
    return at;
}

void RadialRows::draw_side(const Side& side, std::span<std::int32_t> out) const {
    std::size_t b = 0;
    for (std::size_t t = 0; t < side.count;) {
        b = bounds_reached(side, t, b);
        const std::size_t next = b == squares_.size() ? side.count : first_to_reach(side, t, b);
        const std::size_t first = side.rightwards ? side.begin + t : side.begin - next;
        std::ranges::fill(out.subspan(first, next - t), bounds_.values[b]);
        t = next;
    }
}

void RadialRows::draw(std::size_t row, std::span<std::int32_t> out) const {
    const double y = static_cast<double>(row) + 0.5, dy = (y - beam_y_) * scale_y_;
    const auto right_of_beam =
        static_cast<std::size_t>(std::clamp(std::ceil(beam_x_ - 0.5), 0.0, static_cast<double>(out.size())));
    draw_side({y, dy * dy, right_of_beam, out.size() - right_of_beam, true}, out);
    draw_side({y, dy * dy, right_of_beam, right_of_beam, false}, out);
}

}  // namespace ks
