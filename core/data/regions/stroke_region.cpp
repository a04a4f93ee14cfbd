#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/data/regions/pixel_edges.h"
#include "core/data/regions/region_shapes.h"

namespace ks {
namespace {

// A pixel's centre is never farther than this from any point of the pixel: thicker strokes contain the pixels
// under their ends and are connected anyway.
constexpr double farthest_corner = 0.7072;

/// A stroke between its ends, without the discs around them. b is below a, or to the right of it.
struct Band {
    ImagePoint a, b;
    Wide dx, dy, length2, limit;  ///< limit: (radius * length)^2

    Band(ImagePoint from, ImagePoint to, double radius)
        : a(from),
          b(to),
          dx(Wide(to.x) - from.x),
          dy(Wide(to.y) - from.y),
          length2(dx * dx + dy * dy),
          limit(length2 * radius * radius) {}

    /// Position along the line, from 0 to length2.
    Wide along(std::size_t x, double y) const {
        return (Wide(centre_of(x)) - a.x) * dx + (Wide(y) - a.y) * dy;
    }
    /// The square of length times the distance from the line, signed by the side; grows with x.
    Wide across(std::size_t x, double y) const {
        const Wide cross = (Wide(centre_of(x)) - a.x) * dy - (Wide(y) - a.y) * dx;
        return cross * std::abs(cross);
    }
    Columns columns(std::size_t width, double y) const;
};

Columns Band::columns(std::size_t width, double y) const {
    Columns row{0, width};
    const auto start = [&](std::size_t x) { return along(x, y) >= 0; };
    const auto stop = [&](std::size_t x) { return along(x, y) >= length2; };
    const auto no = [](const auto& holds) { return [&](std::size_t x) { return !holds(x); }; };
    if (dx >= 0) {
        row = {first_that(row.first, row.end, start), first_that(row.first, row.end, stop)};
    } else {
        row = {first_that(row.first, row.end, no(stop)), first_that(row.first, row.end, no(start))};
    }
    if (row.empty()) return {};
    if (dy == 0) {  // the upper edge is included, the lower one is not
        const Wide side = across(row.first, y);
        return side <= limit && side > -limit ? row : Columns{};
    }
    row.first = first_that(row.first, row.end, [&](std::size_t x) { return across(x, y) >= -limit; });
    row.end = first_that(row.first, row.end, [&](std::size_t x) { return across(x, y) >= limit; });
    return row;
}

Columns joined(Columns a, Columns b) {
    if (a.empty()) return b;
    return b.empty() ? a : Columns{std::min(a.first, b.first), std::max(a.end, b.end)};
}

/// Everything within the radius. It is convex, so each row is one run.
void append_capsule(std::vector<PixelSpan>& spans, std::size_t height, std::size_t width, const Band& band,
                    double radius) {
    const std::size_t end = first_from(band.b.y + radius + 1, height);
    for (std::size_t row = first_from(band.a.y - radius - 1, height); row < end; ++row) {
        const double y = centre_of(row);
        const auto disc = [&](ImagePoint at) {
            return ellipse_columns(width, at.x, Wide(y) - at.y, radius, radius);
        };
        const Columns columns = joined(joined(disc(band.a), disc(band.b)), band.columns(width, y));
        if (!columns.empty())
            spans.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(columns.first),
                             static_cast<std::uint32_t>(columns.end)});
    }
}

void append_pixel(std::vector<PixelSpan>& spans, std::size_t height, std::size_t width, double x, double y) {
    if (x >= 0 && y >= 0 && x < static_cast<double>(width) && y < static_cast<double>(height))
        spans.push_back({static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(x),
                         static_cast<std::uint32_t>(x) + 1});
}

/// The pixels under the ends, and between them one per column (or per row if the line is steep): the one
/// whose centre is nearest, which a stroke of diameter 1 contains as well.
void append_thin_line(std::vector<PixelSpan>& spans, std::size_t height, std::size_t width, ImagePoint a,
                      ImagePoint b) {
    append_pixel(spans, height, width, std::floor(a.x), std::floor(a.y));
    append_pixel(spans, height, width, std::floor(b.x), std::floor(b.y));
    const bool steep = std::abs(b.y - a.y) > std::abs(b.x - a.x);
    // u along the line, v across it
    double u0 = steep ? a.y : a.x, v0 = steep ? a.x : a.y, u1 = steep ? b.y : b.x, v1 = steep ? b.x : b.y;
    if (u0 > u1) {
        std::swap(u0, u1);
        std::swap(v0, v1);
    }
    const double slope = u1 > u0 ? (v1 - v0) / (u1 - u0) : 0;
    const std::size_t count = steep ? height : width, first = first_from(u0, count);
    // A centre below an end counts: otherwise the pixel under the end could be two rows from the next.
    const std::size_t end = first_from(std::nextafter(u1, u1 + 1), count);
    double last = 0;
    for (std::size_t u = first; u < end; ++u) {
        const double nearest = std::ceil(v0 + (centre_of(u) - u0) * slope - 1);
        // Rounding must not break the line where it passes through the corners of pixels.
        const double v = u == first ? nearest : std::clamp(nearest, last - 1, last + 1);
        last = v;
        const auto along = static_cast<double>(u);
        append_pixel(spans, height, width, steep ? v : along, steep ? along : v);
    }
}

}  // namespace

PixelRegion stroke_region(std::size_t height, std::size_t width, ImagePoint a, ImagePoint b,
                          double diameter) {
    for (const double value : {a.x, a.y, b.x, b.y, diameter})
        if (!std::isfinite(value)) return {height, width};
    if (b.y < a.y || (b.y == a.y && b.x < a.x)) std::swap(a, b);
    const double radius = diameter / 2;
    std::vector<PixelSpan> spans;
    if (radius > 0) append_capsule(spans, height, width, Band(a, b, radius), radius);
    if (radius < farthest_corner) append_thin_line(spans, height, width, a, b);
    return {height, width, std::move(spans)};
}

}  // namespace ks
