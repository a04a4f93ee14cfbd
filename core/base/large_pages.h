#pragma once

#include <cstddef>

namespace ks {

/// Requests large pages if the block is new and large: allocating them takes a tenth of the time.
/// A hint only.
void prefer_large_pages(std::byte* bytes, std::size_t size);

}  // namespace ks
