#include "core/data/frame_combination.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
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

/// Whether missing pixels of frames contain values that could be mistaken for counts.
bool lacks_unseen(const FrameSource& source) {
    return source.may_lack_pixels() &&
           (source.type() == ElementType::u8 || source.type() == ElementType::u16);
}

/// Reads frames so that pixels without values are not shown as counts.
class ShownFrames {
  public:
    explicit ShownFrames(FrameSource& source)
        : source_(source), raw_(source.type(), {source.height(), source.width()}) {
        if (lacks_unseen(source)) marked_.emplace(ElementType::f32, raw_.shape());
    }
    /// Valid until the next one is read.
    const Array& read(std::size_t frame) {
        source_.read(frame, 1, raw_.bytes());
        if (!marked_) return raw_;
        const std::span<float> to = marked_->as<float>();
        visit_element(raw_.type(), [&]<class T>(T) {
            std::ranges::transform(std::as_const(raw_).as<T>(), to.begin(),
                                   [](T value) { return static_cast<float>(value); });
        });
        for (const PixelBlock& rect : source_.lacking(frame))
            for (std::size_t row = rect.top; row < rect.bottom; ++row)
                std::fill_n(to.begin() + static_cast<std::ptrdiff_t>(row * source_.width() + rect.left),
                            rect.right - rect.left, std::numeric_limits<float>::quiet_NaN());
        return *marked_;
    }

  private:
    FrameSource& source_;
    Array raw_;
    std::optional<Array> marked_;
};

}  // namespace

void require_showable(const FrameSource& source) {
    if (source.pixels() <= max_shown_pixels) return;
    throw Error(ErrorKind::input,
                fmt::format("frames of {} x {} pixels are too large to show; the maximum is {} pixels",
                            source.height(), source.width(), max_shown_pixels),
                source.name());
}

Array combined(FrameSource& source, std::size_t first, std::size_t count, Combination how,
               Progress& progress) {
    if (count == 0) throw Error(ErrorKind::input, "no frames were selected", source.name());
    if (first >= source.frames() || count > source.frames() - first)
        throw Error(
            ErrorKind::input,
            fmt::format(
                "{} frames starting at frame {} were requested, but the series only has frames 0 to {}",
                count, first, source.frames() - 1),
            source.name());
    require_showable(source);
    ShownFrames frames(source);
    const Array& start = frames.read(first);
    if (count == 1) return start;
    Array result =
        how == Combination::max ? start : Array(ElementType::f64, {source.height(), source.width()});
    for (std::size_t k = 0; k < count; ++k) {
        progress.report(static_cast<double>(k) / static_cast<double>(count), "read frames");
        const Array& frame = k > 0 ? frames.read(first + k) : start;
        visit_element(frame.type(), [&]<class T>(T) {
            const std::span<const T> from = frame.as<T>();
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
