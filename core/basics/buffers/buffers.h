#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// Values that a kernel doubles, in buffers of every kind.
struct BuffersProblem : Problem {
    std::vector<float> values;  ///< [element]
    std::size_t repeats = 1;
    bool write_to_read_only = true;

    std::uint64_t bytes() const { return std::uint64_t{sizeof(float)} * values.size(); }
};

/// Measurements for one kind of buffer: medians over the repeats, in nanoseconds.
struct BufferRow {
    std::string name;           ///< "READ_ONLY | COPY_HOST_PTR"
    double create = 0;          ///< until the call returns
    double to_device = 0;       ///< writing through a map; 0 if the values were given at creation
    double kernel = 0;          ///< between the start and the end of the kernel
    double to_host = 0;         ///< reading the values, directly or through a map
    std::uint32_t correct = 0;  ///< correct doubled values, in the repeat with the fewest
};

/// Number of elements of `doubled` that are twice the input.
std::uint32_t right_values(const BuffersProblem& problem, std::span<const float> doubled);

/// The result of a variant. @param read_only outcome of a kernel that writes to a READ_ONLY buffer, a
/// sentence; empty: not tried
Result buffers_result(const BuffersProblem& problem, const std::vector<BufferRow>& rows,
                      const std::string& read_only);

}  // namespace ks::basics
