#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/spots/grouping/background_sum.h"
#include "core/spots/grouping/frame_pieces.h"
#include "core/spots/grouping/spot_sums.h"
#include "core/spots/signal/bit_image.h"
#include "core/spots/signal/reference.h"

namespace ks::spots {

/// Sums of each piece of a frame. The background of a piece is taken from the valid non-signal pixels in its
/// box extended by 2 pixels on each side, within the frame.
///
/// Measuring a piece is memory-bound, as its pixels may be anywhere in the frame: pixels of later pieces
/// are prefetched, and blocks of pieces are measured in parallel. The sums of a piece are always added in
/// the same order.
class PieceSums {
  public:
    /// @param pieces of the signal of `frame`
    /// @param unused pixels of the image that are invalid regardless of their counts; its `ignore` is not
    /// used All arguments must remain unchanged until the last block has been measured. Memory of the
    /// previous frame is reused. the last block is measured. Memory of the frame before is used again.
    void start(const FramePieces& pieces, const ImageView& image, const BitImage& unused, std::size_t frame);
    std::size_t blocks() const;
    /// May be called from several threads for different blocks.
    void measure(std::size_t block);
    /// Sums per piece, after all blocks have been measured.
    std::span<const SpotSums> sums() const { return std::span(sums_).first(pieces_); }

  private:
    std::span<const SignalRun> runs_of(std::size_t piece) const;
    PixelBox background_box(std::size_t piece) const;
    template <class T>
    void measure(std::size_t first, std::size_t last);
    BitImage no_background(std::span<const PixelBox> boxes) const;

    ImageView image_{};
    const BitImage* unused_ = nullptr;
    std::size_t pieces_ = 0;
    std::uint32_t frame_ = 0;
    std::span<const SignalRun> runs_;    ///< runs of the frame, ascending in y, then x
    std::vector<std::uint32_t> row_;     ///< runs of row y are [row_[y], row_[y + 1])
    std::vector<SignalRun> piece_runs_;  ///< the same runs by piece, each ascending
    std::vector<std::uint32_t> piece_;   ///< runs of piece p are [piece_[p], piece_[p + 1])
    std::vector<SpotSums> sums_;         ///< of this frame, possibly followed by leftovers of an earlier one
};

}  // namespace ks::spots
