#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/data/frame_source.h"
#include "core/input/frame_input.h"

namespace ks::xpcs {

/// A range of frames of a source, read once: statistics of each pixel over all of them, and the frames
/// themselves if they may stay in memory. It does not depend on bins, so problems with other bins of the same
/// frames share it.
///
/// Frames that are left out are never read and appear here as zeros. As S is 0 there, a pair with such a
/// frame adds nothing to any sum, gives no term, and has no C.
class FrameScan {
  public:
    /// Keeps the frames in memory if they take at most `keep_bytes`. Throws ks::Error(input) for an empty
    /// range or one beyond the source, and for u64 and f64 pixels. If frames are missing or damaged, it
    /// throws ks::Error(input) that names them: they cannot be skipped, because every frame has a position in
    /// time.
    FrameScan(std::shared_ptr<FrameSource> source, io::FrameRange range, std::uint64_t keep_bytes,
              Progress& progress);

    /// Changes with the content of the file, the range and the frames left out.
    static std::string key_of(const FrameSource& source, const io::FrameRange& range);
    const std::string& key() const { return key_; }
    const FrameSource& source() const { return *source_; }
    const io::FrameRange& range() const { return range_; }
    std::size_t frames() const { return range_.count; }
    /// False if frame t of the range is left out.
    bool used(std::size_t t) const { return used_[t]; }
    std::size_t used_frames() const { return range_.count - range_.left_out.size(); }
    /// The frames of the file that make up frames of the source: the same, unless the source is a reduced
    /// series (ReducedFrames).
    std::vector<std::size_t> in_file(const std::vector<std::size_t>& frames) const;
    /// The complete list for leave_out that excludes `more` in addition to the frames that are already left
    /// out, numbered as in the file. @param more used frames, numbered as in the source
    std::vector<std::size_t> all_out(std::vector<std::size_t> more) const;
    /// The frames of the file that were left out and would otherwise be in a frame of the source, ascending.
    std::vector<std::size_t> left_out_in_file() const;
    /// The raw frames [frame][y][x] if they are in memory, else empty.
    std::span<const std::byte> resident() const { return resident_; }
    /// Keeps resident() in memory. It does not keep the file open, because the library would then return old
    /// contents after the file has changed.
    std::shared_ptr<const void> memory() const {
        if (kept_) return kept_;
        return source_;
    }
    /// The number of frames, out of `count`, to read at a time: up to 32 MiB, at least one frame.
    std::size_t slab(std::size_t count) const;
    /// Raw frames [t0, t0 + count) of the range. Safe from any thread.
    void read(std::size_t t0, std::size_t count, std::span<std::byte> into) const;

    /// Whether the pixel is not a count (is_count()), or at least `saturation`, in some used frame.
    bool invalid(std::size_t pixel, double saturation) const;
    /// Whether the pixel is a count below `saturation` in some used frame.
    bool valid_somewhere(std::size_t pixel, double saturation) const;
    /// Maximum of a pixel that is never invalid.
    double largest(std::size_t pixel) const { return value_of(largest_, pixel); }
    /// Whether the value is not a whole number in some frame.
    bool fractional(std::size_t pixel) const { return (flags_[pixel] & not_whole) != 0; }
    /// Whether the value is below 0 in some frame; negative floats are valid counts.
    bool negative(std::size_t pixel) const { return (flags_[pixel] & below_zero) != 0; }

  private:
    static constexpr std::uint8_t broken = 1, not_whole = 2, below_zero = 4, never_valid = 8;
    /// One value per pixel, for integer or f32 pixels.
    struct PixelValues {
        std::vector<std::uint32_t> counts;
        std::vector<float> reals;
    };
    static double value_of(const PixelValues& values, std::size_t pixel) {
        return values.reals.empty() ? static_cast<double>(values.counts[pixel])
                                    : static_cast<double>(values.reals[pixel]);
    }
    template <class T>
    void scan(bool keep, Progress& progress);
    /// Calls run(first, count, used) for each run of consecutive frames in [t0, t0 + count) that are all used
    /// or all left out.
    template <class Run>
    void for_runs(std::size_t t0, std::size_t count, const Run& run) const;
    void require_there(const Error& why, const Progress& progress) const;
    void read_slab(std::size_t t0, std::size_t count, std::byte* into, std::vector<std::size_t>& damaged);

    std::shared_ptr<FrameSource> source_;
    mutable std::mutex reading_;
    io::FrameRange range_;
    std::vector<bool> used_;  ///< [frame]
    std::string key_;
    std::vector<std::uint8_t> flags_;
    PixelValues largest_;         ///< for pixels that are always counts
    PixelValues smallest_valid_;  ///< smallest count of pixels that have any
    std::span<const std::byte> resident_;
    /// In small pages: a virtual machine may have returned its free large pages to its host, and takes long
    /// to get them back.
    std::shared_ptr<std::byte[]> kept_;
};

}  // namespace ks::xpcs
