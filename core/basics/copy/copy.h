#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// Extents of an array: depth, height, width.
using CopyShape = std::array<std::size_t, 3>;

/// The shape as kernels with the given number of dimensions index it: in two dimensions the slices are
/// stacked, in one all rows are concatenated.
CopyShape seen_in(std::size_t dimensions, const CopyShape& shape);

/// "choose a depth of at most 12": a similar array with at most the given number of values; if not even a row
/// fits, the maximum width.
std::string smaller_shape(const CopyShape& shape, std::uint64_t values);

/// An array of 16-bit values, and the number of dimensions in which its copy is indexed.
struct CopyProblem : Problem {
    CopyShape shape = {1, 1, 1};
    std::size_t dimensions = 3;
    std::uint64_t seed = 1;
    std::vector<std::uint16_t> values;  ///< [z][y][x]

    std::size_t count() const { return values.size(); }
    /// Of the array.
    std::uint64_t bytes() const { return count() * sizeof(std::uint16_t); }
    /// Bytes read and written by one copy.
    std::uint64_t moved() const { return 2 * bytes(); }
};

/// Accesses of a variant past the end of the array, where it can detect them.
struct BehindTheEnd {
    std::optional<std::uint64_t> written = {};  ///< values that changed there
    std::optional<std::uint64_t> read = {};     ///< values that were read there
};

/// The result of a variant. @param copied u16 [z][y][x]
Result copy_result(const CopyProblem& problem, Array copied, const BehindTheEnd& behind,
                   const std::vector<Timing>& timings);

}  // namespace ks::basics
