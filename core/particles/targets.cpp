#include "core/particles/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"

namespace ks::particles {
namespace {

using Points = std::shared_ptr<const PointSet>;

double along(double low, double high, std::size_t side, std::size_t i) {
    if (side < 2) return low;
    if (i + 1 == side) return high;
    return low + (high - low) * static_cast<double>(i) / static_cast<double>(side - 1);
}

Place place_on(const PlaneGrid& planes, std::size_t index) {
    const std::size_t area = planes.side * planes.side, rest = index % area;
    const double first = planes.at(rest / planes.side), second = planes.at(rest % planes.side);
    switch (index / area) {
        case 0:
            return {first, second, planes.z_of_xy};
        case 1:
            return {first, planes.y_of_xz, second};
        default:
            return {planes.x_of_yz, first, second};
    }
}

template <class Grid>
void require_sides(const Grid& grid, const char* parameter) {
    if (grid.side == 0)
        throw Error(ErrorKind::input, "expected at least 1 point along a side, found 0", parameter);
    if (!(grid.low < grid.high))
        throw Error(ErrorKind::input,
                    fmt::format("expected plane_low below plane_high, found {} and {}", grid.low, grid.high),
                    "plane_low");
}

}  // namespace

double PlaneGrid::at(std::size_t i) const {
    return along(low, high, side, i);
}

double CubeGrid::at(std::size_t i) const {
    return along(low, high, side, i);
}

std::size_t count(const Targets& targets) {
    if (const auto* planes = std::get_if<PlaneGrid>(&targets)) return 3 * planes->side * planes->side;
    if (const auto* cube = std::get_if<CubeGrid>(&targets)) return cube->side * cube->side * cube->side;
    return std::get<Points>(targets)->size();
}

Place place(const Targets& targets, std::size_t index) {
    if (const auto* planes = std::get_if<PlaneGrid>(&targets)) return place_on(*planes, index);
    if (const auto* cube = std::get_if<CubeGrid>(&targets)) {
        const std::size_t side = cube->side;
        return {cube->at(index / side / side), cube->at(index / side % side), cube->at(index % side)};
    }
    const PointSet& points = *std::get<Points>(targets);
    return {points.x[index], points.y[index], points.z[index]};
}

std::pair<double, double> bounds(const Targets& targets, std::size_t axis) {
    if (const auto* planes = std::get_if<PlaneGrid>(&targets)) {
        const double plane_at[] = {planes->x_of_yz, planes->y_of_xz, planes->z_of_xy};
        return {std::min(planes->low, plane_at[axis]), std::max(planes->high, plane_at[axis])};
    }
    if (const auto* cube = std::get_if<CubeGrid>(&targets)) return {cube->low, cube->high};
    const PointSet& points = *std::get<Points>(targets);
    const std::vector<double>* const from[] = {&points.x, &points.y, &points.z};
    const auto [low, high] = std::ranges::minmax(*from[axis]);
    return {low, high};
}

void require_some(const Targets& targets) {
    if (const auto* planes = std::get_if<PlaneGrid>(&targets)) require_sides(*planes, "planes");
    if (const auto* cube = std::get_if<CubeGrid>(&targets)) require_sides(*cube, "grid");
    if (count(targets) == 0) throw Error(ErrorKind::input, "expected points, found none", "targets");
    if (count(targets) > std::numeric_limits<std::int32_t>::max())
        throw Error(ErrorKind::input,
                    fmt::format("expected at most 2^31 - 1 targets, found {}", count(targets)), "targets");
}

}  // namespace ks::particles
