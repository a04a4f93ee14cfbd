#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/frame_source.h"

namespace ks::xpcs {

/// Frames [first, first + frames) of a source, read once: what each pixel holds over all of them, and the
/// frames themselves where they may stay in memory. It knows nothing of bins, so that problems with other
/// bins of the same frames share it.
class FrameScan {
  public:
    /// Keeps the frames in memory where they take at most `keep_bytes`. Throws ks::Error(input) for an empty
    /// range or one beyond the source's, for u64 and f64 pixels, and where frames are damaged, naming them:
    /// every frame has its place in time.
    FrameScan(std::shared_ptr<FrameSource> source, std::size_t first, std::size_t frames,
              std::uint64_t keep_bytes, Progress& progress);

    /// Changes with the content of the file and the range.
    static std::string key_of(const FrameSource& source, std::size_t first, std::size_t frames);
    const std::string& key() const { return key_; }
    const FrameSource& source() const { return *source_; }
    std::size_t frames() const { return frames_; }
    /// The raw frames [frame][y][x] where they are in memory, else empty.
    std::span<const std::byte> resident() const { return resident_; }
    /// So many of `count` frames are read at a time: up to 32 MiB, at least one frame.
    std::size_t slab(std::size_t count) const;
    /// Raw frames [t0, t0 + count) of the range. Safe from any thread.
    void read(std::size_t t0, std::size_t count, std::span<std::byte> into) const;

    /// Negative, NaN or infinite in some frame, or `saturation` or more.
    bool invalid(std::size_t pixel, double saturation) const;
    /// Largest value of a pixel that is never invalid.
    double largest(std::size_t pixel) const {
        return reals_.empty() ? static_cast<double>(counts_[pixel]) : static_cast<double>(reals_[pixel]);
    }
    /// Not a whole number in some frame.
    bool fractional(std::size_t pixel) const { return (flags_[pixel] & not_whole) != 0; }

  private:
    static constexpr std::uint8_t broken = 1, not_whole = 2;
    template <class T>
    void scan(bool keep, Progress& progress);
    void read_slab(std::size_t t0, std::size_t count, std::byte* into, std::vector<std::size_t>& damaged);

    std::shared_ptr<FrameSource> source_;
    mutable std::mutex reading_;
    std::size_t first_, frames_;
    std::string key_;
    std::vector<std::uint8_t> flags_;
    std::vector<std::uint32_t> counts_;  ///< largest values of integer pixels
    std::vector<float> reals_;           ///< of f32 pixels
    std::span<const std::byte> resident_;
    /// Of small pages: a virtual machine may have given back its free large ones, and gets them slowly.
    std::unique_ptr<std::byte[]> kept_;
};

}  // namespace ks::xpcs
