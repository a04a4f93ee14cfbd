#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/element_type.h"
#include "core/data/packed_frames.h"
#include "core/data/pixel_blocks.h"

namespace ks {

/// A stack of detector frames, [frame][y][x], read lazily by slabs. It never assumes that the stack fits in
/// memory. Implementations are safe to call from one thread at a time, and read() of some from several.
class FrameSource {
  public:
    virtual ~FrameSource() = default;

    /// "FILE::/path/in/file", or a name in words for frames made in memory.
    virtual std::string name() const = 0;
    /// Changes when the content may have changed (path, size and time of modification): key for caches.
    virtual std::string identity() const = 0;
    virtual std::size_t frames() const = 0;
    virtual std::size_t height() const = 0;
    virtual std::size_t width() const = 0;
    virtual ElementType type() const = 0;
    /// Reads frames [first, first + count) into `into`, which holds exactly count * frame_bytes() bytes.
    /// Throws ks::Error(input) naming the file where the read fails, and a DamagedFrame where the values of a
    /// frame cannot be decoded.
    void read(std::size_t first, std::size_t count, std::span<std::byte> into);

    /// True where read() may be called from several threads at once, which is then faster.
    virtual bool reads_side_by_side() const { return false; }

    /// The frames as they lie in the file, where that is a form for others to decode; null otherwise.
    virtual const PackedFrames* packed() const { return nullptr; }

    /// False where the file has no values for the frame: read() of it throws. Reads no values; under the same
    /// rule of threads as read().
    virtual bool written(std::size_t /*frame*/) const { return true; }

    /// Pixels of a frame that is written() which the file has no values for; read() gives in their place what
    /// is no count: NaN, -1, or the highest value of a type without a sign (see io::marking_value). Reads no
    /// values; under the same rule of threads as read().
    virtual PixelBlocks lacking(std::size_t /*frame*/) const { return {}; }
    /// False where lacking() is empty for all frames, as far as that is known without looking at each.
    virtual bool may_lack_pixels() const { return false; }

    /// Seconds from one frame to the next, where the file says so.
    virtual std::optional<double> frame_time() const { return std::nullopt; }
    /// Why it says a time that cannot be used; nothing where it says none.
    virtual std::optional<std::string> frame_time_fault() const { return std::nullopt; }
    /// What the file says of its frames that contradicts what it holds, one sentence each.
    virtual std::vector<std::string> contradictions() const { return {}; }

    std::size_t pixels() const { return height() * width(); }
    std::size_t frame_bytes() const { return pixels() * size_of(type()); }
    std::uint64_t bytes() const { return std::uint64_t{frames()} * frame_bytes(); }

  protected:
    /// read() of at least one frame, all of which are in the stack.
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
