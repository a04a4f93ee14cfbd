#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/spots/module_layout.h"
#include "gpu/spots/frames/frame_pipeline.h"

namespace ks::gpu::spots {

/// Where the pixels of a frame lie in a plane of its modules: pixel (y, x) at rows[y] + columns[x], and
/// nowhere if one of these says so.
struct FramePlaces {
    static constexpr std::uint32_t nowhere = 0xffffffff;
    std::vector<std::uint32_t> rows, columns;

    /// Whether of() finds them, at once for whole frames.
    static bool exist(const ks::spots::ModuleLayout& layout, const PlaneShape& shape);
    /// Nothing where modules do not stand in rows and columns, or where the plane has 2^32 pixels and more.
    static std::optional<FramePlaces> of(const ks::spots::ModuleLayout& layout, const PlaneShape& shape);
};

}  // namespace ks::gpu::spots
