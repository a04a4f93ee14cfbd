#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ks::spots {

/// One bit per pixel, [y][x], for rows `first` to first + height - 1. Each row starts at a word; bits after
/// its end keep the values stored there.
class BitImage {
  public:
    static constexpr std::size_t word = 64;

    BitImage(std::size_t height, std::size_t width, std::size_t first = 0)
        : first_(first), words_((width + word - 1) / word), bits_(height * words_) {}

    std::size_t words() const { return words_; }  ///< per row
    std::uint64_t* row(std::size_t y) { return bits_.data() + (y - first_) * words_; }
    const std::uint64_t* row(std::size_t y) const { return bits_.data() + (y - first_) * words_; }

    /// Pixels x to x + 63 of a row, the first one in the lowest bit; 0 after its last word.
    std::uint64_t bits(std::size_t y, std::size_t x) const {
        const std::uint64_t* const from = row(y) + x / word;
        const std::size_t shift = x % word;
        if (shift == 0) return *from;
        const bool last = x / word + 1 == words_;
        return *from >> shift | (last ? 0 : from[1] << (word - shift));
    }

    /// Sets pixels [x0, x1) of a row.
    void set(std::size_t y, std::size_t x0, std::size_t x1) {
        for (std::size_t x = x0; x < x1;) {
            const std::size_t shift = x % word, some = std::min(word - shift, x1 - x);
            row(y)[x / word] |= ~std::uint64_t{0} >> (word - some) << shift;
            x += some;
        }
    }

  private:
    std::size_t first_, words_;
    std::vector<std::uint64_t> bits_;
};

/// 64 bytes of 0 or 1 as bits, the first one in the lowest bit.
inline std::uint64_t packed(const std::uint8_t* bytes) {
    std::uint64_t all = 0;
#if defined(__SSE2__)
    for (unsigned group = 0; group < 4; ++group) {
        const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * group));
        const int highest = _mm_movemask_epi8(_mm_slli_epi16(some, 7));
        all |= static_cast<std::uint64_t>(highest) << (16 * group);
    }
#else
    for (unsigned group = 0; group < 8; ++group) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes + 8 * group, 8);
        if (eight == 0) continue;
        if constexpr (std::endian::native == std::endian::big) eight = __builtin_bswap64(eight);
        // The product gathers bit 0 of every byte in the highest byte.
        all |= (eight * 0x0102040810204080u >> 56) << (8 * group);
    }
#endif
    return all;
}

/// Bytes [y][x] of 0 or 1 as bits.
inline BitImage packed(std::span<const std::uint8_t> bytes, std::size_t width) {
    BitImage image(bytes.size() / width, width);
    for (std::size_t y = 0; y < bytes.size() / width; ++y) {
        const std::uint8_t* const row = bytes.data() + y * width;
        const std::size_t whole = width / BitImage::word;
        for (std::size_t i = 0; i < whole; ++i) image.row(y)[i] = packed(row + i * BitImage::word);
        for (std::size_t x = whole * BitImage::word; x < width; ++x)
            image.row(y)[whole] |= std::uint64_t{row[x]} << x % BitImage::word;
    }
    return image;
}

/// Calls visit(i) for each bit that is set.
template <class Visit>
void for_each_bit(std::uint64_t bits, const Visit& visit) {
    for (; bits != 0; bits &= bits - 1) visit(static_cast<std::size_t>(std::countr_zero(bits)));
}

}  // namespace ks::spots
