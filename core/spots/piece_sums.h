#pragma once

#include <cstddef>
#include <vector>

#include "core/spots/frame_pieces.h"
#include "core/spots/reference.h"
#include "core/spots/spot_sums.h"

namespace ks::spots {

/// Sums of each piece of a frame. The background of a piece is taken from the valid pixels that are no signal
/// in its box made 2 pixels wider on each side, inside of the frame.
/// @param pieces of the signal of this frame, which is `frame`
std::vector<SpotSums> measure(const FramePieces& pieces, const ImageView& image, std::size_t frame);

}  // namespace ks::spots
