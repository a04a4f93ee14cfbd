#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/element_type.h"
#include "core/data/packed_frames.h"
#include "core/data/pixel_blocks.h"

namespace ks {

/// A stack of detector frames, [frame][y][x], read lazily in slabs. It never assumes that the stack fits into
/// memory. Implementations may be called from one thread at a time; some also allow concurrent read() calls.
class FrameSource {
  public:
    virtual ~FrameSource() = default;

    /// "FILE::/path/in/file", or a description for frames made in memory.
    virtual std::string name() const = 0;
    /// Changes when the content may have changed (path, size and modification time): a key for caches.
    virtual std::string identity() const = 0;
    virtual std::size_t frames() const = 0;
    virtual std::size_t height() const = 0;
    virtual std::size_t width() const = 0;
    virtual ElementType type() const = 0;
    /// Reads frames [first, first + count) into `into`, which has exactly count * frame_bytes() bytes.
    /// Throws ks::Error(input) naming the file if reading fails, and a DamagedFrame if the values of a frame
    /// cannot be decoded.
    void read(std::size_t first, std::size_t count, std::span<std::byte> into);

    /// True if read() may be called from several threads at once, which is then faster.
    virtual bool reads_side_by_side() const { return false; }

    /// The frames as stored in the file, if others can decode that form; null otherwise.
    virtual const PackedFrames* packed() const { return nullptr; }

    /// False if the file has no values for the frame, so that reading it throws. This function reads no
    /// values. The rule for threads is that of read().
    virtual bool written(std::size_t /*frame*/) const { return true; }

    /// The pixels of a written() frame for which the file has no values. read() fills them with a value that
    /// is not a count: NaN, -1, or the maximum of an unsigned type (see io::marking_value). This function
    /// reads no values. The rule for threads is that of read().
    virtual PixelBlocks lacking(std::size_t /*frame*/) const { return {}; }
    /// False if lacking() is known to be empty for all frames without checking each.
    virtual bool may_lack_pixels() const { return false; }

    /// Seconds between consecutive frames, if the file states them.
    virtual std::optional<double> frame_time() const { return std::nullopt; }
    /// Why the stated time cannot be used; nothing if none is stated.
    virtual std::optional<std::string> frame_time_fault() const { return std::nullopt; }
    /// Statements of the file about its frames that contradict its content, one sentence each.
    virtual std::vector<std::string> contradictions() const { return {}; }

    std::size_t pixels() const { return height() * width(); }
    std::size_t frame_bytes() const { return pixels() * size_of(type()); }
    std::uint64_t bytes() const { return std::uint64_t{frames()} * frame_bytes(); }

  protected:
    /// Implements read() for at least one frame, all of them within the stack.
    virtual void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) = 0;
};

/// Frames held in memory.
class MemoryFrames : public FrameSource {
  public:
    /// @param stack rank 3, [frame][y][x]; throws ks::Error(input) otherwise.
    MemoryFrames(std::string name, Array stack, std::optional<double> frame_time = std::nullopt);

    std::string name() const override { return name_; }
    std::string identity() const override { return identity_; }
    std::size_t frames() const override { return stack_.shape()[0]; }
    std::size_t height() const override { return stack_.shape()[1]; }
    std::size_t width() const override { return stack_.shape()[2]; }
    ElementType type() const override { return stack_.type(); }
    std::optional<double> frame_time() const override { return frame_time_; }

    const Array& stack() const { return stack_; }

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override;

    std::string name_, identity_;
    Array stack_;
    std::optional<double> frame_time_;
};

}  // namespace ks
