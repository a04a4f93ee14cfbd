#include "core/data/regions/region_fill.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/data/frame_check.h"
#include "core/data/regions/row_spans.h"

namespace ks {
namespace {

/// The values of type T in an interval of doubles, including both ends.
template <class T>
struct ValueRange {
    T low = 1, high = 0;  ///< by default none

    bool has(T value) const { return (value >= low) & (value <= high); }
};

/// The smallest T not below `bound`; `bound` is within the range of T.
template <class T>
T rounded_up(double bound) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(std::ceil(bound));
    const T near = static_cast<T>(bound);
    return static_cast<double>(near) < bound
               ? static_cast<T>(std::nextafter(near, std::numeric_limits<T>::max()))
               : near;
}

template <class T>
T rounded_down(double bound) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(std::floor(bound));
    const T near = static_cast<T>(bound);
    return static_cast<double>(near) > bound
               ? static_cast<T>(std::nextafter(near, std::numeric_limits<T>::lowest()))
               : near;
}

/// Whether every T is below `bound`. The largest 64-bit integers cannot be represented as doubles, but the
/// powers of two above them can.
template <class T>
bool all_below(double bound) {
    if constexpr (std::is_integral_v<T>) return bound >= std::ldexp(1.0, std::numeric_limits<T>::digits);
    return bound > static_cast<double>(std::numeric_limits<T>::max());
}

template <class T>
ValueRange<T> range_of(double low, double high) {
    constexpr T minimum = std::numeric_limits<T>::lowest(), maximum = std::numeric_limits<T>::max();
    const auto bottom = static_cast<double>(minimum);
    if (!(low <= high) || high < bottom || all_below<T>(std::is_integral_v<T> ? std::ceil(low) : low))
        return {};
    return {low <= bottom ? minimum : rounded_up<T>(low),
            all_below<T>(high) ? maximum : rounded_down<T>(high)};
}

std::size_t root_of(std::vector<std::size_t>& parent, std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/// For each span, the first span of the 4-connected component that contains it: one sweep over pairs of rows.
std::vector<std::size_t> parts_of(const std::vector<PixelSpan>& spans) {
    std::vector<std::size_t> parent;
    for (std::size_t i = 0; i < spans.size(); ++i) parent.push_back(i);
    std::size_t above = 0;
    const auto in_row_above = [&](std::size_t k, const PixelSpan& span) { return spans[k].y + 1 == span.y; };
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const PixelSpan& span = spans[i];
        while (above < i &&
               (spans[above].y + 1 < span.y || (in_row_above(above, span) && spans[above].end <= span.first)))
            ++above;
        for (std::size_t k = above; k < i && in_row_above(k, span) && spans[k].first < span.end; ++k) {
            const std::size_t a = root_of(parent, k), b = root_of(parent, i);
            parent[std::max(a, b)] = std::min(a, b);
        }
    }
    for (std::size_t i = 0; i < spans.size(); ++i) parent[i] = root_of(parent, i);
    return parent;
}

}  // namespace

PixelRegion value_region(const Array& frame, double low, double high) {
    require_frame(frame);
    const std::size_t height = frame.shape()[0], width = frame.shape()[1];
    std::vector<PixelSpan> spans;
    std::vector<std::uint8_t> chosen(width);
    visit_element(frame.type(), [&]<class T>(T) {
        const auto values = frame.as<T>();
        const ValueRange<T> range = range_of<T>(low, high);
        for (std::size_t y = 0; y < height; ++y) {
            const T* row = values.data() + y * width;
            for (std::size_t x = 0; x < width; ++x) chosen[x] = range.has(row[x]);
            append_spans(spans, y, chosen);
        }
    });
    return {height, width, std::move(spans)};
}

PixelRegion flood_region(const Array& frame, std::size_t x, std::size_t y, double low, double high) {
    // Joins whole runs instead of following pixels: a frame of 16 Mpx takes little more than value_region,
    // however winding the region is.
    const PixelRegion all = value_region(frame, low, high);
    if (!all.contains(x, y)) return {all.height(), all.width()};
    const std::vector<PixelSpan>& spans = all.spans();
    const auto after = std::partition_point(spans.begin(), spans.end(), [&](const PixelSpan& span) {
        return span.y < y || (span.y == y && span.first <= x);
    });
    const std::vector<std::size_t> part = parts_of(spans);
    const std::size_t wanted = part[static_cast<std::size_t>(after - spans.begin()) - 1];
    std::vector<PixelSpan> connected;
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (part[i] == wanted) connected.push_back(spans[i]);
    return {all.height(), all.width(), std::move(connected)};
}

}  // namespace ks
