#include "core/spots/sliding/erosion.h"

#include <algorithm>
#include <vector>

namespace ks::spots {

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
