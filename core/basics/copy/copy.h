#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// Lengths of an array: depth, height, width.
using CopyShape = std::array<std::size_t, 3>;

/// The shape as kernels of so many dimensions index it: in two dimensions the slices stand one below the
/// other, in one all rows one behind the other.
CopyShape seen_in(std::size_t dimensions, const CopyShape& shape);

/// "give a depth of at most 12": an array like this one of at most so many values; where no row fits, the
/// width that does.
std::string smaller_shape(const CopyShape& shape, std::uint64_t values);

/// An array of 16-bit values, and by how many dimensions its copy is indexed.
struct CopyProblem : Problem {
    CopyShape shape = {1, 1, 1};
    std::size_t dimensions = 3;
    std::uint64_t seed = 1;
    std::vector<std::uint16_t> values;  ///< [z][y][x]

    std::size_t count() const { return values.size(); }
    /// Of the array.
    std::uint64_t bytes() const { return count() * sizeof(std::uint16_t); }
    /// Read and written by one copy.
    std::uint64_t moved() const { return 2 * bytes(); }
};

/// What a variant left behind the end of the array, where it can tell.
struct BehindTheEnd {
    std::optional<std::uint64_t> written = {};  ///< values there that are no longer what they were
    std::optional<std::uint64_t> read = {};     ///< values there that were read
};

std::unique_ptr<Analysis> make_copy();
/// host.reference and host.memcpy.
std::vector<HostVariant> copy_on_host();

/// The result of a variant. @param copied u16 [z][y][x]
Result copy_result(const CopyProblem& problem, Array copied, const BehindTheEnd& behind,
                   const std::vector<Timing>& timings);

}  // namespace ks::basics
