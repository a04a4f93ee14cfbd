#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ks {

/// Places of a sample among `size` elements, in increasing order: one in each of some equal parts, and the
/// first and the last element. The places within the parts follow no stride, so that errors in every second
/// or every fourth element are found as well.
class Sample {
  public:
    /// @param wanted number of places; if it is not less than `size`, all elements are sampled
    Sample(std::size_t size, std::size_t wanted)
        : size_(size), places_(std::min(size, std::max(wanted, std::size_t{2}))) {}

    /// Every element.
    static Sample all(std::size_t size) { return {size, size}; }

    std::size_t places() const { return places_; }
    bool is_all() const { return places_ == size_; }
    /// @param i less than places()
    std::size_t operator[](std::size_t i) const {
        if (is_all() || i == 0) return i;
        if (i + 1 == places_) return size_ - 1;
        const std::size_t first = begin(i), count = begin(i + 1) - first;
        return first + static_cast<std::size_t>((i * std::uint64_t{0x9E3779B97F4A7C15} >> 32) % count);
    }

  private:
    /// The parts differ by at most one element.
    std::size_t begin(std::size_t part) const {
        const std::size_t least = size_ / places_, larger = size_ % places_;
        return part * least + std::min(part, larger);
    }

    std::size_t size_, places_;
};

}  // namespace ks
