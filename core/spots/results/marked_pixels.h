#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/spots/problem.h"
#include "core/spots/signal_sink.h"

namespace ks::spots {

// Pixels that hold io::marking_value() and are taken as counts all the same. A value that no neighbour has
// makes signal, so the first frame as a whole and the signal of all frames tell; to look through every frame
// would cost as much as the fast variants take.

/// That value where pixels with it can be taken as counts at all.
std::optional<std::uint64_t> counted_mark(const SpotProblem& problem);
/// Signal pixels of a frame that hold it.
std::size_t marked_signal(const SpotProblem& problem, const FrameSignal& found);
/// Pixels of the first frame that is there, whose `pixels` these are, that hold it and that no mask ignores.
std::size_t marked_in_first(const SpotProblem& problem, std::span<const std::byte> pixels);
/// The warning of them; empty where there is none.
std::string marked_warning(const SpotProblem& problem, std::size_t in_first, std::size_t in_signal);

}  // namespace ks::spots
