#include "core/data/calibration/calibration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/base/error.h"
#include "core/data/calibration/ring_peaks.h"
#include "core/data/valid_pixels.h"

namespace ks {
namespace {

constexpr std::size_t min_points = 4;  ///< maxima that make a ring credible
constexpr std::size_t sectors = 72;
// No maximum is known better than this: it is limited by its pixels and by effects that grow with the radius
// (tilt, distortion, the substance).
constexpr double min_error = 0.03;            ///< pixel
constexpr double min_relative_error = 0.001;  ///< of the radius

double mean_pixel(const Geometry& g) {
    return (g.pixel_size_x + g.pixel_size_y) / 2;
}

/// From the beam to a point, in mean pixel sizes.
Eigen::Vector2d offset(const Geometry& g, const RingPeak& peak) {
    return {(peak.x - g.beam_x) * g.pixel_size_x / mean_pixel(g),
            (peak.y - g.beam_y) * g.pixel_size_y / mean_pixel(g)};
}

/// A maximum and its weight, 0 to 1; outliers have none.
struct Weighed {
    RingPeak peak;
    double weight = 1;
};

/// How far a maximum lies outside its ring, in mean pixel sizes.
double excess(const Geometry& g, const Calibrant& calibrant, const RingPeak& peak) {
    return offset(g, peak).norm() - g.radius_of_q(calibrant.q[peak.ring]).value();
}

/// Each ring's window ends halfway to the next ring of the substance, whether that one is refined or not.
std::vector<RingWindow> windows_of(const Geometry& g, const Calibrant& calibrant, std::size_t first,
                                   std::size_t last) {
    std::vector<RingWindow> windows;
    const auto radius = [&](std::size_t ring) { return g.radius_of_q(calibrant.q[ring]); };
    for (std::size_t ring = first; ring <= last; ++ring) {
        const double r = radius(ring).value();
        const double below = ring > 0 ? (r - radius(ring - 1).value()) / 2 : r / 2;
        const auto next = ring + 1 < calibrant.q.size() ? radius(ring + 1) : std::nullopt;
        windows.push_back({ring, r - below, r + (next ? (*next - r) / 2 : below)});
    }
    return windows;
}

/// One Levenberg-Marquardt step for beam x, beam y (pixels) and distance (as growth of the mean radius).
struct Step {
    Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
    Eigen::Vector3d downhill = Eigen::Vector3d::Zero();
    double cost = 0, radius = 0;

    Step(const Geometry& g, const Calibrant& calibrant, const std::vector<Weighed>& peaks) {
        for (const Weighed& one : peaks) radius += g.radius_of_q(calibrant.q[one.peak.ring]).value();
        radius /= static_cast<double>(peaks.size());
        for (const auto& [peak, trust] : peaks) {
            const Eigen::Vector2d away = offset(g, peak).normalized();
            const double e = excess(g, calibrant, peak), ring = g.radius_of_q(calibrant.q[peak.ring]).value();
            const double relative = min_relative_error * ring;
            const double weight =
                trust / (peak.error * peak.error + min_error * min_error + relative * relative);
            const Eigen::Vector3d slope(-away.x() * g.pixel_size_x / mean_pixel(g),
                                        -away.y() * g.pixel_size_y / mean_pixel(g), -ring / radius);
            normal += weight * slope * slope.transpose();
            downhill -= weight * e * slope;
            cost += weight * e * e;
        }
    }
    Geometry from(Geometry g, double damping) const {
        Eigen::Matrix3d damped = normal;
        damped.diagonal() *= 1 + damping;
        const Eigen::Vector3d move = damped.ldlt().solve(downhill);
        g.beam_x += move[0];
        g.beam_y += move[1];
        g.distance *= 1 + move[2] / radius;
        return g;
    }
};

Geometry fit(const Calibrant& calibrant, const std::vector<Weighed>& peaks, Geometry g) {
    double damping = 1e-6;
    for (int turn = 0; turn < 100 && damping < 1e9; ++turn) {
        const Step step(g, calibrant, peaks);
        // 1e-10: arcs of some tenths of a degree; below that the result depends on the digits of the counts.
        const Eigen::Vector3d stiffness =
            Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(step.normal).eigenvalues();
        if (!(stiffness[0] > 1e-10 * stiffness[2]))
            throw Error(ErrorKind::input,
                        "the arcs are too short to determine both the beam centre and the distance",
                        "calibration", "use more rings");
        const Geometry next = step.from(g, damping);
        const double moved = std::hypot(next.beam_x - g.beam_x, next.beam_y - g.beam_y) +
                             std::abs(next.distance / g.distance - 1) * step.radius;
        if (next.distance > 0 && Step(next, calibrant, peaks).cost <= step.cost) {
            g = next;
            damping = std::max(damping / 10, 1e-12);
        } else {
            damping *= 10;
        }
        if (moved < 1e-9) break;
    }
    return g;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Refits with Tukey weights: a maximum that is off by 4.685 median deviations has weight 0, and no maximum
/// enters or leaves abruptly. `kept` is set to those with a weight.
Geometry robust_fit(const Calibrant& calibrant, const std::vector<RingPeak>& all, std::vector<RingPeak>& kept,
                    Geometry g) {
    std::vector<Weighed> peaks;
    peaks.reserve(all.size());
    for (const RingPeak& peak : all) peaks.push_back({peak, 1});
    for (int turn = 0; turn < 30; ++turn) {
        const Geometry before = g;
        g = fit(calibrant, peaks, g);
        std::vector<double> off;
        off.reserve(all.size());
        for (const RingPeak& peak : all) off.push_back(std::abs(excess(g, calibrant, peak)));
        const double limit = 4.685 * std::max(1.4826 * median(off), min_error);
        for (std::size_t i = 0; i < all.size(); ++i)
            peaks[i].weight = off[i] < limit ? std::pow(1 - std::pow(off[i] / limit, 2), 2) : 0;
        if (std::hypot(g.beam_x - before.beam_x, g.beam_y - before.beam_y) < 1e-4) break;
    }
    kept.clear();
    for (const Weighed& one : peaks)
        if (one.weight > 0) kept.push_back(one.peak);
    return g;
}

Geometry halfway(Geometry from, const Geometry& to) {
    from.beam_x = (from.beam_x + to.beam_x) / 2;
    from.beam_y = (from.beam_y + to.beam_y) / 2;
    from.distance = (from.distance + to.distance) / 2;
    return from;
}

std::string ring_name(const Calibrant& calibrant, std::size_t ring) {
    return fmt::format("ring {} (q = {:.4f})", ring + 1, calibrant.q[ring]);
}

std::vector<RingFit> summarise(const Geometry& g, const Calibrant& calibrant,
                               const std::vector<RingPeak>& peaks, std::size_t first, std::size_t last) {
    std::vector<RingFit> rings;
    for (std::size_t ring = first; ring <= last; ++ring) {
        RingFit one{ring, calibrant.q[ring], 0, 0, 0};
        double sum = 0, squares = 0;
        for (const RingPeak& peak : peaks)
            if (peak.ring == ring) ++one.points, sum += g.q(peak.x, peak.y);
        one.measured = sum / static_cast<double>(one.points);
        for (const RingPeak& peak : peaks)
            if (peak.ring == ring) squares += std::pow(g.q(peak.x, peak.y) - one.measured, 2);
        one.rms = std::sqrt(squares / static_cast<double>(one.points));
        rings.push_back(one);
    }
    return rings;
}

/// Throws for the first ring with too few maxima; the message names the rings that have enough.
void require_points(const Calibrant& calibrant, const std::vector<RingPeak>& peaks, std::size_t first,
                    std::size_t last) {
    std::vector<std::string> found;
    std::optional<std::size_t> poor;
    std::size_t poor_points = 0;
    for (std::size_t ring = first; ring <= last; ++ring) {
        const auto points = static_cast<std::size_t>(std::count_if(
            peaks.begin(), peaks.end(), [&](const RingPeak& peak) { return peak.ring == ring; }));
        if (points >= min_points)
            found.push_back(fmt::format("{}", ring + 1));
        else if (!poor)
            poor = ring, poor_points = points;
    }
    if (poor)
        throw Error(
            ErrorKind::input,
            fmt::format("only {1} maxima were found on {0}, but at least {2} are needed; rings found: {3}",
                        ring_name(calibrant, *poor), poor_points, min_points,
                        found.empty() ? "none" : fmt::format("{}", fmt::join(found, ", "))),
            "calibration",
            "choose rings that are visible in the image, or move the beam centre to their middle");
}

void require_start(const Geometry& start, const Calibrant& calibrant, std::size_t first, std::size_t last) {
    if (!start.complete() || !std::isfinite(start.beam_x) || !std::isfinite(start.beam_y))
        throw Error(ErrorKind::input,
                    "the fit starts from the beam centre, wavelength, distance and pixel sizes, but at least "
                    "one of them is unknown",
                    "calibration");
    if (last < first)
        throw Error(ErrorKind::input,
                    fmt::format("the last ring must not be before the first, found rings {} to {}", first + 1,
                                last + 1),
                    "calibration");
    if (last >= calibrant.q.size())
        throw Error(ErrorKind::input,
                    fmt::format("the calibrant has rings 1 to {}, but ring {} was requested",
                                calibrant.q.size(), last + 1),
                    "calibration");
    if (!start.radius_of_q(calibrant.q[last]))
        throw Error(
            ErrorKind::input,
            fmt::format(
                "at a wavelength of {1} angstrom, {0} scatters beyond 90 degrees, so it is not on this "
                "detector",
                ring_name(calibrant, last), start.wavelength),
            "calibration");
}

}  // namespace

Calibrant Calibrant::named(const std::string& name) {
    if (name != "silver behenate")
        throw Error(
            ErrorKind::input,
            fmt::format("expected one of the calibrants {}, found \"{}\"", fmt::join(names(), ", "), name),
            "calibrant");
    constexpr double spacing = 58.380;  // angstrom: Huang et al., J. Appl. Cryst. 26 (1993) 180
    Calibrant calibrant{name, {}};
    for (int n = 1; n <= 12; ++n) calibrant.q.push_back(2 * std::numbers::pi * n / spacing);
    return calibrant;
}

std::vector<std::string> Calibrant::names() {
    return {"silver behenate"};
}

Calibration refine_geometry(const Array& frame, const std::vector<std::uint8_t>* ignore,
                            const Geometry& start, const Calibrant& calibrant, std::size_t first,
                            std::size_t last) {
    require_start(start, calibrant, first, last);
    const std::vector<float> counts = valid_counts(frame, ignore);
    const CountMap map{counts, frame.shape()[0], frame.shape()[1]};
    constexpr int max_turns = 40, whole_turns = 12;
    constexpr double settled = 2e-3;  // pixel: far below the uncertainty of a maximum
    Geometry g = start;
    for (int turn = 0; turn < max_turns; ++turn) {
        const std::vector<RingPeak> all =
            find_ring_peaks(map, g, windows_of(g, calibrant, first, last), sectors);
        if (all.size() < 2 * min_points) require_points(calibrant, all, first, last);
        std::vector<RingPeak> kept;
        const Geometry next = robust_fit(calibrant, all, kept, g);
        const double moved =
            std::hypot(next.beam_x - g.beam_x, next.beam_y - g.beam_y) +
            std::abs(next.distance / g.distance - 1) * g.radius_of_q(calibrant.q[last]).value();
        if (moved > settled) {
            // Pixels change sectors abruptly, so two geometries can lead to each other endlessly.
            g = turn < whole_turns ? next : halfway(g, next);
            continue;
        }
        g = next;
        require_points(calibrant, kept, first, last);
        double squares = 0;
        for (const RingPeak& peak : kept) squares += std::pow(excess(g, calibrant, peak), 2);
        return {g, summarise(g, calibrant, kept, first, last),
                std::sqrt(squares / static_cast<double>(kept.size()))};
    }
    throw Error(ErrorKind::input, fmt::format("the fit did not converge after {} iterations", max_turns),
                "calibration", "start from a geometry that fits the rings better, or use fewer rings");
}

}  // namespace ks
