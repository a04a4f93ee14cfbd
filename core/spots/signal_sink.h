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

/// What a variant found in a frame.
struct FrameSignal {
    std::size_t frame;                      ///< counted from the first of the problem
    std::span<const std::byte> pixels;      ///< the frame [y][x] as read, for values of signal and background
    std::span<const std::uint32_t> signal;  ///< indices [y][x] into the frame of its signal pixels, ascending
};

/// The table of all spots of a run as SpotCollector makes it where no q and d are known.
struct GroupedTable {
    std::vector<Dataset> columns;
    bool exact = true;     ///< sums_exactly() holds for each of the spots
    bool filtered = true;  ///< the column dropped is right
};

/// What a variant found in several frames, if it groups the signal to spots by itself.
struct FrameGroups {
    GroupedSpots spots;  ///< and the frames, ascending
    /// In place of the spots, where these frames are all there are.
    std::optional<GroupedTable> table;
    Array signal;  ///< u32: indices [y][x] of the signal pixels, frame by frame, ascending
    std::vector<std::uint64_t> offsets;  ///< into it, [frames + 1]
    std::span<const std::uint32_t>
        spot;                  ///< of each signal pixel, for what may go on in frames before and after;
                               ///< empty where there are none or frames are grouped by themselves
    std::uint64_t marked = 0;  ///< signal pixels that hold counted_mark()
    std::span<const std::byte> first_pixels;  ///< SharedFrames::first_there() as read, if it is among them
};

/// Where variants deliver what they find: every frame that is neither missing nor damaged once, in ascending
/// order, one call at a time. What spans show need not live longer than the call.
class SignalSink {
  public:
    virtual ~SignalSink() = default;
    /// One frame: the members of FrameSignal.
    virtual void add(std::size_t frame, std::span<const std::byte> pixels,
                     std::span<const std::uint32_t> signal) = 0;
    /// Several frames, ascending: for a sink that works on them side by side.
    virtual void add_all(std::span<const FrameSignal> frames) {
        for (const FrameSignal& found : frames) add(found.frame, found.pixels, found.signal);
    }
    /// Whether add_groups() may be called.
    virtual bool takes_groups() const { return false; }
    /// In place of add_all(); both may be called for frames of a run.
    virtual void add_groups(FrameGroups) {}
};

}  // namespace ks::spots
