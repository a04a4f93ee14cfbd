#pragma once

#include <QString>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/particles/problem.h"
#include "core/run/run.h"

namespace ks::ui::particles {

/// The three planes of targets, in the order of results.
enum class Plane { xy, xz, yz };
inline constexpr std::array allPlanes{Plane::xy, Plane::xz, Plane::yz};

/// Coordinates (0 x, 1 y, 2 z) along a plane, and the one that is constant on it.
struct PlaneAxes {
    int first, second, normal;
};
constexpr PlaneAxes axesOf(Plane plane) {
    return plane == Plane::xy   ? PlaneAxes{0, 1, 2}
           : plane == Plane::xz ? PlaneAxes{0, 2, 1}
                                : PlaneAxes{1, 2, 0};
}
/// The plane on which a coordinate is constant.
constexpr Plane planeAcross(int axis) {
    return axis == 2 ? Plane::xy : axis == 1 ? Plane::xz : Plane::yz;
}
QString nameOf(Plane plane);  ///< "xy"
QString axisName(int axis);   ///< "x"
/// A position along an axis: with all digits if they are few, as those of a typed number, else rounded to
/// 1/10000 of the extent of the planes or of the sources.
QString positionText(double at, double extent);

/// A quantity that a result has on all three planes. `stem` is the name of its images without plane and part:
/// "potential" for potential_xy_re.
struct FieldInfo {
    std::string stem;
    QString title;  ///< "f"
    QString unit;
    bool isComplex = false;
    std::size_t vector = 0;  ///< of weights that were summed
};
/// In the order of the result.
std::vector<FieldInfo> fieldsOf(const Result& result);

/// What to show of complex numbers; `value` for real ones.
enum class Part { value, magnitude, phase, real, imaginary };
/// "|f|", "arg f (rad)", including the unit.
QString partTitle(const FieldInfo& info, Part part);

/// Values of one quantity: [plane][i * side + j], i along the plane's first coordinate.
struct Field {
    FieldInfo info;
    ks::particles::PlaneGrid grid;
    std::array<std::vector<double>, 3> re, im;  ///< im is empty for real quantities

    /// Position of the plane along its normal.
    double offset(Plane plane) const;
};
/// Null if the run has no such quantity. Throws ks::Error(run) if its images are not squares of one size.
std::shared_ptr<const Field> fieldOf(const Run& run, const std::string& stem);
std::shared_ptr<const Field> fieldOf(const Result& result, const ParameterSet& parameters,
                                     const std::string& stem);
/// Both have the same targets, and both are real or both complex.
bool comparable(const Field& a, const Field& b);
/// Throws ks::Error(run), with what differs, if they are not.
void requireComparable(const Field& a, const Field& b);
/// a - b. Throws ks::Error(run) if they are not comparable.
std::shared_ptr<const Field> difference(const Field& a, const Field& b);

/// [plane][i * side + j]; phases from -pi to pi.
using PlaneValues = std::array<std::vector<float>, 3>;
PlaneValues valuesOf(const Field& field, Part part);

}  // namespace ks::ui::particles
