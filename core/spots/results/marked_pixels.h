#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/spots/problem.h"
#include "core/spots/signal_sink.h"

namespace ks::spots {

// Pixels with the value io::marking_value() that are nevertheless taken for counts. A value without
// neighbours of the same size causes signal, so checking the first frame completely and the signal of all
// frames is sufficient; scanning every frame would take as long as the fast variants.

/// That value, if pixels with it can be taken for counts at all.
std::optional<std::uint64_t> counted_mark(const SpotProblem& problem);
/// Number of signal pixels of a frame with this value.
std::size_t marked_signal(const SpotProblem& problem, const FrameSignal& found);
/// Number of unmasked pixels with this value in the first existing frame, which has these `pixels`.
std::size_t marked_in_first(const SpotProblem& problem, std::span<const std::byte> pixels);
/// The warning about such pixels; empty if there are none.
std::string marked_warning(const SpotProblem& problem, std::size_t in_first, std::size_t in_signal);

}  // namespace ks::spots
