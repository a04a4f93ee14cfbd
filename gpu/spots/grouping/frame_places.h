#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/spots/module_layout.h"
#include "gpu/spots/signal_kernels.h"

namespace ks::gpu::spots {

/// The positions of a frame's pixels in a plane of its modules: pixel (y, x) is at rows[y] + columns[x], or
/// nowhere if one of these says so.
struct FramePlaces {
    static constexpr std::uint32_t nowhere = 0xffffffff;
    std::vector<std::uint32_t> rows, columns;

    /// Whether of() finds them; always for whole frames.
    static bool exist(const ks::spots::ModuleLayout& layout, const PlaneShape& shape);
    /// Nothing if modules are not arranged in rows and columns, or if the plane has 2^32 pixels or more.
    static std::optional<FramePlaces> of(const ks::spots::ModuleLayout& layout, const PlaneShape& shape);
};

}  // namespace ks::gpu::spots
