#include "core/xpcs/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/run/error.h"

namespace ks::xpcs {
namespace {

constexpr std::uint64_t slab_bytes = std::uint64_t{32} << 20;
constexpr std::uint64_t two_time_limit = std::uint64_t{2} << 30;

/// Extremes of each pixel over the frames seen so far: one pass, no branch, so that the loops vectorise.
template <class T>
struct PixelExtremes {
    explicit PixelExtremes(std::size_t pixels)
        : smallest(pixels, std::numeric_limits<T>::max()),
          largest(pixels, std::numeric_limits<T>::lowest()),
          broken(std::is_floating_point_v<T> ? pixels : 0),
          fractional(broken.size()) {}

    void add(const T* frame) {
        const std::size_t n = smallest.size();
        T* const low = smallest.data();
        T* const high = largest.data();
        for (std::size_t i = 0; i < n; ++i) {
            low[i] = std::min(low[i], frame[i]);
            high[i] = std::max(high[i], frame[i]);
        }
        if constexpr (std::is_floating_point_v<T>) {
            for (std::size_t i = 0; i < n; ++i) {
                // Both comparisons are false for NaN.
                const bool whole = frame[i] == std::floor(frame[i]);
                const bool usable = frame[i] <= std::numeric_limits<T>::max();
                broken[i] = static_cast<std::uint8_t>(broken[i] | (usable ? 0 : 1));
                fractional[i] = static_cast<std::uint8_t>(fractional[i] | (whole ? 0 : 1));
            }
        }
    }
    bool invalid(std::size_t pixel, double saturation) const {
        if constexpr (std::is_floating_point_v<T>)
            if (broken[pixel] != 0) return true;
        if constexpr (std::is_signed_v<T>)
            if (smallest[pixel] < T{0}) return true;
        return static_cast<double>(largest[pixel]) >= saturation;
    }

    std::vector<T> smallest, largest;
    std::vector<std::uint8_t> broken, fractional;  ///< floats only: NaN or infinite; not a whole number
};

ElementType compact_for(double max_count, bool whole) {
    if (!whole || max_count > std::numeric_limits<std::uint32_t>::max()) return ElementType::f32;
    if (max_count > std::numeric_limits<std::uint16_t>::max()) return ElementType::u32;
    return max_count > std::numeric_limits<std::uint8_t>::max() ? ElementType::u16 : ElementType::u8;
}

/// 64-bit FNV-1a of the labels.
std::uint64_t hash_of(const std::vector<std::int32_t>& labels) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const std::int32_t label : labels) hash = (hash ^ static_cast<std::uint32_t>(label)) * 0x100000001b3;
    return hash;
}

}  // namespace

CorrelationProblem::CorrelationProblem(std::shared_ptr<FrameSource> source, const QPartition& partition,
                                       std::size_t first, std::size_t frames, std::size_t two_time_bin,
                                       std::optional<double> saturation, std::uint64_t keep_bytes,
                                       Progress& progress)
    : source_(std::move(source)),
      first_(first),
      frames_(frames),
      two_time_bin_(two_time_bin),
      partition_(partition) {
    if (partition.height() != height() || partition.width() != width())
        throw Error(ErrorKind::input,
                    fmt::format("the partition must have the frames' shape {} x {}, found {} x {}", height(),
                                width(), partition.height(), partition.width()),
                    source_->name());
    if (frames == 0 || first + frames > source_->frames())
        throw Error(ErrorKind::input,
                    fmt::format("expected a range of frames within 0 to {}, found {} frames from {}",
                                source_->frames() - 1, frames, first),
                    source_->name());
    if (partition.selected() == 0)
        throw Error(ErrorKind::input, "every label of the partition is 0, so no pixel is in a bin",
                    source_->name());
    if (two_time_bin > partition.bins())
        throw Error(ErrorKind::input,
                    fmt::format("expected a label from 1 to {}, found {}", partition.bins(), two_time_bin),
                    "two_time_bin");
    if (two_time_bin > 0 && std::uint64_t{frames} * frames * sizeof(double) > two_time_limit)
        throw Error(
            ErrorKind::input,
            fmt::format("a two-time map of {} frames takes {:.1f} GiB and at most 2 GiB are allowed", frames,
                        static_cast<double>(frames) * static_cast<double>(frames) * 8 / (1 << 30)),
            "two_time_bin", "select at most 16384 frames");
    frames_key_ = fmt::format("{}[{},{})", source_->identity(), first, first + frames);
    scan(saturation, keep_bytes, progress);
    partition_key_ = fmt::format("{}x{}:{:016x}", height(), width(), hash_of(partition_.labels()));
    check_bounds();
}

void CorrelationProblem::scan(std::optional<double> saturation, std::uint64_t keep_bytes,
                              Progress& progress) {
    const std::size_t frame_bytes = source_->frame_bytes();
    if (const auto* memory = dynamic_cast<const MemoryFrames*>(source_.get()))
        resident_ = memory->stack().bytes().subspan(first_ * frame_bytes, frames_ * frame_bytes);
    const bool keep = resident_.empty() && frames_bytes() <= keep_bytes;
    const std::size_t slab = std::clamp<std::size_t>(slab_bytes / frame_bytes, 1, frames_);
    if (keep) kept_.resize(frames_ * frame_bytes);
    std::vector<std::byte> buffer(resident_.empty() && !keep ? slab * frame_bytes : 0);

    visit_element(source_->type(), [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_same_v<T, std::uint64_t> || std::is_same_v<T, double>) {
            throw Error(ErrorKind::input,
                        fmt::format("frames of type {} cannot be correlated", name_of(source_->type())),
                        source_->name());
        } else {
            PixelExtremes<T> extremes(source_->pixels());
            for (std::size_t t = 0; t < frames_; t += slab) {
                progress.report(static_cast<double>(t) / static_cast<double>(frames_), "read frames");
                const std::size_t count = std::min(slab, frames_ - t);
                const std::byte* from = nullptr;
                if (!resident_.empty()) {
                    from = resident_.data() + t * frame_bytes;
                } else {
                    std::byte* const into = keep ? kept_.data() + t * frame_bytes : buffer.data();
                    source_->read(first_ + t, count, {into, count * frame_bytes});
                    from = into;
                }
                for (std::size_t i = 0; i < count; ++i)
                    extremes.add(reinterpret_cast<const T*>(from + i * frame_bytes));
            }
            const double limit = saturation.value_or(std::numeric_limits<double>::infinity());
            std::vector<std::uint8_t> drop(source_->pixels(), 0);
            bool whole = true;
            for (const std::uint32_t pixel : partition_.pixels()) {
                if (extremes.invalid(pixel, limit)) {
                    drop[pixel] = 1;
                    ++invalid_pixels_;
                    continue;
                }
                max_count_ = std::max(max_count_, static_cast<double>(extremes.largest[pixel]));
                if constexpr (std::is_floating_point_v<T>) whole = whole && extremes.fractional[pixel] == 0;
            }
            if (invalid_pixels_ == partition_.selected())
                throw Error(
                    ErrorKind::input,
                    fmt::format("all {} pixels in bins are invalid (negative, not finite or saturated) in "
                                "some selected frame",
                                invalid_pixels_),
                    source_->name());
            if (invalid_pixels_ > 0) partition_ = partition_.without(drop);
            compact_ = compact_for(max_count_, whole);
        }
    });
    if (keep) resident_ = kept_;
    progress.report(1, "read frames");
}

void CorrelationProblem::check_bounds() const {
    if (compact_ == ElementType::f32) return;
    std::size_t largest = 0;
    for (std::size_t bin = 0; bin < partition_.bins(); ++bin)
        largest = std::max(largest, partition_.bin_size(bin));
    // sum over t of G(t, t + delay) <= max_count^2 N T
    const double bound =
        max_count_ * max_count_ * static_cast<double>(largest) * static_cast<double>(frames_);
    if (bound >= 0x1p63)
        throw Error(
            ErrorKind::input,
            fmt::format("the sum of products could pass 64 bits: counts up to {:.0f} on {} pixels of one "
                        "bin in {} frames",
                        max_count_, largest, frames_),
            source_->name(), "mask hot pixels, give a saturation, or select fewer frames");
}

void CorrelationProblem::read(std::size_t t0, std::size_t count, std::span<std::byte> into) const {
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
