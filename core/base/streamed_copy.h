#pragma once

#include <cstddef>
#include <span>

namespace ks {

/// Copies `from` to `to`, which has as many bytes and does not overlap it, on at most `threads` threads,
/// bypassing the caches: for data that exceeds them and is not read by the processor soon, such as memory
/// that a device reads. A store through the caches first reads what it overwrites, so a plain copy of two
/// bytes moves three.
void streamed_copy(std::span<const std::byte> from, std::span<std::byte> to, unsigned threads);

}  // namespace ks
