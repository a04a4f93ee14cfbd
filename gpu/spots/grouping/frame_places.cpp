#include "gpu/spots/grouping/frame_places.h"

#include <limits>

namespace ks::gpu::spots {

namespace {

bool has_numbers(const PlaneShape& shape) {
    return shape.pixels() < std::numeric_limits<std::uint32_t>::max();
}

}  // namespace

bool FramePlaces::exist(const ks::spots::ModuleLayout& layout, const PlaneShape& shape) {
    return layout.is_whole() ? has_numbers(shape) : of(layout, shape).has_value();
}

std::optional<FramePlaces> FramePlaces::of(const ks::spots::ModuleLayout& layout, const PlaneShape& shape) {
    if (!has_numbers(shape)) return {};
    const auto& origins = layout.origins;
    std::size_t across = 0;  // modules per row
    while (across < origins.size() && origins[across].y == origins[0].y) ++across;
    FramePlaces places{std::vector<std::uint32_t>(layout.frame_height, nowhere),
                       std::vector<std::uint32_t>(layout.frame_width, nowhere)};
    for (std::size_t m = 0; m < origins.size(); ++m) {
        const auto& origin = origins[m];
        const std::size_t row = m / across, column = m % across;
        if (origin.y != origins[row * across].y || origin.x != origins[column].x) return {};
        if (column == 0)
            for (std::size_t y = 0; y < layout.height; ++y) {
                std::uint32_t& place = places.rows[origin.y + y];
                if (place != nowhere) return {};
                place = static_cast<std::uint32_t>(shape.offset(row * across, y, 0));
            }
        if (row == 0)
            for (std::size_t x = 0; x < layout.width; ++x) {
                std::uint32_t& place = places.columns[origin.x + x];
                if (place != nowhere) return {};
                place = static_cast<std::uint32_t>(shape.offset(column, 0, x) - shape.offset(0, 0, 0));
            }
    }
    return places;
}

}  // namespace ks::gpu::spots
