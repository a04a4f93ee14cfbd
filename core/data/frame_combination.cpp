#include "core/data/frame_combination.h"

#include <fmt/format.h>

#include <limits>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/data/valid_pixels.h"

namespace ks {
namespace {

template <class T>
void raise(std::span<T> maximum, std::span<const T> frame) {
    for (std::size_t i = 0; i < maximum.size(); ++i)
        if (is_shown_count(frame[i]) && (!is_shown_count(maximum[i]) || frame[i] > maximum[i]))
            maximum[i] = frame[i];
}

template <class T>
void add(std::span<double> sum, std::span<const T> frame) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += is_shown_count(frame[i]) ? static_cast<double>(frame[i]) : unknown;
}

}  // namespace

void require_showable(const FrameSource& source) {
    if (source.pixels() <= max_shown_pixels) return;
    throw Error(ErrorKind::input,
                fmt::format("frames of {} x {} pixels are too large to be shown, at most {} pixels are",
                            source.height(), source.width(), max_shown_pixels),
                source.name());
}

Array combined(FrameSource& source, std::size_t first, std::size_t count, Combination how,
               Progress& progress) {
    if (count == 0 || first >= source.frames() || count > source.frames() - first)
        throw Error(ErrorKind::input,
                    fmt::format("expected a range of frames within 0 to {}, found {} frames from {}",
                                source.frames() - 1, count, first),
                    source.name());
    require_showable(source);
    const std::vector<std::size_t> shape{source.height(), source.width()};
    Array frame(source.type(), shape);
    source.read(first, 1, frame.bytes());
    if (count == 1) return frame;
    Array result = how == Combination::max ? frame : Array(ElementType::f64, shape);
    for (std::size_t k = 0; k < count; ++k) {
        progress.report(static_cast<double>(k) / static_cast<double>(count), "read frames");
        if (k > 0) source.read(first + k, 1, frame.bytes());
        visit_element(source.type(), [&]<class T>(T) {
            const std::span<const T> from = std::as_const(frame).as<T>();
            if (how == Combination::max)
                raise(result.as<T>(), from);
            else
                add(result.as<double>(), from);
        });
    }
    if (how == Combination::mean)
        for (double& value : result.as<double>()) value /= static_cast<double>(count);
    return result;
}

}  // namespace ks
