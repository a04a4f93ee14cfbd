#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/run/result.h"
#include "core/spots/grouping/spot_record.h"

namespace ks::spots {

/// The signal that a variant found in a frame.
struct FrameSignal {
    std::size_t frame;                  ///< relative to the first of the problem
    std::span<const std::byte> pixels;  ///< the frame [y][x] as read, for the values of signal and background
    std::span<const std::uint32_t> signal;  ///< frame indices [y][x] of the signal pixels, ascending
};

/// The table of all spots of a run as created by SpotCollector without q and d.
struct GroupedTable {
    std::vector<Dataset> columns;
    bool exact = true;     ///< sums_exactly() is true for each spot
    bool filtered = true;  ///< the column dropped is correct
};

/// The result of a variant for several frames, if it groups the signal into spots itself.
struct FrameGroups {
    GroupedSpots spots;  ///< and the frames, ascending
    /// Replaces the spots if these are all frames.
    std::optional<GroupedTable> table;
    Array signal;  ///< u32: indices [y][x] of the signal pixels, frame by frame, ascending
    std::vector<std::uint64_t> offsets;  ///< into it, [frames + 1]
    std::span<const std::uint32_t>
        /// group of each signal pixel, to join spots that may continue in adjacent frames; empty if there are
        /// no adjacent frames, or frames are independent
        spot;
    std::uint64_t marked = 0;  ///< signal pixels with the value counted_mark()
    std::span<const std::byte>
        first_pixels;  ///< SharedFrames::first_there() as read, if it is one of the frames
};

/// Receives the results of variants: every frame that is neither missing nor damaged exactly once, in
/// ascending order, one call at a time. Spans need not outlive the call.
class SignalSink {
  public:
    virtual ~SignalSink() = default;
    /// Adds one frame, given as the members of FrameSignal.
    virtual void add(std::size_t frame, std::span<const std::byte> pixels,
                     std::span<const std::uint32_t> signal) = 0;
    /// Adds several frames, ascending, for a sink that processes them in parallel.
    virtual void add_all(std::span<const FrameSignal> frames) {
        for (const FrameSignal& found : frames) add(found.frame, found.pixels, found.signal);
    }
    /// Whether add_groups() may be called.
    virtual bool takes_groups() const { return false; }
    /// Called instead of add_all(); both may be used within a run.
    virtual void add_groups(FrameGroups) {}
};

}  // namespace ks::spots
