#include "core/base/large_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace ks {

void prefer_large_pages(std::byte* bytes, std::size_t size) {
    constexpr std::size_t large = std::size_t{1} << 21;
    if (size < 2 * large) return;
    const auto start = (reinterpret_cast<std::uintptr_t>(bytes) + large - 1) / large * large;
    const auto end = (reinterpret_cast<std::uintptr_t>(bytes) + size) / large * large;
    if (start < end) madvise(reinterpret_cast<void*>(start), end - start, MADV_HUGEPAGE);
}

}  // namespace ks
