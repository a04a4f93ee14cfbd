#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/point_set.h"
#include "core/run/parameter_spec.h"

namespace ks::particles {

/// Synthetic points in the unit box. The same parameters give the same points on every machine.
struct PointSpec {
    std::size_t points = 50;
    /// random (uniform in the box), sphere (uniform on the sphere that touches its sides), lattice (corners
    /// included; the smallest sufficient cube, filled along z first)
    std::string shape = "random";
    /// uniform (0 to 1), ones, signed (-1 to 1), complex (both parts -1 to 1), none
    std::string weights = "uniform";
    std::uint64_t seed = 1;
    std::size_t vectors = 1;   ///< of weights, if there are any
    std::size_t repeated = 0;  ///< further points, each at the place of one of the others, after them
};
PointSet make_points(const PointSpec& spec);

/// points, shape, weights, seed, vectors, repeated.
std::vector<ParameterSpec> point_parameters();
/// From a complete set of these parameters.
PointSpec point_spec_from(const ParameterSet& set);

/// Writes points in the format of io::write_points().
void generate_file(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                   Progress& progress);

}  // namespace ks::particles
