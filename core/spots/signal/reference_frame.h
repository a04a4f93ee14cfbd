#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/spots/problem.h"
#include "core/spots/signal/reference.h"

namespace ks::spots {

/// Signal of an image, [y][x]: the form of reference_signal().
using ImageSignal = std::vector<std::uint8_t> (*)(const ImageView& image, const Thresholds& thresholds,
                                                  Progress& progress);

/// Frames of a problem cut into bands of rows whose signal is independent: that of a band with the rows
/// around that its windows reach. What makes the definition bearable on all cores.
class SignalBands {
  public:
    explicit SignalBands(const SpotProblem& problem, ImageSignal find = reference_signal);

    /// Bands of a frame, over all its modules.
    std::size_t bands() const { return problem_.layout().modules() * bands_of_module_; }
    /// Indices into the frame of the signal pixels of a band, ascending. Safe from any thread.
    /// @param pixels the frame [y][x]
    std::vector<std::uint32_t> signal(std::span<const std::byte> pixels, std::size_t band) const;
    /// The ascending signal of a frame from that of its bands.
    static std::vector<std::uint32_t> joined(std::span<const std::vector<std::uint32_t>> bands);

  private:
    const SpotProblem& problem_;
    ImageSignal find_;
    std::size_t reach_, bands_of_module_;
};

/// Signal of some pixels (ascending indices into the frame): 1 or 0; pixels between modules have none.
std::vector<std::uint8_t> frame_signal_at(const SpotProblem& problem, std::span<const std::byte> pixels,
                                          std::span<const std::uint32_t> some);

}  // namespace ks::spots
