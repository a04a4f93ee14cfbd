#include "core/data/regions/row_spans.h"

#include <cstring>

namespace ks {
namespace {

/// Masks are mostly empty, so eight bytes are tested at once.
std::size_t first_nonzero(std::span<const std::uint8_t> row, std::size_t x) {
    for (std::uint64_t eight = 0; x + sizeof eight <= row.size(); x += sizeof eight) {
        std::memcpy(&eight, row.data() + x, sizeof eight);
        if (eight != 0) break;
    }
    while (x < row.size() && row[x] == 0) ++x;
    return x;
}

std::size_t first_zero(std::span<const std::uint8_t> row, std::size_t x) {
    const void* found = std::memchr(row.data() + x, 0, row.size() - x);
    return found ? static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - row.data())
                 : row.size();
}

}  // namespace

void append_spans(std::vector<PixelSpan>& spans, std::size_t y, std::span<const std::uint8_t> row) {
    for (std::size_t x = first_nonzero(row, 0); x < row.size();) {
        const std::size_t end = first_zero(row, x);
        spans.push_back(
            {static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(end)});
        x = first_nonzero(row, end);
    }
}

}  // namespace ks
