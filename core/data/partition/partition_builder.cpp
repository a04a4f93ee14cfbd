#include "core/data/partition/partition_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/data/partition/label_rows.h"
#include "core/data/partition/radial_rows.h"

namespace ks {
namespace {

/// Equal sectors of the full circle, each divided into equal parts, numbered along phi
/// from `start` (degrees).
struct Sectors {
    double start = 0;
    std::size_t sectors = 1, parts = 1;

    std::size_t size() const { return sectors * parts; }
    /// The part that contains an azimuth (degrees), 0 .. size() - 1. Part p is in sector p / parts exactly,
    /// to the last bit.
    std::size_t at(double phi) const {
        const double width = 360.0 / static_cast<double>(sectors);
        double angle = std::fmod(phi - start, 360.0);
        if (angle < 0) angle += 360.0;
        const std::size_t sector = std::min(static_cast<std::size_t>(angle / width), sectors - 1);
        if (parts == 1) return sector;
        const double within = std::max(0.0, angle - static_cast<double>(sector) * width);
        const auto piece = static_cast<std::size_t>(within / (width / static_cast<double>(parts)));
        return sector * parts + std::min(piece, parts - 1);
    }
};

/// Rays whose relative distance to a pixel's centre is smaller than this are decided by the definition; so
/// are rows that are this close to the beam, in pixels.
constexpr double close_ray = 1e-9, close_row = 1e-6;

/// Adds the sector of each pixel to the rows of an image. A ray from the beam crosses a row at most once, so
/// a row is cut into at most size() + 1 pieces, and the azimuth is computed once per piece.
class SectorRows {
  public:
    SectorRows(const Geometry& geometry, const Sectors& sectors) : geometry_(geometry), sectors_(sectors) {
        if (sectors_.size() == 1) return;
        for (std::size_t i = 0; i < sectors_.size(); ++i) {
            const double degrees = std::fmod(sectors_.start, 360.0) +
                                   360.0 * static_cast<double>(i) / static_cast<double>(sectors_.size());
            const double angle = degrees * std::numbers::pi / 180.0;
            const double sine = std::sin(angle);
            if (sine == 0) continue;
            (sine > 0 ? below_ : above_).push_back(geometry.aspect() * (std::cos(angle) / sine));
        }
        std::ranges::sort(below_);
        std::ranges::sort(above_, std::greater<>());
    }

    /// Adds the number of the part to each nonzero value.
    void add(std::size_t row, std::span<std::int32_t> out) const {
        if (sectors_.size() == 1) return;
        const double y = static_cast<double>(row) + 0.5, dy = y - geometry_.beam_y;
        std::size_t begin = 0;
        const auto piece_to = [&](std::size_t end) {
            if (end <= begin) return;
            const std::int32_t sector = part(static_cast<double>(begin) + 0.5, y);
            for (std::int32_t& value : out.subspan(begin, end - begin)) value += value > 0 ? sector : 0;
            begin = end;
        };
        if (std::abs(dy) < close_row) {
            for (std::size_t end = 1; end <= out.size(); ++end) piece_to(end);
            return;
        }
        const auto last = static_cast<double>(out.size());
        const auto cut = [&](double at) { piece_to(static_cast<std::size_t>(std::clamp(at, 0.0, last))); };
        for (const double slope : dy > 0 ? below_ : above_) {
            const double at = geometry_.beam_x + dy * slope - 0.5, nearest = std::round(at);
            if (at >= last) break;
            if (std::abs(at - nearest) < close_ray * (1 + std::abs(at) + std::abs(geometry_.beam_x))) {
                cut(nearest);
                cut(nearest + 1);
            } else {
                cut(std::ceil(at));
            }
        }
        piece_to(out.size());
    }

  private:
    std::int32_t part(double x, double y) const {
        return static_cast<std::int32_t>(sectors_.at(geometry_.phi(x, y)));
    }

    Geometry geometry_;
    Sectors sectors_;
    std::vector<double> below_,
        above_;  ///< dx / dy of the rays that cross rows of dy > 0 and dy < 0, in order of x
};

constexpr double millimetre_per_micrometre = 1e-3;

Error wrong(const std::string& message, const std::string& hint = {}) {
    return Error(ErrorKind::input, message, "partition", hint);
}

/// Radial levels and sectors of either the dynamic or the static bins.
struct Grid {
    Levels radial;
    Sectors sectors;
    std::size_t bins() const { return radial.size() * sectors.size(); }
};

void require_levels(const Levels& levels) {
    if (levels.size() == 0) throw wrong("there are no radial levels");
    if (levels.upper.size() != levels.size())
        throw wrong(fmt::format("the radial levels have {} lower but {} upper edges", levels.size(),
                                levels.upper.size()));
    double before = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < levels.size(); ++k) {
        if (!(levels.lower[k] >= before && levels.upper[k] > levels.lower[k] &&
              std::isfinite(levels.upper[k])))
            throw wrong(fmt::format("the radial levels must ascend without overlap, found {} to {} after {}",
                                    levels.lower[k], levels.upper[k], before));
        before = levels.upper[k];
    }
}

void require_valid(std::size_t height, std::size_t width, const PartitionRecipe& recipe,
                   const PixelMask* mask) {
    require_levels(recipe.radial);
    if (recipe.sectors == 0) throw wrong("there must be at least 1 sector, found 0");
    if (recipe.static_per_radial == 0 || recipe.static_per_sector == 0)
        throw wrong("a bin must be divided into at least 1 part, found 0");
    if (recipe.in_q && !recipe.geometry.complete())
        throw wrong(
            "q needs the wavelength, the distance and the pixel size, but at least one of them is unknown",
            "set the missing ones, or use radii in pixels");
    if (!std::isfinite(recipe.geometry.beam_x) || !std::isfinite(recipe.geometry.beam_y))
        throw wrong(fmt::format("the coordinates of the beam centre must be finite numbers, found {} and {}",
                                recipe.geometry.beam_x, recipe.geometry.beam_y));
    if (!std::isfinite(recipe.phi_start))
        throw wrong(
            fmt::format("the angle of the first sector must be a finite number, found {}", recipe.phi_start));
    if (mask != nullptr &&
        (mask->height != height || mask->width != width || mask->ignore.size() != height * width))
        throw wrong(fmt::format("the mask must have the image's shape {} x {}, found {} x {}", height, width,
                                mask->height, mask->width));
}

void require_bins(std::size_t radial, std::size_t sectors) {
    if (sectors > max_bins || radial > max_bins / sectors)
        throw wrong(fmt::format("{} levels with {} sectors each give more than the maximum of {} bins",
                                radial, sectors, max_bins));
}

Grid dynamic_grid(const PartitionRecipe& recipe) {
    require_bins(recipe.radial.size(), recipe.sectors);
    return {recipe.radial, {recipe.phi_start, recipe.sectors, 1}};
}

Grid static_grid(const PartitionRecipe& recipe) {
    require_bins(recipe.radial.size(), recipe.sectors);
    if (recipe.static_per_radial > max_bins || recipe.static_per_sector > max_bins)
        throw wrong(fmt::format("{} x {} parts per bin give more than the maximum of {} bins",
                                recipe.static_per_radial, recipe.static_per_sector, max_bins));
    require_bins(recipe.radial.size() * recipe.static_per_radial, recipe.sectors * recipe.static_per_sector);
    return {divided(recipe.radial, recipe.static_per_radial),
            {recipe.phi_start, recipe.sectors, recipe.static_per_sector}};
}

/// Distance from the beam in millimetres at which q is reached; infinite from 2 theta = 90 degrees on.
double distance_of_q(const Geometry& geometry, double q) {
    const double sine = q * geometry.wavelength / (4.0 * std::numbers::pi);
    if (sine < 0) return -1;
    if (sine >= std::numbers::sqrt2 / 2) return std::numeric_limits<double>::infinity();
    return std::tan(2.0 * std::asin(sine)) * geometry.distance;
}

RadialRows radial_rows(const PartitionRecipe& recipe, const Grid& grid) {
    const Geometry& geometry = recipe.geometry;
    std::vector<double> edges;
    RadialRows::Bounds bounds;
    bounds.values.push_back(0);
    for (std::size_t k = 0; k < grid.radial.size(); ++k) {
        const auto label = static_cast<std::int32_t>(k * grid.sectors.size() + 1);
        if (k > 0 && grid.radial.lower[k] == edges.back()) {
            bounds.values.back() = label;
        } else {
            edges.push_back(grid.radial.lower[k]);
            bounds.values.push_back(label);
        }
        edges.push_back(grid.radial.upper[k]);
        bounds.values.push_back(0);
    }
    for (const double edge : edges)
        bounds.distances.push_back(recipe.in_q ? distance_of_q(geometry, edge) : edge);
    bounds.reached = [&geometry, in_q = recipe.in_q, edges = std::move(edges)](double x, double y,
                                                                               std::size_t b) {
        return (in_q ? geometry.q(x, y) : geometry.radius(x, y)) >= edges[b];
    };
    const double x = recipe.in_q ? geometry.pixel_size_x * millimetre_per_micrometre : 1;
    const double y = recipe.in_q ? geometry.pixel_size_y * millimetre_per_micrometre : 1;
    return {geometry.beam_x, geometry.beam_y, x, y, std::move(bounds)};
}

QPartition draw(std::size_t height, std::size_t width, const PartitionRecipe& recipe, const Grid& grid,
                const PixelMask* mask) {
    const RadialRows radial = radial_rows(recipe, grid);
    const SectorRows sectors(recipe.geometry, grid.sectors);
    std::vector<std::int32_t> labels;
    resize_large(labels, height * width);
    for_row_blocks(height, width, [&](std::size_t row) {
        const std::span out = std::span(labels).subspan(row * width, width);
        radial.draw(row, out);
        sectors.add(row, out);
        if (mask == nullptr) return;
        const std::uint8_t* const ignore = mask->ignore.data() + row * width;
        for (std::size_t i = 0; i < width; ++i) out[i] = ignore[i] != 0 ? 0 : out[i];
    });
    return {height, width, std::move(labels), grid.bins()};
}

}  // namespace

QPartition build_partition(std::size_t height, std::size_t width, const PartitionRecipe& recipe,
                           const PixelMask* mask) {
    require_valid(height, width, recipe, mask);
    return draw(height, width, recipe, dynamic_grid(recipe), mask);
}

StaticPartition build_static_partition(std::size_t height, std::size_t width, const PartitionRecipe& recipe,
                                       const PixelMask* mask) {
    require_valid(height, width, recipe, mask);
    const Grid grid = static_grid(recipe);
    std::vector<std::int32_t> dynamic_of;
    for (std::size_t level = 0; level < grid.radial.size(); ++level)
        for (std::size_t part = 0; part < grid.sectors.size(); ++part)
            dynamic_of.push_back(static_cast<std::int32_t>(level / recipe.static_per_radial * recipe.sectors +
                                                           part / recipe.static_per_sector + 1));
    return {draw(height, width, recipe, grid, mask), std::move(dynamic_of)};
}

std::vector<std::string> empty_bins(const QPartition& partition, const PartitionRecipe& recipe) {
    std::vector<std::string> lines;
    const std::size_t bins = std::min(partition.bins(), recipe.radial.size() * recipe.sectors);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        if (partition.bin_size(bin) > 0) continue;
        const std::size_t level = bin / recipe.sectors, sector = bin % recipe.sectors;
        const double lower = recipe.radial.lower[level], upper = recipe.radial.upper[level];
        std::string meaning = recipe.in_q ? fmt::format("q {:.6g} to {:.6g} 1/angstrom", lower, upper)
                                          : fmt::format("radius {:.6g} to {:.6g} pixels", lower, upper);
        if (recipe.sectors > 1) {
            const double width = 360.0 / static_cast<double>(recipe.sectors);
            const double from = recipe.phi_start + static_cast<double>(sector) * width;
            meaning += fmt::format(", phi {:.6g} to {:.6g} degrees", from, from + width);
        }
        lines.push_back(fmt::format("bin {} ({}) is outside the image or masked", bin + 1, meaning));
    }
    return lines;
}

}  // namespace ks
