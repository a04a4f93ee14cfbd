#include "core/io/stored_frames.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/base/error.h"
#include "core/io/describe_contents.h"

namespace ks::io {

const char* const frame_types = "u8, u16, u32, u64, i16, i32, i64, f32 or f64";

ElementType frame_type(ElementType stored) {
    if (stored == ElementType::u64) return ElementType::u32;
    return stored == ElementType::f64 ? ElementType::f32 : stored;
}

std::optional<std::string> why_not_stack(const std::vector<std::size_t>& shape) {
    if (shape.size() != 2 && shape.size() != 3)
        return fmt::format("expected [frame, y, x] or one frame [y, x], found {} dimension{} [{}]",
                           shape.size(), shape.size() == 1 ? "" : "s", fmt::join(shape, ", "));
    if (std::ranges::find(shape, std::size_t{0}) != shape.end())
        return fmt::format("expected at least one frame and one pixel, found the shape [{}]",
                           fmt::join(shape, ", "));
    return std::nullopt;
}

std::string narrowing_text(ElementType stored) {
    if (stored == ElementType::f64)
        return "; values are rounded from f64 to f32 (24 bits of precision), and rejected if they exceed its "
               "range";
    return stored == ElementType::u64 ? "; values beyond 32 bits are rejected" : "";
}

std::string frames_text(const FrameSource& source) {
    return fmt::format("{} frame{} of {} x {} {}, {}", source.frames(), source.frames() == 1 ? "" : "s",
                       source.height(), source.width(), name_of(source.type()), bytes_text(source.bytes()));
}

void StoredFrames::set_stack(const std::vector<std::size_t>& shape, ElementType stored) {
    if (const auto why = why_not_stack(shape)) throw Error(ErrorKind::input, *why, name());
    stored_ = stored;
    frames_ = shape.size() == 3 ? shape[0] : 1;
    height_ = shape[shape.size() - 2];
    width_ = shape[shape.size() - 1];
    constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
    if (height_ > largest / 8 / width_ || frames_ > largest / 8 / width_ / height_)
        throw Error(ErrorKind::input, fmt::format("the shape [{}] is too large", fmt::join(shape, ", ")),
                    name());
}

void StoredFrames::read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) {
    require_written(first, count);
    if (stored_ == ElementType::u64)
        read_narrowed<std::uint64_t, std::uint32_t>(first, count, into);
    else if (stored_ == ElementType::f64)
        read_narrowed<double, float>(first, count, into);
    else
        read_stored(first, count, into);
    if (stored_ == ElementType::i64) require_i32(first, into);
}

template <class From, class To>
void StoredFrames::read_narrowed(std::size_t first, std::size_t count, std::span<std::byte> into) {
    constexpr From largest = std::numeric_limits<To>::max();
    std::vector<From> values(pixels());
    for (std::size_t frame = 0; frame < count; ++frame) {
        read_stored(first + frame, 1, std::as_writable_bytes(std::span(values)));
        auto* to = reinterpret_cast<To*>(into.data()) + frame * pixels();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const From value = values[i];
            bool fits = value <= largest;
            // Infinities and NaN are kept.
            if constexpr (!std::is_integral_v<From>)
                fits = !std::isfinite(value) || std::abs(value) <= largest;
            if (fits) {
                to[i] = static_cast<To>(value);
                continue;
            }
            throw Error(ErrorKind::input,
                        fmt::format("expected pixel values that fit into {}, found {} in {}", name_of(type()),
                                    value, place_of(first + frame, i)),
                        name());
        }
    }
}

std::string StoredFrames::place_of(std::size_t first, std::size_t i) const {
    const std::size_t at = i % pixels();
    return fmt::format("frame {}, row {}, column {}", first + i / pixels(), at / width_, at % width_);
}

void StoredFrames::require_i32(std::size_t first, std::span<const std::byte> values) const {
    const auto* from = reinterpret_cast<const std::int64_t*>(values.data());
    const std::size_t n = values.size() / sizeof(std::int64_t);
    for (std::size_t i = 0; i < n; ++i) {
        if (from[i] == static_cast<std::int32_t>(from[i])) continue;
        throw Error(ErrorKind::input,
                    fmt::format("expected pixel values that fit into 32 bits, found {} in {}", from[i],
                                place_of(first, i)),
                    name());
    }
}

}  // namespace ks::io
