#include "core/xpcs/frame_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/raw_bytes.h"
#include "core/data/damaged_frame.h"

namespace ks::xpcs {
namespace {

/// Extremes of each pixel over the frames seen so far: no branch, so that the loops vectorise.
template <class T>
struct PixelExtremes {
    explicit PixelExtremes(std::size_t pixels)
        : smallest(pixels, std::numeric_limits<T>::max()),
          largest(pixels, std::numeric_limits<T>::lowest()),
          broken(std::is_floating_point_v<T> ? pixels : 0),
          fractional(broken.size()) {}

    /// @param frames [frame][pixel]
    void add(const T* frames, std::size_t count) {
        constexpr std::size_t block = 4096;  // their extremes stay in the first cache
        const std::size_t pixels = smallest.size();
        parallel_for((pixels + block - 1) / block, compute_threads(), [&](std::size_t i) {
            const std::size_t first = i * block, n = std::min(block, pixels - first);
            for (std::size_t t = 0; t < count; ++t) add_part(frames + t * pixels + first, first, n);
        });
    }
    void add_part(const T* frame, std::size_t first, std::size_t n) {
        T* const low = smallest.data() + first;
        T* const high = largest.data() + first;
        for (std::size_t i = 0; i < n; ++i) {
            low[i] = std::min(low[i], frame[i]);
            high[i] = std::max(high[i], frame[i]);
        }
        if constexpr (std::is_floating_point_v<T>) {
            for (std::size_t i = 0; i < n; ++i) {
                // Both comparisons are false for NaN.
                const bool whole = frame[i] == std::floor(frame[i]);
                const bool usable = frame[i] <= std::numeric_limits<T>::max();
                std::uint8_t &bad = broken[first + i], &part = fractional[first + i];
                bad = static_cast<std::uint8_t>(bad | (usable ? 0 : 1));
                part = static_cast<std::uint8_t>(part | (whole ? 0 : 1));
            }
        }
    }
    bool invalid(std::size_t pixel) const {
        if constexpr (std::is_floating_point_v<T>)
            if (broken[pixel] != 0) return true;
        if constexpr (std::is_signed_v<T>)
            if (smallest[pixel] < T{0}) return true;
        return false;
    }

    std::vector<T> smallest, largest;
    std::vector<std::uint8_t> broken, fractional;  ///< floats only: NaN or infinite; not a whole number
};

}  // namespace

std::string FrameScan::key_of(const FrameSource& source, std::size_t first, std::size_t frames) {
    return fmt::format("{}[{},{})", source.identity(), first, first + frames);
}

FrameScan::FrameScan(std::shared_ptr<FrameSource> source, std::size_t first, std::size_t frames,
                     std::uint64_t keep_bytes, Progress& progress)
    : source_(std::move(source)), first_(first), frames_(frames) {
    if (frames == 0 || first + frames > source_->frames())
        throw Error(ErrorKind::input,
                    fmt::format("expected a range of frames within 0 to {}, found {} frames from {}",
                                source_->frames() - 1, frames, first),
                    source_->name());
    key_ = key_of(*source_, first, frames);
    if (const auto* memory = dynamic_cast<const MemoryFrames*>(source_.get()))
        resident_ = memory->stack().bytes().subspan(first_ * source_->frame_bytes(),
                                                    frames_ * source_->frame_bytes());
    const std::uint64_t bytes = std::uint64_t{frames_} * source_->frame_bytes();
    const bool keep = resident_.empty() && bytes <= keep_bytes && bytes <= available_memory();
    visit_element(source_->type(), [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_same_v<T, std::uint64_t> || std::is_same_v<T, double>)
            throw Error(ErrorKind::input,
                        fmt::format("frames of type {} cannot be correlated", name_of(source_->type())),
                        source_->name());
        else
            scan<T>(keep, progress);
    });
    if (keep) resident_ = {kept_.get(), frames_ * source_->frame_bytes()};
}

std::size_t FrameScan::slab(std::size_t count) const {
    constexpr std::size_t bytes = std::size_t{32} << 20;
    return std::clamp<std::size_t>(bytes / source_->frame_bytes(), 1, std::max<std::size_t>(count, 1));
}

template <class T>
void FrameScan::scan(bool keep, Progress& progress) {
    const std::size_t frame_bytes = source_->frame_bytes(), pixels = source_->pixels();
    const std::size_t slab = this->slab(frames_);
    if (keep) kept_ = std::make_unique_for_overwrite<std::byte[]>(frames_ * frame_bytes);
    RawBytes buffer(resident_.empty() && !keep ? slab * frame_bytes : 0);
    PixelExtremes<T> extremes(pixels);
    std::vector<std::size_t> damaged;
    for (std::size_t t = 0; t < frames_; t += slab) {
        progress.report(static_cast<double>(t) / static_cast<double>(frames_), "read frames");
        const std::size_t count = std::min(slab, frames_ - t);
        const std::byte* from = nullptr;
        if (!resident_.empty()) {
            from = resident_.data() + t * frame_bytes;
        } else {
            std::byte* const into = keep ? kept_.get() + t * frame_bytes : buffer.data();
            read_slab(t, count, into, damaged);
            from = into;
        }
        if (!damaged.empty()) continue;  // only which ones is left to know
        extremes.add(reinterpret_cast<const T*>(from), count);
    }
    if (!damaged.empty())
        throw Error(ErrorKind::input,
                    fmt::format("{} of {} frames are damaged, and a correlation needs each: {}",
                                damaged.size(), frames_, frame_list(damaged)),
                    source_->name(), "choose frames before or behind them");
    flags_.resize(pixels);
    if constexpr (std::is_floating_point_v<T>)
        reals_.resize(pixels);
    else
        counts_.resize(pixels);
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        if (extremes.invalid(pixel)) {
            flags_[pixel] = broken;
            continue;
        }
        if constexpr (std::is_floating_point_v<T>) {
            reals_[pixel] = extremes.largest[pixel];
            if (extremes.fractional[pixel] != 0) flags_[pixel] = not_whole;
        } else {
            // i64 frames fit i32, so every valid count fits.
            counts_[pixel] = static_cast<std::uint32_t>(extremes.largest[pixel]);
        }
    }
    progress.report(1, "read frames");
}

/// @param damaged gets those that are, as the source counts them
void FrameScan::read_slab(std::size_t t0, std::size_t count, std::byte* into,
                          std::vector<std::size_t>& damaged) {
    const std::size_t bytes = source_->frame_bytes(), end = first_ + t0 + count;
    for (std::size_t next = first_ + t0; next < end;) {
        try {
            source_->read(next, end - next, {into + (next - first_ - t0) * bytes, (end - next) * bytes});
            return;
        } catch (const DamagedFrame& found) {
            damaged.push_back(found.frame());
            next = found.frame() + 1;
        }
    }
}

bool FrameScan::invalid(std::size_t pixel, double saturation) const {
    return (flags_[pixel] & broken) != 0 || largest(pixel) >= saturation;
}

void FrameScan::read(std::size_t t0, std::size_t count, std::span<std::byte> into) const {
    const std::size_t frame_bytes = source_->frame_bytes();
    if (t0 + count > frames_ || into.size() != count * frame_bytes)
        throw Error(ErrorKind::run, "frames outside of the selection were asked for", source_->name());
    if (!resident_.empty()) {
        if (!into.empty()) std::memcpy(into.data(), resident_.data() + t0 * frame_bytes, into.size());
        return;
    }
    const std::lock_guard lock(reading_);
    source_->read(first_ + t0, count, into);
}

}  // namespace ks::xpcs
