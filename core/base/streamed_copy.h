#pragma once

#include <cstddef>
#include <span>

namespace ks {

/// Copies `from` to `to`, which has as many bytes and does not overlap it, on at most `threads` threads, past
/// the caches: for what is larger than they are and is not read by the processor soon, such as memory that a
/// device reads. A store that goes through the caches reads what it overwrites first, so a plain copy of two
/// bytes moves three.
void streamed_copy(std::span<const std::byte> from, std::span<std::byte> to, unsigned threads);

}  // namespace ks
