#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/data/partition/partition_builder.h"

namespace ks {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

void require_unit(const PartitionRecipe& recipe) {
    if (recipe.in_q && !recipe.geometry.complete())
        throw Error(
            ErrorKind::input,
            "q needs the wavelength, the distance and the pixel size, but at least one of them is unknown",
            "partition");
}

/// Converts values in the recipe's unit to pixels from the beam in one direction, and back.
struct Scale {
    const PartitionRecipe& recipe;
    double stretch = 1;  ///< millimetres per pixel in this direction, in mean pixel sizes

    /// Infinite from 2 theta = 90 degrees on.
    double pixels(double value) const {
        if (!recipe.in_q || value <= 0) return value;
        return recipe.geometry.radius_of_q(value).value_or(infinite) / stretch;
    }
    double value(double pixels) const {
        return recipe.in_q ? recipe.geometry.q_of_radius(pixels * stretch) : pixels;
    }
};

Scale scale_towards(const PartitionRecipe& recipe, double x, double y) {
    const Geometry& geometry = recipe.geometry;
    const double radius = geometry.radius(x, y);
    if (!recipe.in_q || radius == 0) return {recipe};
    const double offset = std::hypot((x - geometry.beam_x) * geometry.pixel_size_x,
                                     (y - geometry.beam_y) * geometry.pixel_size_y);
    return {recipe, offset / micrometre_per_millimetre / radius / geometry.mean_pixel_size()};
}

/// Replaces the value `old` of one edge, or of two that touch.
void put(Levels& levels, double old, double value) {
    std::ranges::replace(levels.lower, old, value);
    std::ranges::replace(levels.upper, old, value);
}

void place(PartitionRecipe& recipe, std::size_t edge, double wanted, double minimum, const Scale& scale) {
    const std::vector<double> all = edges(recipe);
    if (edge >= all.size())
        throw Error(
            ErrorKind::input,
            fmt::format("edge {} does not exist: there are only {} edges, counted from 0", edge, all.size()),
            "partition");
    if (!std::isfinite(wanted))
        throw Error(ErrorKind::input, fmt::format("an edge must be a finite number, found {}", wanted),
                    "partition");
    const double lowest = edge == 0 ? 0.0 : scale.pixels(all[edge - 1]) + minimum;
    const double highest = edge + 1 == all.size() ? infinite : scale.pixels(all[edge + 1]) - minimum;
    // Between neighbours that leave no room, the edge stays where it is.
    if (lowest > highest) return;
    const double pixels = scale.pixels(wanted);
    double value = wanted;
    if (pixels < lowest) value = edge == 0 ? 0.0 : scale.value(lowest);
    if (pixels > highest) value = scale.value(highest);
    put(recipe.radial, all[edge], value);
}

}  // namespace

std::vector<double> edges(const PartitionRecipe& recipe) {
    std::vector<double> all;
    for (std::size_t k = 0; k < recipe.radial.size(); ++k) {
        if (all.empty() || recipe.radial.lower[k] != all.back()) all.push_back(recipe.radial.lower[k]);
        all.push_back(recipe.radial.upper[k]);
    }
    return all;
}

std::optional<std::size_t> edge_near(const PartitionRecipe& recipe, double x, double y, double tolerance) {
    require_unit(recipe);
    const Scale scale = scale_towards(recipe, x, y);
    const double radius = recipe.geometry.radius(x, y);
    const std::vector<double> all = edges(recipe);
    std::optional<std::size_t> nearest;
    for (std::size_t edge = 0; edge < all.size(); ++edge) {
        const double distance = std::abs(scale.pixels(all[edge]) - radius);
        if (!(distance <= tolerance)) continue;
        tolerance = distance;
        // Of two edges at equal distance, prefer the inner one.
        if (!nearest || distance < std::abs(scale.pixels(all[*nearest]) - radius)) nearest = edge;
    }
    return nearest;
}

void move_edge(PartitionRecipe& recipe, std::size_t edge, double x, double y, double minimum) {
    require_unit(recipe);
    const Geometry& geometry = recipe.geometry;
    place(recipe, edge, recipe.in_q ? geometry.q(x, y) : geometry.radius(x, y), minimum,
          scale_towards(recipe, x, y));
}

void set_edge(PartitionRecipe& recipe, std::size_t edge, double value, double min_pixels) {
    require_unit(recipe);
    place(recipe, edge, value, min_pixels, {recipe});
}

}  // namespace ks
