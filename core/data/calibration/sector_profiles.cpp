#include "core/data/calibration/sector_profiles.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace ks {
namespace {

struct Sample {
    float counts, radius;
};

/// Offsets from the beam in units of the mean pixel size.
struct Plane {
    double beam_x, beam_y, across, down;
    explicit Plane(const Geometry& g)
        : beam_x(g.beam_x),
          beam_y(g.beam_y),
          across(2 * g.pixel_size_x / (g.pixel_size_x + g.pixel_size_y)),
          down(2 * g.pixel_size_y / (g.pixel_size_x + g.pixel_size_y)) {}
    double u(std::size_t j) const { return (static_cast<double>(j) + 0.5 - beam_x) * across; }
    double v(std::size_t i) const { return (static_cast<double>(i) + 0.5 - beam_y) * down; }
};

double median(std::vector<float>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Mean of the values within 5 deviations of the median. The deviation is the median one, but at least that
/// of counting statistics and 15% of the median: on the flank of a sharp ring, counts differ that much
/// within a pixel.
ProfilePoint robust_mean(std::span<const Sample> samples, std::vector<float>& scratch) {
    ProfilePoint point;
    if (samples.empty()) return point;
    scratch.clear();
    for (const Sample& sample : samples) scratch.push_back(sample.counts);
    const double middle = median(scratch);
    for (float& value : scratch) value = static_cast<float>(std::abs(value - middle));
    const double spread =
        std::max({1.4826 * median(scratch), std::sqrt(std::max(middle, 1.0)), 0.15 * std::abs(middle)});
    double squares = 0;
    for (const Sample& sample : samples) {
        if (std::abs(sample.counts - middle) > 5 * spread) continue;
        ++point.pixels;
        point.mean += sample.counts;
        point.radius += sample.radius;
        squares += (sample.counts - middle) * (sample.counts - middle);
    }
    const auto n = static_cast<double>(point.pixels);
    point.mean /= n;
    point.radius /= n;
    // A few equal counts do not make the mean certain: use at least the variance of counting statistics.
    const double scatter = squares / n - (point.mean - middle) * (point.mean - middle);
    point.variance = std::max({scatter, point.mean, 1.0}) / n;
    return point;
}

/// A slope across a step spreads its counts without making their mean less certain: slope^2 / 12 is
/// subtracted from the variance, down to that of counting statistics.
void take_slope_off(std::span<ProfilePoint> sector) {
    for (std::size_t k = 1; k + 1 < sector.size(); ++k) {
        if (sector[k].pixels == 0 || sector[k - 1].pixels == 0 || sector[k + 1].pixels == 0) continue;
        const double slope = (sector[k + 1].mean - sector[k - 1].mean) / 2;
        const auto n = static_cast<double>(sector[k].pixels);
        sector[k].variance =
            std::max(sector[k].variance - slope * slope / 12 / n, std::max(sector[k].mean, 1.0) / n);
    }
}

}  // namespace

SectorProfiles::SectorProfiles(const CountMap& map, const Geometry& geometry, double inner, double outer,
                               std::size_t sectors)
    : inner_(inner), steps_(static_cast<std::size_t>(std::ceil(outer - inner))), points_(sectors * steps_) {
    const Plane plane(geometry);
    const double inner_square = inner * inner, outer_square = outer * outer;
    const double per_sector = static_cast<double>(sectors) / (2 * std::numbers::pi);
    const auto each = [&](const auto& use) {
        for (std::size_t i = 0; i < map.height; ++i)
            for (std::size_t j = 0; j < map.width; ++j) {
                const double u = plane.u(j), v = plane.v(i), square = u * u + v * v;
                const float counts = map.counts[i * map.width + j];
                if (!(square >= inner_square && square < outer_square) || std::isnan(counts)) continue;
                const double radius = std::sqrt(square);
                const double sector = (std::atan2(v, u) + std::numbers::pi) * per_sector;
                const auto step = static_cast<std::size_t>(radius - inner);
                if (step < steps_)
                    use(std::min(static_cast<std::size_t>(sector), sectors - 1) * steps_ + step,
                        Sample{counts, static_cast<float>(radius)});
            }
    };
    // Sort by cell in two passes: count, then place.
    std::vector<std::size_t> start(points_.size() + 1, 0);
    each([&](std::size_t cell, const Sample&) { ++start[cell + 1]; });
    for (std::size_t cell = 0; cell < points_.size(); ++cell) start[cell + 1] += start[cell];
    std::vector<Sample> samples(start.back());
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    each([&](std::size_t cell, const Sample& sample) { samples[next[cell]++] = sample; });
    std::vector<float> scratch;
    for (std::size_t cell = 0; cell < points_.size(); ++cell)
        points_[cell] =
            robust_mean(std::span(samples).subspan(start[cell], start[cell + 1] - start[cell]), scratch);
    for (std::size_t at = 0; at < sectors; ++at)
        take_slope_off(std::span(points_).subspan(at * steps_, steps_));
}

}  // namespace ks
