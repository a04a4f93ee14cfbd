#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/spots/problem.h"
#include "core/spots/signal/reference.h"

namespace ks::spots {

/// Signal of an image, [y][x]: the signature of reference_signal().
using ImageSignal = std::vector<std::uint8_t> (*)(const ImageView& image, const Thresholds& thresholds,
                                                  Progress& progress);

/// Divides the frames of a problem into bands of rows. A band is computed together with the surrounding rows
/// that its windows need, so bands are independent and the definition can be computed on all cores.
class SignalBands {
  public:
    explicit SignalBands(const SpotProblem& problem, ImageSignal find = reference_signal);

    /// Number of bands of a frame, over all its modules.
    std::size_t bands() const { return problem_.layout().modules() * bands_of_module_; }
    /// Frame indices of the signal pixels of a band, ascending. Safe from any thread.
    /// @param pixels the frame [y][x]
    std::vector<std::uint32_t> signal(std::span<const std::byte> pixels, std::size_t band) const;
    /// The signal of a frame, ascending, from that of its bands.
    static std::vector<std::uint32_t> joined(std::span<const std::vector<std::uint32_t>> bands);

  private:
    const SpotProblem& problem_;
    ImageSignal find_;
    std::size_t reach_, bands_of_module_;
};

/// Signal of selected pixels (ascending indices into the frame): 1 or 0; 0 for pixels between modules.
std::vector<std::uint8_t> frame_signal_at(const SpotProblem& problem, std::span<const std::byte> pixels,
                                          std::span<const std::uint32_t> some);

}  // namespace ks::spots
