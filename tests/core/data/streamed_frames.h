#pragma once

#include <span>
#include <string>
#include <utility>

#include "core/data/frame_source.h"

namespace ks::tests {

/// Frames in memory that are read as those of a file are: nobody finds the stack behind them.
class StreamedFrames : public FrameSource {
  public:
    /// @param stack [frame][y][x]
    StreamedFrames(std::string name, Array stack) : memory_(std::move(name), std::move(stack)) {}
    std::string name() const override { return memory_.name(); }
    std::string identity() const override { return memory_.identity(); }
    std::size_t frames() const override { return memory_.frames(); }
    std::size_t height() const override { return memory_.height(); }
    std::size_t width() const override { return memory_.width(); }
    ElementType type() const override { return memory_.type(); }
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override {
        memory_.read(first, count, into);
    }

  private:
    MemoryFrames memory_;
};

}  // namespace ks::tests
