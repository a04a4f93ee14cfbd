#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ks {

/// Calls draw(row) for all rows on the threads of the machine, in any order; small images stay on this
/// thread.
void for_row_blocks(std::size_t height, std::size_t width, const std::function<void(std::size_t row)>& draw);

/// Sorts the pixels by label, 1 .. bins (0 is left out): those of label l are pixels[offsets[l - 1] ..
/// offsets[l]), ascending.
void pixels_by_label(const std::vector<std::int32_t>& labels, std::size_t bins,
                     std::vector<std::uint32_t>& offsets, std::vector<std::uint32_t>& pixels);

}  // namespace ks
