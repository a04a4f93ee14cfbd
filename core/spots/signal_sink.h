#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ks::spots {

/// What a variant found in a frame.
struct FrameSignal {
    std::size_t frame;                      ///< counted from the first of the problem
    std::span<const std::byte> pixels;      ///< the frame [y][x] as read, for values of signal and background
    std::span<const std::uint32_t> signal;  ///< indices [y][x] into the frame of its signal pixels, ascending
};

/// Where variants deliver what they find: every frame that is not missing once, in ascending order, one call
/// at a time. What spans show need not live longer than the call.
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
};

}  // namespace ks::spots
