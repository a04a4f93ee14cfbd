#pragma once

#include <bit>
#include <cstdint>

namespace ks {

/// A value that was never measured, such as the speed of a size that does not fit: a NaN with bits of its
/// own, so that it is told from the NaN that a computation gives. Plots do not count it among the undrawn
/// values; tables and CSV files leave its place empty.
inline constexpr double missing_value = std::bit_cast<double>(std::uint64_t{0x7ff8'0000'0000'07a2});

inline bool is_missing(double value) {
    return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(missing_value);
}

}  // namespace ks
