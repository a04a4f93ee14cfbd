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

/// Sums of each piece of a frame. The background of a piece is taken from the valid pixels that are no signal
/// in its box made 2 pixels wider on each side, inside of the frame.
///
/// A piece waits for memory most of the time, as its pixels lie anywhere in the frame: those of the pieces
/// after it are asked for ahead, and blocks of pieces are measured side by side. The sums of a piece are
/// added in the same order whatever happens beside it.
class PieceSums {
  public:
    /// @param pieces of the signal of `frame`
    /// @param unused pixels of the image that are not valid whatever they count; its `ignore` is not asked
    /// All that is given stays as it is until the last block is measured. Memory of the frame before is used
    /// again.
    void start(const FramePieces& pieces, const ImageView& image, const BitImage& unused, std::size_t frame);
    std::size_t blocks() const;
    /// Safe from several threads for different blocks.
    void measure(std::size_t block);
    /// By piece, once all blocks are measured.
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
    std::span<const SignalRun> runs_;    ///< of the frame, ascending in y, then x
    std::vector<std::uint32_t> row_;     ///< those of row y are [row_[y], row_[y + 1])
    std::vector<SignalRun> piece_runs_;  ///< the same by piece, each ascending
    std::vector<std::uint32_t> piece_;   ///< those of piece p are [piece_[p], piece_[p + 1])
    std::vector<SpotSums> sums_;         ///< of this frame, and what was left of one with more pieces
};

}  // namespace ks::spots
