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

/// A range of frames of a source, read once: what each pixel holds over all of them, and the frames
/// themselves where they may stay in memory. It knows nothing of bins, so that problems with other bins of
/// the same frames share it.
///
/// Frames that are left out are never read, and are frames of zeros to all that takes them from here. As S is
/// 0 there, a pair of frames with one of them adds nothing to any sum, makes no term, and has no C.
class FrameScan {
  public:
    /// Keeps the frames in memory where they take at most `keep_bytes`. Throws ks::Error(input) for an empty
    /// range or one beyond the source's, for u64 and f64 pixels, and where frames are missing or damaged,
    /// naming them: every frame has its place in time.
    FrameScan(std::shared_ptr<FrameSource> source, io::FrameRange range, std::uint64_t keep_bytes,
              Progress& progress);

    /// Changes with the content of the file, the range and what is left out.
    static std::string key_of(const FrameSource& source, const io::FrameRange& range);
    const std::string& key() const { return key_; }
    const FrameSource& source() const { return *source_; }
    const io::FrameRange& range() const { return range_; }
    std::size_t frames() const { return range_.count; }
    /// False for frame t of the range where it is left out.
    bool used(std::size_t t) const { return used_[t]; }
    std::size_t used_frames() const { return range_.count - range_.left_out.size(); }
    /// What to leave out to be without more frames. @param more as the source counts them, all in use
    std::vector<std::size_t> all_out(std::vector<std::size_t> more) const;
    /// The raw frames [frame][y][x] where they are in memory, else empty.
    std::span<const std::byte> resident() const { return resident_; }
    /// What keeps resident() in memory. It holds no file open, which a library would then give the old
    /// contents of.
    std::shared_ptr<const void> memory() const {
        if (kept_) return kept_;
        return source_;
    }
    /// So many of `count` frames are read at a time: up to 32 MiB, at least one frame.
    std::size_t slab(std::size_t count) const;
    /// Raw frames [t0, t0 + count) of the range. Safe from any thread.
    void read(std::size_t t0, std::size_t count, std::span<std::byte> into) const;

    /// In some frame that is used no count (is_count()), or `saturation` or more.
    bool invalid(std::size_t pixel, double saturation) const;
    /// In some frame that is used a count below `saturation`.
    bool valid_somewhere(std::size_t pixel, double saturation) const;
    /// Largest value of a pixel that is never invalid.
    double largest(std::size_t pixel) const { return value_of(largest_, pixel); }
    /// Not a whole number in some frame.
    bool fractional(std::size_t pixel) const { return (flags_[pixel] & not_whole) != 0; }
    /// Below 0 in some frame, as floats may be and be counts.
    bool negative(std::size_t pixel) const { return (flags_[pixel] & below_zero) != 0; }

  private:
    static constexpr std::uint8_t broken = 1, not_whole = 2, below_zero = 4, never_valid = 8;
    /// A value per pixel, of integers or of f32 pixels.
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
    /// Calls run(first, count, used) for each run of frames of [t0, t0 + count) that are used, or are not.
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
    PixelValues largest_;         ///< of pixels that are never broken
    PixelValues smallest_valid_;  ///< of the counts of pixels that have any
    std::span<const std::byte> resident_;
    /// Of small pages: a virtual machine may have given back its free large ones, and gets them slowly.
    std::shared_ptr<std::byte[]> kept_;
};

}  // namespace ks::xpcs
