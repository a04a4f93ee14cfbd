#include "core/spots/erosion.h"

#include <algorithm>
#include <vector>

namespace ks::spots {
namespace {

/// Whether the 2 reach + 1 bits around each bit are set, in a word between its neighbours.
std::uint64_t all_around(std::uint64_t before, std::uint64_t bits, std::uint64_t after, std::size_t reach) {
    std::uint64_t all = bits;
    for (std::size_t d = 1; d <= reach; ++d) {
        all &= bits << d | before >> (BitImage::word - d);
        all &= bits >> d | after << (BitImage::word - d);
    }
    return all;
}

}  // namespace

void erode(const BitImage& in, std::size_t reach, std::size_t height, Band band, BitImage& out) {
    const std::size_t words = in.words();
    std::vector<std::uint64_t> column(words + 2, ~std::uint64_t{0});
    for (std::size_t y = band.y0; y < band.y1; ++y) {
        std::fill_n(column.begin() + 1, words, ~std::uint64_t{0});
        for (std::size_t i = y - std::min(y, reach); i < std::min(height, y + reach + 1); ++i)
            for (std::size_t w = 0; w < words; ++w) column[w + 1] &= in.row(i)[w];
        for (std::size_t w = 0; w < words; ++w)
            out.row(y)[w] =
                column[w + 1] == 0 ? 0 : all_around(column[w], column[w + 1], column[w + 2], reach);
    }
}

}  // namespace ks::spots
