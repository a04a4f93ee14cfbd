#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ks::spots {

/// Where variants deliver what they find.
class SignalSink {
  public:
    virtual ~SignalSink() = default;
    /// Once for every frame that is not missing, in ascending order, from one thread.
    /// @param frame  counted from the first of the problem
    /// @param pixels the frame [y][x] as read, for values of signal and background; need not live longer than
    /// the call
    /// @param signal indices [y][x] into the frame of its signal pixels, ascending
    virtual void add(std::size_t frame, std::span<const std::byte> pixels,
                     std::span<const std::uint32_t> signal) = 0;
};

}  // namespace ks::spots
