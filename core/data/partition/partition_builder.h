#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/data/geometry.h"
#include "core/data/partition/q_partition.h"
#include "core/data/pixel_mask.h"

namespace ks {

/// Intervals [lower[k], upper[k]), ascending; they may touch and have gaps, but never overlap.
struct Levels {
    std::vector<double> lower, upper;
    std::size_t size() const { return lower.size(); }
    bool operator==(const Levels&) const = default;
};

// Each throws ks::Error(input) naming what is wrong (n 0, to <= from, from <= 0 for logarithmic levels, edges
// that do not ascend, a width that is not positive, a negative gap, a value that is not finite).

/// n intervals of equal width that fill [from, to).
Levels linear_levels(double from, double to, std::size_t n);
/// n intervals of equal ratio that fill [from, to); from > 0.
Levels logarithmic_levels(double from, double to, std::size_t n);
/// Between n + 1 ascending edges.
Levels edge_levels(const std::vector<double>& edges);
/// n intervals of `width`, each starting `gap` after the end of the previous one; the first begins at `from`.
Levels spaced_levels(double from, double width, double gap, std::size_t n);
/// Each interval split into `parts` intervals of equal width: static levels within dynamic ones.
Levels divided(const Levels& levels, std::size_t parts);

/// What a partition is made from. Radial levels are q (1/angstrom) if `in_q`, otherwise radii in pixels
/// around the geometry's beam. The full circle is divided into `sectors` equal sectors, starting at
/// `phi_start`, in degrees as in Geometry::phi.
struct PartitionRecipe {
    Geometry geometry;
    bool in_q = false;
    Levels radial;
    std::size_t sectors = 1;
    double phi_start = 0;  ///< degrees
    /// Number of static bins per dynamic bin along the radius and along phi (APS: the static map gives I(q,
    /// t), the dynamic one g2).
    std::size_t static_per_radial = 1, static_per_sector = 1;
    bool operator==(const PartitionRecipe&) const = default;
};

/// Labels 1 .. radial * sectors: label = radial index * sectors + sector index + 1; empty bins are kept.
/// Pixels that `mask` ignores belong to no bin (null: all are used). Throws ks::Error(input) if q is
/// requested but the geometry is not complete, if there are no levels or no sectors or more than 1,000,000
/// bins, or if the mask has another size.
QPartition build_partition(std::size_t height, std::size_t width, const PartitionRecipe& recipe,
                           const PixelMask* mask = nullptr);

/// A finer partition for I(q, t) inside a coarser one for g2. dynamic_of[s] is the dynamic label of static
/// label s + 1.
struct StaticPartition {
    QPartition labels;
    std::vector<std::int32_t> dynamic_of;
};
/// The static map of a recipe; with static_per_* = 1 it equals the dynamic one.
StaticPartition build_static_partition(std::size_t height, std::size_t width, const PartitionRecipe& recipe,
                                       const PixelMask* mask = nullptr);

/// One line per bin without pixels: "bin 7 (q 0.21 to 0.24 1/angstrom) is outside the image or masked".
std::vector<std::string> empty_bins(const QPartition& partition, const PartitionRecipe& recipe);

/// The edge that a click at (x, y) would grab: the index of the edge within `tolerance` pixels of the point;
/// nothing if none is near. Edges are counted in the order lower[0], upper[0], lower[1], ...; touching edges
/// count once.
std::optional<std::size_t> edge_near(const PartitionRecipe& recipe, double x, double y, double tolerance);
/// Moves that edge to the radius of the point, but keeps it at least `minimum` pixels away from its
/// neighbours. Touching edges move together.
void move_edge(PartitionRecipe& recipe, std::size_t edge, double x, double y, double minimum = 0.5);
/// The edges in the order of edge_near, in the recipe's unit.
std::vector<double> edges(const PartitionRecipe& recipe);
/// Moves an edge to a value in the recipe's unit, like move_edge.
void set_edge(PartitionRecipe& recipe, std::size_t edge, double value, double min_pixels = 0.5);

}  // namespace ks
