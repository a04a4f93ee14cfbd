#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/run/analysis.h"

namespace ks::basics {

/// Sizes along x, y and z; 1 for unused dimensions.
using Sizes = std::array<std::size_t, 3>;

/// A range of work-items in one, two or three dimensions.
struct IndexSpaceProblem : Problem {
    std::size_t dimensions = 2;
    Sizes global = {1, 1, 1};
    std::optional<Sizes> local;  ///< per group; empty: left to the driver
    std::size_t compute_units = 4;

    std::size_t items() const { return global[0] * global[1] * global[2]; }
    /// Rows written by a kernel: see index_space_result().
    std::size_t rows() const { return 4 * dimensions + 3; }
    std::uint64_t bytes() const { return std::uint64_t{rows()} * items() * sizeof(std::uint32_t); }
};

/// The result of a variant.
/// @param ids [row][item], items in the order x, y, z: one row per dimension of get_global_id(),
/// get_group_id(), get_local_id() and get_local_size(); then the number of the group, the number of the item
/// within its group, and 1 if get_global_id = get_local_size * get_group_id +
/// get_local_id holds in all dimensions
Result index_space_result(const IndexSpaceProblem& problem, std::span<const std::uint32_t> ids);

}  // namespace ks::basics
