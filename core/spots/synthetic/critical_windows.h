#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/data/pixel_mask.h"
#include "core/spots/module_layout.h"
#include "core/spots/thresholds.h"

namespace ks::spots {

/// Changes frames so that a small mistake in a threshold changes the signal. Each module is divided into
/// windows that do not overlap, the first one around its first pixel. The centre of every other window gets
/// the smallest count for which it is signal, that of the others one count less. In turn, windows keep
/// their counts, get brighter or darker ones, one very bright pixel beside the centre (so that the test for
/// strong pixels decides), masked pixels with counts of their own, or masked pixels everywhere but in two
/// places, or but in the centre. In the first frame, the masked pixels are chosen for all frames. Pixels of
/// 32 bits get brighter counts up to sums_limit, so that sums and their products are beyond 32 bits.
/// If the frames have fewer than 0.2 counts per pixel, two rows are left between windows, one window in four
/// gets such a centre and a single other count, 1, and all else stays as it is: then the smallest counts that
/// disperse a window decide, and pixels are signal that are as far from one as a window reaches.
/// @param frames [frame][y][x]
/// @param mask of the whole frame; pixels that are masked in it already stay so
void make_windows_critical(std::span<std::uint8_t> frames, std::size_t height, std::size_t width,
                           const ModuleLayout& layout, const Thresholds& thresholds, std::uint64_t seed,
                           PixelMask& mask);
void make_windows_critical(std::span<std::uint16_t> frames, std::size_t height, std::size_t width,
                           const ModuleLayout& layout, const Thresholds& thresholds, std::uint64_t seed,
                           PixelMask& mask);
void make_windows_critical(std::span<std::uint32_t> frames, std::size_t height, std::size_t width,
                           const ModuleLayout& layout, const Thresholds& thresholds, std::uint64_t seed,
                           PixelMask& mask);

}  // namespace ks::spots
