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

/// Intervals [lower[k], upper[k]), ascending; they may touch and have gaps, never overlap.
struct Levels {
    std::vector<double> lower, upper;
    std::size_t size() const { return lower.size(); }
    bool operator==(const Levels&) const = default;
};

// Each throws ks::Error(input) naming what is wrong (n 0, to <= from, from <= 0 for logarithmic, edges that
// do not ascend, a width that is not positive, a negative gap, not finite).

/// n intervals of equal width that fill [from, to).
Levels linear_levels(double from, double to, std::size_t n);
/// n intervals of equal ratio that fill [from, to); from > 0.
Levels logarithmic_levels(double from, double to, std::size_t n);
/// Between n + 1 ascending edges.
Levels edge_levels(const std::vector<double>& edges);
/// n intervals of `width`, each `gap` after the end of the one before; the first begins at `from`.
Levels spaced_levels(double from, double width, double gap, std::size_t n);
/// Each interval in `parts` intervals of equal width: static levels within dynamic ones.
Levels divided(const Levels& levels, std::size_t parts);

/// What a partition is made of. Radial levels are q (1/angstrom) where `in_q`, else radii in pixels around
/// the geometry's beam. Angular sectors are degrees as Geometry::phi gives them, from `phi_start`, `sectors`
/// of them with equal width around the full circle.
struct PartitionRecipe {
    Geometry geometry;
    bool in_q = false;
    Levels radial;
    std::size_t sectors = 1;
    double phi_start = 0;  ///< degrees
    /// Each dynamic bin is divided into so many static ones along the radius and along phi (APS: the static
    /// map gives I(q, t), the dynamic one g2).
    std::size_t static_per_radial = 1, static_per_sector = 1;
    bool operator==(const PartitionRecipe&) const = default;
};

/// Labels 1 .. radial * sectors: label = radial index * sectors + sector index + 1; empty bins stay. Pixels
/// that `mask` ignores belong to no bin (null: all are used). Throws ks::Error(input) where q is wanted and
/// the geometry is not complete, there are no levels or no sectors, there are more than 1,000,000 bins, or
/// the mask has another size.
QPartition build_partition(std::size_t height, std::size_t width, const PartitionRecipe& recipe,
                           const PixelMask* mask = nullptr);

/// A finer partition for I(q, t) inside of a coarser one for g2. dynamic_of[s] is the dynamic label of static
/// label s + 1.
struct StaticPartition {
    QPartition labels;
    std::vector<std::int32_t> dynamic_of;
};
/// The static map of a recipe. With static_per_* = 1 it is the dynamic one.
StaticPartition build_static_partition(std::size_t height, std::size_t width, const PartitionRecipe& recipe,
                                       const PixelMask* mask = nullptr);

/// One line for each bin that has no pixels: "bin 7 (q 0.21 to 0.24 1/angstrom) lies outside of the image or
/// is masked".
std::vector<std::string> empty_bins(const QPartition& partition, const PartitionRecipe& recipe);

/// The radial level below (x, y) that a hand would take: index of the edge within `tolerance` pixels of the
/// point, counted lower[0], upper[0], lower[1], ... with touching edges counted once; nothing where none is
/// near.
std::optional<std::size_t> edge_near(const PartitionRecipe& recipe, double x, double y, double tolerance);
/// Moves that edge to the radius of the point, not past its neighbours (at least `least` pixels remain);
/// touching edges move together.
void move_edge(PartitionRecipe& recipe, std::size_t edge, double x, double y, double minimum = 0.5);
/// The edges as edge_near counts them, in the recipe's unit.
std::vector<double> edges(const PartitionRecipe& recipe);
/// Moves an edge to a value in the recipe's unit, as move_edge.
void set_edge(PartitionRecipe& recipe, std::size_t edge, double value, double min_pixels = 0.5);

}  // namespace ks
