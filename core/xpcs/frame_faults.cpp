#include "core/xpcs/frame_faults.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "core/base/parallel.h"
#include "core/base/raw_bytes.h"
#include "core/base/threads.h"
#include "core/data/valid_pixels.h"

namespace ks::xpcs {
namespace {

/// The number of invalid frames per pixel, and of invalid pixels per frame.
class Tally {
  public:
    Tally(const FrameScan& scan, std::span<const std::uint32_t> pixels, double saturation)
        : scan_(scan),
          pixels_(pixels),
          saturation_(saturation),
          frames_of_(pixels.size(), 0),
          last_(pixels.size(), 0),
          pixels_of_(std::make_unique<std::atomic<std::size_t>[]>(scan.frames())) {}

    /// Adds used frames [t0, t0 + count) of the range.
    void add(std::size_t t0, std::size_t count) {
        const std::size_t bytes = scan_.source().frame_bytes();
        const std::byte* from = scan_.resident().data() + t0 * bytes;
        if (scan_.resident().empty()) {
            buffer_.make_room(count * bytes);
            scan_.read(t0, count, {buffer_.data(), count * bytes});
            from = buffer_.data();
        }
        visit_element(scan_.source().type(), [&](auto zero) {
            using T = decltype(zero);
            constexpr std::size_t block = 1024;
            parallel_for((pixels_.size() + block - 1) / block, compute_threads(), [&](std::size_t i) {
                const std::size_t first = i * block, end = std::min(first + block, pixels_.size());
                for (std::size_t t = 0; t < count; ++t)
                    add_block(reinterpret_cast<const T*>(from + t * bytes), t0 + t, first, end);
            });
        });
    }

    std::size_t frames_of(std::size_t i) const { return frames_of_[i]; }
    /// The last frame in which pixel i is invalid.
    std::size_t last(std::size_t i) const { return last_[i]; }
    std::size_t pixels_of(std::size_t frame) const { return pixels_of_[frame]; }

  private:
    template <class T>
    void add_block(const T* frame, std::size_t t, std::size_t first, std::size_t end) {
        std::size_t found = 0;
        for (std::size_t i = first; i < end; ++i) {
            const T value = frame[pixels_[i]];
            if (is_count(value) && static_cast<double>(value) < saturation_) continue;
            ++frames_of_[i];
            last_[i] = static_cast<std::uint32_t>(t);
            ++found;
        }
        if (found > 0) pixels_of_[t] += found;
    }

    const FrameScan& scan_;
    std::span<const std::uint32_t> pixels_;
    double saturation_;
    std::vector<std::uint32_t> frames_of_, last_;            ///< [pixel]
    std::unique_ptr<std::atomic<std::size_t>[]> pixels_of_;  ///< [frame]
    RawBytes buffer_;
};

/// Frames in which at least half of the pixels are invalid, if these are at most a quarter of all frames;
/// relative to the range.
std::vector<std::size_t> frames_of_most(const FrameScan& scan, const Tally& all, std::size_t pixels) {
    std::vector<std::size_t> some;
    for (std::size_t t = 0; t < scan.frames(); ++t)
        if (2 * all.pixels_of(t) >= pixels) some.push_back(t);
    const std::size_t few = std::max<std::size_t>(1, scan.used_frames() / 4);
    return some.size() <= few ? some : std::vector<std::size_t>();
}

/// Number of pixels that are invalid in these frames only.
std::size_t in_these_alone(const FrameScan& scan, std::span<const std::uint32_t> pixels, double saturation,
                           const Tally& all, const std::vector<std::size_t>& frames) {
    Tally some(scan, pixels, saturation);
    for (const std::size_t t : frames) some.add(t, 1);
    std::size_t alone = 0;
    for (std::size_t i = 0; i < pixels.size(); ++i) alone += some.frames_of(i) == all.frames_of(i) ? 1 : 0;
    return alone;
}

/// The frames that are the only invalid one for most pixels; relative to the range. @param alone set to the
/// number of these pixels
std::vector<std::size_t> frames_of_single(const FrameScan& scan, const Tally& all, std::size_t pixels,
                                          std::size_t& alone) {
    constexpr std::size_t most = 5;
    std::vector<std::size_t> only(scan.frames(), 0), some;
    for (std::size_t i = 0; i < pixels; ++i)
        if (all.frames_of(i) == 1) ++only[all.last(i)];
    for (std::size_t t = 0; t < only.size(); ++t)
        if (only[t] > 0 && 20 * only[t] >= pixels) some.push_back(t);
    std::ranges::stable_sort(some, [&](std::size_t a, std::size_t b) { return only[a] > only[b]; });
    if (some.size() > most) some.resize(most);
    std::ranges::sort(some);
    alone = 0;
    for (const std::size_t t : some) alone += only[t];
    return some;
}

}  // namespace

FrameFaults find_faults(const FrameScan& scan, std::span<const std::uint32_t> pixels, double saturation,
                        Progress& progress) {
    FrameFaults found{.pixels = pixels.size()};
    if (pixels.empty()) return found;
    Tally all(scan, pixels, saturation);
    const std::size_t slab = scan.slab(scan.frames());
    for (std::size_t t = 0; t < scan.frames();) {
        progress.report(static_cast<double>(t) / static_cast<double>(scan.frames()), "find invalid frames");
        std::size_t end = t;
        while (end < scan.frames() && end - t < slab && scan.used(end)) ++end;
        if (end > t) all.add(t, end - t);
        t = std::max(end, t + 1);
    }
    std::vector<std::size_t> frames = frames_of_most(scan, all, pixels.size());
    if (!frames.empty()) found.in_these_alone = in_these_alone(scan, pixels, saturation, all, frames);
    if (found.in_these_alone == 0) frames = frames_of_single(scan, all, pixels.size(), found.in_these_alone);
    const std::size_t first = scan.range().first;
    for (const std::size_t t : frames) found.frames.push_back(first + t);
    for (std::size_t t = 0; t < scan.frames(); ++t)
        if (all.pixels_of(t) == pixels.size()) found.without_valid.push_back(first + t);
    return found;
}

}  // namespace ks::xpcs
