#include "core/xpcs/frame_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/raw_bytes.h"
#include "core/data/count_text.h"
#include "core/data/damaged_frame.h"
#include "core/data/frame_ranges.h"
#include "core/xpcs/pairs/reduced_frames.h"

namespace ks::xpcs {
namespace {

/// As unsigned integers, negative values exceed all others.
template <class T>
struct Scanned {
    using type = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                             std::type_identity<T>>::type;
};

/// Extremes of each pixel over the frames seen so far, without branches, so that the loops are vectorised.
template <class T>
struct PixelExtremes {
    using Value = typename Scanned<T>::type;
    static constexpr Value highest = std::numeric_limits<T>::max();
    static constexpr std::uint8_t some_invalid = 1, some_valid = 2, not_whole = 4, below_zero = 8;

    explicit PixelExtremes(std::size_t pixels)
        : smallest_valid(pixels, std::numeric_limits<Value>::max()),
          largest(pixels, std::numeric_limits<Value>::lowest()),
          seen(std::is_floating_point_v<T> ? pixels : 0) {}

    /// @param frames [frame][pixel]
    void add(const T* frames, std::size_t count) {
        constexpr std::size_t block = 4096;  // their extremes fit the L1 cache
        const std::size_t pixels = largest.size();
        parallel_for((pixels + block - 1) / block, compute_threads(), [&](std::size_t i) {
            const std::size_t first = i * block, n = std::min(block, pixels - first);
            for (std::size_t t = 0; t < count; ++t) add_part(frames + t * pixels + first, first, n);
        });
    }
    void add_part(const T* frame, std::size_t first, std::size_t n) {
        Value* const low = smallest_valid.data() + first;
        Value* const high = largest.data() + first;
        for (std::size_t i = 0; i < n; ++i) {
            const auto value = static_cast<Value>(frame[i]);
            low[i] = std::min(low[i], std::is_integral_v<T> || counts(value) ? value : highest);
            high[i] = std::max(high[i], value);
        }
        if constexpr (std::is_floating_point_v<T>) {
            std::uint8_t* const flags = seen.data() + first;
            for (std::size_t i = 0; i < n; ++i) {
                const bool whole = frame[i] == std::floor(frame[i]);
                const int found = (counts(frame[i]) ? some_valid : some_invalid) | (whole ? 0 : not_whole) |
                                  (frame[i] < 0 ? below_zero : 0);
                flags[i] = static_cast<std::uint8_t>(flags[i] | found);
            }
        }
    }
    /// is_count(), in a form that can be vectorised: both comparisons are false for NaN.
    static bool counts(Value value) {
        if constexpr (std::is_floating_point_v<T>)
            return value >= -highest && value <= highest;
        else
            return value <= highest;
    }
    bool invalid(std::size_t pixel) const {
        return seen.empty() ? !counts(largest[pixel]) : (seen[pixel] & some_invalid) != 0;
    }
    bool valid_somewhere(std::size_t pixel) const {
        return seen.empty() ? counts(smallest_valid[pixel]) : (seen[pixel] & some_valid) != 0;
    }
    bool was(std::uint8_t flag, std::size_t pixel) const {
        return !seen.empty() && (seen[pixel] & flag) != 0;
    }

    std::vector<Value> smallest_valid, largest;
    std::vector<std::uint8_t> seen;  ///< for floats
};

}  // namespace

std::string FrameScan::key_of(const FrameSource& source, const io::FrameRange& range) {
    std::string key = fmt::format("{}[{},{})", source.identity(), range.first, range.first + range.count);
    if (!range.left_out.empty()) key += " without " + frame_ranges(range.left_out);
    return key;
}

FrameScan::FrameScan(std::shared_ptr<FrameSource> source, io::FrameRange range, std::uint64_t keep_bytes,
                     Progress& progress)
    : source_(std::move(source)), range_(std::move(range)) {
    if (range_.count == 0) throw Error(ErrorKind::input, "no frames were selected", source_->name());
    if (range_.first + range_.count > source_->frames())
        throw Error(
            ErrorKind::input,
            fmt::format("{} starting at frame {} {} requested, but the series only has frames 0 to {}",
                        count_text(range_.count, "frame"), range_.first, range_.count == 1 ? "was" : "were",
                        source_->frames() - 1),
            source_->name());
    used_.assign(range_.count, true);
    for (const std::size_t frame : range_.left_out) used_.at(frame - range_.first) = false;
    key_ = key_of(*source_, range_);
    // The memory of other sources has no zeros for left-out frames.
    const auto* memory = dynamic_cast<const MemoryFrames*>(source_.get());
    if (memory != nullptr && range_.left_out.empty())
        resident_ = memory->stack().bytes().subspan(range_.first * source_->frame_bytes(),
                                                    range_.count * source_->frame_bytes());
    const std::uint64_t bytes = std::uint64_t{range_.count} * source_->frame_bytes();
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
    if (keep) resident_ = {kept_.get(), range_.count * source_->frame_bytes()};
}

template <class Run>
void FrameScan::for_runs(std::size_t t0, std::size_t count, const Run& run) const {
    for (std::size_t t = t0; t < t0 + count;) {
        std::size_t end = t + 1;
        while (end < t0 + count && used_[end] == used_[t]) ++end;
        run(t, end - t, used_[t]);
        t = end;
    }
}

std::size_t FrameScan::slab(std::size_t count) const {
    constexpr std::size_t bytes = std::size_t{32} << 20;
    return std::clamp<std::size_t>(bytes / source_->frame_bytes(), 1, std::max<std::size_t>(count, 1));
}

template <class T>
void FrameScan::scan(bool keep, Progress& progress) {
    const std::size_t frame_bytes = source_->frame_bytes(), pixels = source_->pixels();
    const std::size_t frames = range_.count, slab = this->slab(frames);
    if (keep) kept_ = std::make_unique_for_overwrite<std::byte[]>(frames * frame_bytes);
    RawBytes buffer(resident_.empty() && !keep ? slab * frame_bytes : 0);
    PixelExtremes<T> extremes(pixels);
    std::vector<std::size_t> damaged;
    for (std::size_t t = 0; t < frames; t += slab) {
        progress.report(static_cast<double>(t) / static_cast<double>(frames), "read frames");
        const std::size_t count = std::min(slab, frames - t);
        const std::byte* from = nullptr;
        if (!resident_.empty()) {
            from = resident_.data() + t * frame_bytes;
        } else {
            std::byte* const into = keep ? kept_.get() + t * frame_bytes : buffer.data();
            try {
                read_slab(t, count, into, damaged);
            } catch (const Error& error) {
                require_there(error, progress);
                throw;
            }
            from = into;
        }
        if (!damaged.empty()) continue;  // only the list of damaged frames is still needed
        for_runs(t, count, [&](std::size_t first, std::size_t some, bool used) {
            if (used) extremes.add(reinterpret_cast<const T*>(from) + (first - t) * pixels, some);
        });
    }
    if (!damaged.empty())
        throw Error(ErrorKind::input,
                    fmt::format("{} of {} {} damaged ({}), but a correlation needs all frames",
                                damaged.size(), count_text(frames, "frame"),
                                damaged.size() == 1 ? "is" : "are", frame_list(in_file(damaged))),
                    source_->name(),
                    damaged.size() < used_frames()
                        ? "leave them out with " + io::leave_out_option(all_out(damaged))
                        : std::string());
    flags_.resize(pixels);
    const auto take = [pixels](const auto& from, PixelValues& to) {
        // i64 frames fit i32, so every valid count fits.
        if constexpr (std::is_floating_point_v<T>)
            to.reals.assign(from.begin(), from.end());
        else
            to.counts.resize(pixels);
        for (std::size_t pixel = 0; pixel < to.counts.size(); ++pixel)
            to.counts[pixel] = static_cast<std::uint32_t>(from[pixel]);
    };
    take(extremes.largest, largest_);
    take(extremes.smallest_valid, smallest_valid_);
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        int flags = extremes.invalid(pixel) ? broken : 0;
        if (!extremes.valid_somewhere(pixel)) flags |= never_valid;
        if (extremes.was(extremes.not_whole, pixel)) flags |= not_whole;
        if (extremes.was(extremes.below_zero, pixel)) flags |= below_zero;
        flags_[pixel] = static_cast<std::uint8_t>(flags);
    }
    progress.report(1, "read frames");
}

std::vector<std::size_t> FrameScan::in_file(const std::vector<std::size_t>& frames) const {
    const auto* reduced = dynamic_cast<const ReducedFrames*>(source_.get());
    return reduced != nullptr ? reduced->numbers_in_file(frames) : frames;
}

std::vector<std::size_t> FrameScan::all_out(std::vector<std::size_t> more) const {
    const auto* reduced = dynamic_cast<const ReducedFrames*>(source_.get());
    const std::vector<std::size_t>& out = reduced != nullptr ? reduced->left_out_in_file() : range_.left_out;
    more = in_file(more);
    more.insert(more.end(), out.begin(), out.end());
    std::ranges::sort(more);
    return more;
}

std::vector<std::size_t> FrameScan::left_out_in_file() const {
    const auto* reduced = dynamic_cast<const ReducedFrames*>(source_.get());
    if (reduced == nullptr) return range_.left_out;
    // Without those that a stride skips anyway, and the others of a sum that is left out because of one.
    std::vector<std::size_t> frames;
    std::ranges::set_intersection(reduced->left_out_in_file(), in_file(range_.left_out),
                                  std::back_inserter(frames));
    return frames;
}

/// Throws if frames are missing, naming them. @param why the first one cannot be read
void FrameScan::require_there(const Error& why, const Progress& progress) const {
    constexpr std::size_t between_checks = 256;
    std::vector<std::size_t> missing;
    for (std::size_t t = 0; t < range_.count; ++t) {
        if (t % between_checks == 0) progress.check();
        if (used_[t] && !source_->written(range_.first + t)) missing.push_back(range_.first + t);
    }
    if (missing.empty()) return;
    throw Error(ErrorKind::input,
                fmt::format("{} of {} {} missing ({}), but a correlation needs all frames; {}",
                            missing.size(), count_text(range_.count, "frame"),
                            missing.size() == 1 ? "is" : "are", frame_list(in_file(missing)), why.message()),
                source_->name(),
                missing.size() < used_frames()
                    ? "leave them out with " + io::leave_out_option(all_out(missing))
                    : "choose a range of existing frames");
}

/// @param damaged receives damaged frames, numbered as in the source
void FrameScan::read_slab(std::size_t t0, std::size_t count, std::byte* into,
                          std::vector<std::size_t>& damaged) {
    const std::size_t bytes = source_->frame_bytes();
    for_runs(t0, count, [&](std::size_t t, std::size_t some, bool used) {
        std::byte* const to = into + (t - t0) * bytes;
        if (!used) {
            std::memset(to, 0, some * bytes);
            return;
        }
        const std::size_t first = range_.first + t, end = first + some;
        for (std::size_t next = first; next < end;) {
            try {
                source_->read(next, end - next, {to + (next - first) * bytes, (end - next) * bytes});
                return;
            } catch (const DamagedFrame& found) {
                damaged.push_back(found.frame());
                next = found.frame() + 1;
            }
        }
    });
}

bool FrameScan::invalid(std::size_t pixel, double saturation) const {
    return (flags_[pixel] & broken) != 0 || largest(pixel) >= saturation;
}

bool FrameScan::valid_somewhere(std::size_t pixel, double saturation) const {
    return (flags_[pixel] & never_valid) == 0 && value_of(smallest_valid_, pixel) < saturation;
}

void FrameScan::read(std::size_t t0, std::size_t count, std::span<std::byte> into) const {
    const std::size_t frame_bytes = source_->frame_bytes();
    if (t0 + count > range_.count || into.size() != count * frame_bytes)
        throw Error(ErrorKind::run, "frames outside the selection were requested", source_->name());
    if (!resident_.empty()) {
        if (!into.empty()) std::memcpy(into.data(), resident_.data() + t0 * frame_bytes, into.size());
        return;
    }
    const std::lock_guard lock(reading_);
    for_runs(t0, count, [&](std::size_t t, std::size_t some, bool used) {
        const std::span<std::byte> part = into.subspan((t - t0) * frame_bytes, some * frame_bytes);
        if (used)
            source_->read(range_.first + t, some, part);
        else
            std::ranges::fill(part, std::byte{0});
    });
}

}  // namespace ks::xpcs
