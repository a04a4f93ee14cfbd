#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/regions/pixel_region.h"

namespace ks {

/// Appends the runs of nonzero bytes of row y, one byte per pixel.
void append_spans(std::vector<PixelSpan>& spans, std::size_t y, std::span<const std::uint8_t> row);

}  // namespace ks
