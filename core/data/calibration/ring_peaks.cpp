#include "core/data/calibration/ring_peaks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace ks {
namespace {

/// Mean counts at one radius of a sector; `pixels` is 0 if there are none.
struct ProfilePoint {
    double radius = 0;    ///< mean of its pixels, in mean pixel sizes
    double mean = 0;      ///< counts
    double variance = 0;  ///< of the mean
    std::size_t pixels = 0;
};

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

/// Radial profiles with steps of one pixel in equal sectors around the beam: [sector][step]. Step k contains
/// the radii from inner + k on. Pixels that deviate from the others of their step are left out.
class SectorProfiles {
  public:
    SectorProfiles(const CountMap& map, const Geometry& geometry, double inner, double outer,
                   std::size_t sectors)
        : inner_(inner),
          steps_(static_cast<std::size_t>(std::ceil(outer - inner))),
          points_(sectors * steps_) {
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

    std::size_t steps() const { return steps_; }
    double inner() const { return inner_; }
    /// `steps()` points.
    const ProfilePoint* sector(std::size_t at) const { return points_.data() + at * steps_; }

  private:
    double inner_;
    std::size_t steps_;
    std::vector<ProfilePoint> points_;
};

/// The profile of one sector, raw and smoothed by 1-2-1; NaN in gaps.
struct Profile {
    std::span<const ProfilePoint> points;
    std::vector<double> smooth;

    explicit Profile(std::span<const ProfilePoint> given) : points(given), smooth(given.size()) {
        for (std::size_t k = 0; k < points.size(); ++k) {
            double sum = 2 * points[k].mean, weight = 2;
            for (const std::size_t at : {k - 1, k + 1})  // before the first: wraps beyond the last
                if (at < points.size() && points[at].pixels > 0) sum += points[at].mean, weight += 1;
            smooth[k] = points[k].pixels > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN();
        }
    }
};

/// A local maximum and its prominence: how far it rises above the higher of the lowest points on its two
/// sides, each searched up to where the profile is higher again or ends.
struct Rise {
    std::size_t at = 0;
    double prominence = 0;
};

double lowest_beside(const std::vector<double>& values, std::size_t at, int direction) {
    double lowest = values[at];
    for (std::size_t k = at; k < values.size() && values[k] <= values[at];
         k += static_cast<std::size_t>(direction))
        lowest = std::min(lowest, values[k]);
    return lowest;
}

Rise highest_rise(const Profile& profile, std::size_t from, std::size_t to) {
    const std::vector<double>& s = profile.smooth;
    Rise best;
    for (std::size_t k = std::max<std::size_t>(from, 1); k < std::min(to, s.size() - 1); ++k) {
        if (!(s[k] > s[k - 1] && s[k] >= s[k + 1])) continue;
        const double rise = s[k] - std::max(lowest_beside(s, k, -1), lowest_beside(s, k, +1));
        if (rise > best.prominence) best = {k, rise};
    }
    return best;
}

/// Full width at half of the rise above its foot in the smoothed profile; nothing if a gap comes first.
std::optional<double> width_of(const Profile& profile, const Rise& rise) {
    const std::vector<double>& s = profile.smooth;
    const double half = s[rise.at] - rise.prominence / 2;
    std::size_t left = rise.at, right = rise.at;
    while (left > 0 && s[left] > half) --left;
    while (right + 1 < s.size() && s[right] > half) ++right;
    if (!(s[left] <= half && s[right] <= half)) return std::nullopt;
    const double from = static_cast<double>(left) + (half - s[left]) / (s[left + 1] - s[left]);
    const double to = static_cast<double>(right) - (half - s[right]) / (s[right - 1] - s[right]);
    return std::max(to - from, 2.0);
}

/// A straight background level + slope (r - middle), and its relative slope d ln(background) / dr at the
/// middle, drawn towards 0 according to its uncertainty.
struct Background {
    double middle = 0, level = 0, slope = 0, steepness = 0;
    double at(double r) const { return level + slope * (r - middle); }
};

/// Least squares through the points 1.5 to 3 widths away on both sides; nothing with fewer than 2
/// on one side.
std::optional<Background> background(const Profile& profile, double centre, double width) {
    double n = 0, r = 0, v = 0, rr = 0, rv = 0, noise = 0;
    int beside[2] = {0, 0};
    for (const ProfilePoint& point : profile.points) {
        const double off = point.radius - centre;
        if (point.pixels == 0 || std::abs(off) < 1.5 * width || std::abs(off) > 3 * width) continue;
        ++beside[off > 0 ? 1 : 0];
        n += 1;
        r += off;
        v += point.mean;
        rr += off * off;
        rv += off * point.mean;
        noise += off * off * point.variance;
    }
    if (beside[0] < 2 || beside[1] < 2) return std::nullopt;
    Background line;
    line.middle = centre;
    line.slope = (n * rv - r * v) / (n * rr - r * r);
    line.level = (v - line.slope * r) / n;
    const double certain = line.slope * line.slope / (line.slope * line.slope + noise / (rr * rr));
    if (line.level > 0 && line.slope != 0)
        line.steepness = std::clamp(certain * line.slope / line.level, -1 / width, 1 / width);
    return line;
}

/// Profile minus background at any radius, linear between points; nothing in gaps.
std::optional<double> net_at(const Profile& profile, const Background& line, double inner, double r) {
    const double place = r - inner;
    if (!(place >= 1) || place >= static_cast<double>(profile.points.size() - 1)) return std::nullopt;
    auto k = static_cast<std::size_t>(place);
    if (profile.points[k].radius > r) --k;
    const ProfilePoint &low = profile.points[k], &high = profile.points[k + 1];
    if (low.pixels == 0 || high.pixels == 0 || !(high.radius > low.radius)) return std::nullopt;
    const double part = (r - low.radius) / (high.radius - low.radius);
    return low.mean + part * (high.mean - low.mean) - line.at(r);
}

struct Centroid {
    double radius, error;
};

/// The radius that is the centroid of everything within one width of it: unlike the centroid of a fixed
/// interval, it is not biased towards where the interval began. What makes the background fall (form factor,
/// polarisation, the circle that a ring's intensity is spread over) weights the ring, too, and would shift it
/// inwards by its variance times the relative slope; so the centroid is that of net counts divided by that
/// weight. On silver behenate at 37 pixels this moves the first ring by 0.05 pixels, and all maxima lie
/// nearer to circles (0.048 instead of 0.064 pixels).
std::optional<Centroid> centroid(const Profile& profile, const Background& line, double inner, double start,
                                 double width) {
    constexpr int samples = 80;
    double at = start, sum = 0;
    for (int turn = 0; turn < 50; ++turn) {
        double moment = 0;
        sum = 0;
        for (int i = 0; i < samples; ++i) {
            const double off = width * ((i + 0.5) * 2 / samples - 1);
            const std::optional<double> net = net_at(profile, line, inner, at + off);
            if (!net) return std::nullopt;
            const double even = *net * std::exp(-line.steepness * off);
            sum += even;
            moment += even * off;
        }
        if (!(sum > 0)) return std::nullopt;
        at += moment / sum;
        if (std::abs(at - start) > width) return std::nullopt;
        if (std::abs(moment / sum) < 1e-4) break;
    }
    const double area = sum * 2 * width / samples;
    double noise = 0, spread = 0;
    for (const ProfilePoint& point : profile.points) {
        const double off = point.radius - at;
        if (point.pixels == 0 || std::abs(off) > width) continue;
        noise += point.variance;
        spread += off * off * point.variance;
    }
    // 5 deviations: among a million sectors without a ring, chance makes only a few look like one
    // with a ring.
    if (area < 5 * std::sqrt(noise)) return std::nullopt;
    return Centroid{at, std::sqrt(spread) / area};
}

std::optional<Centroid> peak_in(const Profile& profile, double inner, const RingWindow& window) {
    const auto step = [&](double r) { return static_cast<std::size_t>(std::max(r - inner, 0.0)); };
    const Rise rise = highest_rise(profile, step(window.inner), step(window.outer) + 1);
    if (!(rise.prominence > 0)) return std::nullopt;
    const std::optional<double> width = width_of(profile, rise);
    if (!width || *width > window.outer - window.inner) return std::nullopt;
    const double start = profile.points[rise.at].radius;
    const std::optional<Background> line = background(profile, start, *width);
    if (!line) return std::nullopt;
    const std::optional<Centroid> found = centroid(profile, *line, inner, start, *width);
    if (!found || found->radius <= window.inner || found->radius >= window.outer) return std::nullopt;
    return found;
}

}  // namespace

std::vector<RingPeak> find_ring_peaks(const CountMap& map, const Geometry& geometry,
                                      std::span<const RingWindow> windows, std::size_t sectors) {
    std::vector<RingPeak> peaks;
    if (windows.empty()) return peaks;
    double inner = std::numeric_limits<double>::infinity(), outer = 0;
    for (const RingWindow& window : windows) {
        const double beside =
            window.outer - window.inner;  // room for the background of rings near the window's end
        inner = std::min(inner, std::max(0.0, window.inner - beside));
        outer = std::max(outer, window.outer + beside);
    }
    const SectorProfiles profiles(map, geometry, inner, outer, sectors);
    if (profiles.steps() < 3) return peaks;
    const double mean = (geometry.pixel_size_x + geometry.pixel_size_y) / 2;
    for (std::size_t s = 0; s < sectors; ++s) {
        const Profile profile({profiles.sector(s), profiles.steps()});
        const double azimuth =
            (static_cast<double>(s) + 0.5) * 2 * std::numbers::pi / static_cast<double>(sectors) -
            std::numbers::pi;
        for (const RingWindow& window : windows) {
            const std::optional<Centroid> peak = peak_in(profile, profiles.inner(), window);
            if (!peak) continue;
            peaks.push_back(
                {window.ring,
                 geometry.beam_x + peak->radius * std::cos(azimuth) * mean / geometry.pixel_size_x,
                 geometry.beam_y + peak->radius * std::sin(azimuth) * mean / geometry.pixel_size_y,
                 peak->error});
        }
    }
    return peaks;
}

}  // namespace ks
