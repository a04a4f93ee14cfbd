#include "core/data/geometry.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace ks {
namespace {
constexpr double pi = std::numbers::pi;

/// q from the distance to the beam on the detector, both lengths in millimetres.
double q_at(double offset, double distance, double wavelength) {
    const double theta = 0.5 * std::atan2(offset, distance);
    return 4.0 * pi / wavelength * std::sin(theta);
}
}  // namespace

bool Geometry::complete() const {
    return wavelength > 0 && distance > 0 && pixel_size_x > 0 && pixel_size_y > 0;
}

Geometry Geometry::swapped() const {
    Geometry other = *this;
    std::swap(other.beam_x, other.beam_y);
    return other;
}

double Geometry::mean_pixel_size() const {
    return 0.5 * (pixel_size_x + pixel_size_y) / micrometre_per_millimetre;
}

double Geometry::aspect() const {
    return pixel_size_x > 0 && pixel_size_y > 0 ? pixel_size_y / pixel_size_x : 1;
}

double Geometry::radius(double x, double y) const {
    return std::hypot(x - beam_x, y - beam_y);
}

double Geometry::q(double x, double y) const {
    const double offset = std::hypot((x - beam_x) * pixel_size_x, (y - beam_y) * pixel_size_y);
    return q_at(offset / micrometre_per_millimetre, distance, wavelength);
}

double Geometry::q_of_radius(double radius) const {
    return q_at(radius * mean_pixel_size(), distance, wavelength);
}

std::optional<double> Geometry::radius_of_q(double q) const {
    const double sine = q * wavelength / (4.0 * pi);
    if (!(sine >= 0) || sine >= std::sin(pi / 4)) return std::nullopt;
    return distance * std::tan(2.0 * std::asin(sine)) / mean_pixel_size();
}

std::optional<RingAxes> Geometry::ring_of_q(double q) const {
    const std::optional<double> radius = radius_of_q(q);
    if (!radius) return std::nullopt;
    return RingAxes::of(*radius, aspect());
}

double Geometry::phi(double x, double y) const {
    return std::atan2((y - beam_y) * aspect(), x - beam_x) * 180.0 / pi;
}

double Geometry::d(double x, double y) const {
    return 2.0 * pi / q(x, y);
}

}  // namespace ks
