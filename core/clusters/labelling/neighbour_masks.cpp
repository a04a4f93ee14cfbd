#include "core/clusters/labelling/neighbour_masks.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ks::clusters {

#if defined(__x86_64__)
namespace {

constexpr std::uint64_t bits(std::size_t n) {
    return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

void note(NeighbourMasks& masks, std::size_t i, std::uint64_t near, std::uint64_t same) {
    masks.near[i] = near;
    masks.copies |= std::uint64_t{(same & (same - 1)) != 0} << i;
}

// Differences are stored plus 1: neighbours have 0, 1 or 2, the same column or row 1.

__attribute__((target("avx512bw"))) void find_512(const std::uint16_t* x, const std::uint16_t* y,
                                                  std::size_t digis, bool corners, NeighbourMasks& masks) {
    const __m512i one = _mm512_set1_epi16(1), two = _mm512_set1_epi16(2);
    const std::size_t halves = digis > 32 ? 2 : 1;
    const std::uint64_t used = bits(digis);
    masks.copies = 0;
    for (std::size_t i = 0; i < digis; ++i) {
        const __m512i x0 = _mm512_set1_epi16(static_cast<short>(x[i] - 1));
        const __m512i y0 = _mm512_set1_epi16(static_cast<short>(y[i] - 1));
        std::uint64_t near = 0, same = 0;
        for (std::size_t half = 0; half < halves; ++half) {
            const __m512i dx = _mm512_sub_epi16(_mm512_loadu_si512(x + 32 * half), x0);
            const __m512i dy = _mm512_sub_epi16(_mm512_loadu_si512(y + 32 * half), y0);
            const __mmask32 column = _mm512_cmpeq_epi16_mask(dx, one), row = _mm512_cmpeq_epi16_mask(dy, one);
            __mmask32 close = _mm512_cmple_epu16_mask(dx, two) & _mm512_cmple_epu16_mask(dy, two);
            if (!corners) close &= column | row;
            near |= std::uint64_t{close} << (32 * half);
            same |= std::uint64_t{column & row} << (32 * half);
        }
        note(masks, i, near & used, same & used);
    }
}

/// Bits of two vectors of 16 comparisons.
__attribute__((target("avx2"))) inline std::uint64_t bits_of(__m256i low, __m256i high) {
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xd8);
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}

__attribute__((target("avx2"))) void find_256(const std::uint16_t* x, const std::uint16_t* y,
                                              std::size_t digis, bool corners, NeighbourMasks& masks) {
    const __m256i one = _mm256_set1_epi16(1), two = _mm256_set1_epi16(2);
    const std::size_t halves = digis > 32 ? 2 : 1;
    const std::uint64_t used = bits(digis);
    masks.copies = 0;
    for (std::size_t i = 0; i < digis; ++i) {
        const __m256i x0 = _mm256_set1_epi16(static_cast<short>(x[i] - 1));
        const __m256i y0 = _mm256_set1_epi16(static_cast<short>(y[i] - 1));
        std::uint64_t near = 0, same = 0;
        for (std::size_t half = 0; half < halves; ++half) {
            __m256i close[2], equal[2];
            for (std::size_t quarter = 0; quarter < 2; ++quarter) {
                const std::size_t at = 32 * half + 16 * quarter;
                const auto load = [at](const std::uint16_t* from) __attribute__((target("avx2"))) {
                    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + at));
                };
                const __m256i dx = _mm256_sub_epi16(load(x), x0), dy = _mm256_sub_epi16(load(y), y0);
                const __m256i column = _mm256_cmpeq_epi16(dx, one), row = _mm256_cmpeq_epi16(dy, one);
                close[quarter] = _mm256_and_si256(_mm256_cmpeq_epi16(_mm256_min_epu16(dx, two), dx),
                                                  _mm256_cmpeq_epi16(_mm256_min_epu16(dy, two), dy));
                if (!corners) close[quarter] = _mm256_and_si256(close[quarter], _mm256_or_si256(column, row));
                equal[quarter] = _mm256_and_si256(column, row);
            }
            near |= bits_of(close[0], close[1]) << (32 * half);
            same |= bits_of(equal[0], equal[1]) << (32 * half);
        }
        note(masks, i, near & used, same & used);
    }
}

}  // namespace

std::vector<FindNeighbours> find_neighbours_here() {
    std::vector<FindNeighbours> all;
    if (__builtin_cpu_supports("avx512bw")) all.push_back(find_512);
    if (__builtin_cpu_supports("avx2")) all.push_back(find_256);
    return all;
}
#else
std::vector<FindNeighbours> find_neighbours_here() {
    return {};
}
#endif

}  // namespace ks::clusters
