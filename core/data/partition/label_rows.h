#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ks {

/// Tells the system that this memory, not yet written to, will be used entirely.
void advise_large_pages(void* begin, std::size_t bytes);

/// Resizes a vector; new elements are 0. A large vector gets large pages if the system has them, because the
/// first access to 18 million elements in small pages takes longer than drawing them.
template <class T>
void resize_large(std::vector<T>& values, std::size_t n) {
    values.reserve(n);
    advise_large_pages(values.data(), values.capacity() * sizeof(T));
    values.resize(n);
}

/// Calls draw(row) for all rows on several threads, in any order; small images stay on the calling thread.
void for_row_blocks(std::size_t height, std::size_t width, const std::function<void(std::size_t row)>& draw);

/// Sorts the pixels by label, 1 .. bins (0 is skipped): those of label l are pixels[offsets[l - 1]
/// .. offsets[l]), ascending.
void pixels_by_label(const std::vector<std::int32_t>& labels, std::size_t bins,
                     std::vector<std::uint32_t>& offsets, std::vector<std::uint32_t>& pixels);

}  // namespace ks
