#include "core/xpcs/pairs/reduced_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/base/raw_bytes.h"
#include "core/data/damaged_frame.h"
#include "core/data/valid_pixels.h"
#include "core/run/parameter_rows.h"

namespace ks::xpcs {
namespace {

std::size_t number_of(const ParameterSet& set, const char* id) {
    return set.contains(id) ? static_cast<std::size_t>(integer(set, id)) : 1;
}

}  // namespace

std::vector<ParameterSpec> reduction_parameters() {
    using parameter::unbounded, parameter::whole;
    return {whole("stride", "Stride", "frames", 1, 1, unbounded,
                  "Use every N-th frame of the range, from its first one on"),
            whole("average", "Average", "frames", 1, 1, unbounded,
                  "Add up each N successive frames that are used before they are correlated")};
}

Reduction reduction_of(const ParameterSet& parameters) {
    return {number_of(parameters, "stride"), number_of(parameters, "average")};
}

ReducedFrames::ReducedFrames(std::shared_ptr<FrameSource> source, const io::FrameRange& range,
                             const Reduction& reduction, double first_invalid)
    : DerivedFrames(std::move(source)),
      range_(range),
      reduction_(reduction),
      first_invalid_(first_invalid),
      type_(source_->type()) {
    frames_ = reduction_.frames_of(range_.count);
    if (frames_ == 0)
        throw Error(ErrorKind::input,
                    fmt::format("{} frames are too few for a stride of {} and sums of {} frames",
                                range_.count, reduction_.stride, reduction_.average),
                    source_->name(), "choose a smaller stride or average, or more frames");
    // The scan refuses u64 and f64.
    const bool is_known = type_ != ElementType::u64 && type_ != ElementType::f64;
    if (reduction_.average > 1 && is_known) type_ = is_float(type_) ? ElementType::f32 : ElementType::i32;
}

io::FrameRange ReducedFrames::range() const {
    io::FrameRange all{0, frames_};
    for (const std::size_t frame : range_.left_out) {
        const std::size_t t = frame - range_.first, at = t / reduction_.step();
        if (t % reduction_.stride != 0 || at >= frames_) continue;
        if (all.left_out.empty() || all.left_out.back() != at) all.left_out.push_back(at);
    }
    if (all.left_out.size() == frames_)
        throw Error(
            ErrorKind::input,
            fmt::format("each of the {} frames that remain with a stride of {} and sums of {} contains "
                        "a frame that is left out",
                        frames_, reduction_.stride, reduction_.average),
            "parameter leave_out", "leave fewer frames out");
    return all;
}

std::vector<std::size_t> ReducedFrames::numbers_in_file(const std::vector<std::size_t>& frames) const {
    std::vector<std::size_t> numbers;
    for (const std::size_t frame : frames)
        for (std::size_t part = 0; part < reduction_.average; ++part)
            numbers.push_back(source_frame(frame, part));
    return numbers;
}

std::string ReducedFrames::identity() const {
    return fmt::format("{}[{},{}) by {}, sums of {}{}", source_->identity(), range_.first,
                       range_.first + range_.count, reduction_.stride, reduction_.average,
                       reduction_.average > 1 ? fmt::format(" below {}", first_invalid_) : "");
}

bool ReducedFrames::written(std::size_t frame) const {
    for (std::size_t part = 0; part < reduction_.average; ++part)
        if (!source_->written(source_frame(frame, part))) return false;
    return true;
}

std::optional<double> ReducedFrames::frame_time() const {
    const std::optional<double> time = source_->frame_time();
    if (!time) return time;
    return *time * static_cast<double>(reduction_.step());
}

template <class From>
void ReducedFrames::read_sum(std::size_t frame, std::span<std::byte> into) {
    using To = std::conditional_t<std::is_floating_point_v<From>, float, std::int32_t>;
    using Sum = std::conditional_t<std::is_floating_point_v<From>, double, std::int64_t>;
    constexpr auto largest = std::numeric_limits<To>::max();
    const std::size_t pixels = source_->pixels();
    RawBytes raw(source_->frame_bytes());
    std::vector<Sum> sums(pixels, 0);
    std::vector<std::uint8_t> invalid(pixels, 0);
    for (std::size_t part = 0; part < reduction_.average; ++part) {
        source_->read(source_frame(frame, part), 1, {raw.data(), source_->frame_bytes()});
        const From* const counts = reinterpret_cast<const From*>(raw.data());
        for (std::size_t i = 0; i < pixels; ++i) {
            const bool valid = is_count(counts[i]) && static_cast<double>(counts[i]) < first_invalid_ &&
                               static_cast<double>(counts[i]) <= static_cast<double>(largest);
            invalid[i] |= valid ? 0 : 1;
            if (valid) sums[i] += static_cast<Sum>(counts[i]);
        }
    }
    To* const out = reinterpret_cast<To*>(into.data());
    for (std::size_t i = 0; i < pixels; ++i) {
        if (invalid[i] != 0) {
            out[i] = std::is_floating_point_v<To> ? std::numeric_limits<To>::quiet_NaN() : To(-1);
            continue;
        }
        if (sums[i] > static_cast<Sum>(largest))
            throw Error(ErrorKind::input,
                        fmt::format("the sum of {} frames from frame {} on exceeds {} in a pixel",
                                    reduction_.average, source_frame(frame, 0), largest),
                        name(), "add up fewer frames, or set a saturation");
        out[i] = static_cast<To>(sums[i]);
    }
}

void ReducedFrames::read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) {
    for (std::size_t frame = first; frame < first + count; ++frame) {
        const std::span<std::byte> to = into.subspan((frame - first) * frame_bytes(), frame_bytes());
        try {
            if (reduction_.average == 1)
                source_->read(source_frame(frame, 0), 1, to);
            else
                visit_element(source_->type(), [&](auto zero) { read_sum<decltype(zero)>(frame, to); });
        } catch (const DamagedFrame& damaged) {
            throw DamagedFrame(frame, damaged.why(), name());
        }
    }
}

io::FrameRange used_range(const io::FrameRange& range, const Reduction& reduction) {
    if (reduction.none() || range.count == 0) return range;
    std::vector<bool> made(reduction.frames_of(range.count), true);
    const auto at = [&](std::size_t frame) { return (frame - range.first) / reduction.step(); };
    const auto is_taken = [&](std::size_t frame) {
        return (frame - range.first) % reduction.stride == 0 && at(frame) < made.size();
    };
    for (const std::size_t frame : range.left_out)
        if (is_taken(frame)) made[at(frame)] = false;
    io::FrameRange used{range.first, range.count};
    for (std::size_t frame = range.first; frame < range.first + range.count; ++frame)
        if (!is_taken(frame) || !made[at(frame)]) used.left_out.push_back(frame);
    return used;
}

}  // namespace ks::xpcs
