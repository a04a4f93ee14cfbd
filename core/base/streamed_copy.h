#pragma once

#include <cstddef>
#include <span>

namespace ks {

/// Copies `from` to `to`, which has as many bytes and does not overlap it, on at most `threads` threads,
/// bypassing the caches. Use it for data that exceed the caches and that the processor does not read soon,
/// such as memory that a device reads. A store through the caches first reads what it overwrites; so for each
/// byte that a plain copy reads and writes, three bytes are moved.
void streamed_copy(std::span<const std::byte> from, std::span<std::byte> to, unsigned threads);

}  // namespace ks
