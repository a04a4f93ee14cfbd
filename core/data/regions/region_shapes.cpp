#include "core/data/regions/region_shapes.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/data/regions/pixel_edges.h"

namespace ks {
namespace {

bool finite(ImagePoint point) {
    return std::isfinite(point.x) && std::isfinite(point.y);
}

void append(std::vector<PixelSpan>& spans, std::size_t y, Columns columns) {
    if (!columns.empty())
        spans.push_back({static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(columns.first),
                         static_cast<std::uint32_t>(columns.end)});
}

/// An edge of a polygon from its upper to its lower end, and the rows whose centres it crosses.
struct Edge {
    ImagePoint upper, lower;
    std::size_t first_row, end_row;

    /// First column whose centre is on the edge or to the right of it, at y.
    std::size_t crossing(double y, std::size_t width) const {
        const Wide across = Wide(lower.x) - upper.x, down = Wide(lower.y) - upper.y,
                   below = Wide(y) - upper.y;
        const auto right_of = [&](std::size_t column) {
            return (Wide(centre_of(column)) - upper.x) * down >= below * across;
        };
        // The division rounds: a centre on the edge may end up on the wrong side.
        const std::size_t column = first_from(static_cast<double>(upper.x + below / down * across), width);
        if (column > 0 && right_of(column - 1)) return column - 1;
        return column < width && !right_of(column) ? column + 1 : column;
    }
};

std::vector<Edge> edges_by_row(std::size_t height, std::span<const ImagePoint> corners) {
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        ImagePoint upper = corners[i], lower = corners[(i + 1) % corners.size()];
        if (upper.y > lower.y) std::swap(upper, lower);
        const Edge edge{upper, lower, first_from(upper.y, height), first_from(lower.y, height)};
        if (edge.first_row < edge.end_row) edges.push_back(edge);
    }
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return a.first_row < b.first_row; });
    return edges;
}

}  // namespace

PixelRegion rectangle_region(std::size_t height, std::size_t width, ImagePoint a, ImagePoint b) {
    if (!finite(a) || !finite(b)) return {height, width};
    const Columns columns{first_from(std::min(a.x, b.x), width), first_from(std::max(a.x, b.x), width)};
    const std::size_t end = first_from(std::max(a.y, b.y), height);
    std::vector<PixelSpan> spans;
    for (std::size_t y = first_from(std::min(a.y, b.y), height); y < end; ++y) append(spans, y, columns);
    return {height, width, std::move(spans)};
}

PixelRegion ellipse_region(std::size_t height, std::size_t width, ImagePoint centre, double half_x,
                           double half_y) {
    if (!finite(centre) || !finite({half_x, half_y}) || half_x <= 0 || half_y <= 0) return {height, width};
    std::vector<PixelSpan> spans;
    // One more row at either end, because the sums round; ellipse_columns decides.
    const std::size_t end = first_from(centre.y + half_y + 1, height);
    for (std::size_t y = first_from(centre.y - half_y - 1, height); y < end; ++y)
        append(spans, y, ellipse_columns(width, centre.x, Wide(centre_of(y)) - centre.y, half_x, half_y));
    return {height, width, std::move(spans)};
}

PixelRegion polygon_region(std::size_t height, std::size_t width, std::span<const ImagePoint> corners) {
    if (corners.size() < 3 || !std::ranges::all_of(corners, [](ImagePoint corner) { return finite(corner); }))
        return {height, width};
    const std::vector<Edge> edges = edges_by_row(height, corners);
    std::vector<PixelSpan> spans;
    std::vector<const Edge*> passing;
    std::vector<std::size_t> columns;
    auto next = edges.begin();
    for (std::size_t y = next == edges.end() ? height : next->first_row; y < height; ++y) {
        for (; next != edges.end() && next->first_row <= y; ++next) passing.push_back(&*next);
        std::erase_if(passing, [&](const Edge* edge) { return edge->end_row <= y; });
        columns.clear();
        for (const Edge* edge : passing) columns.push_back(edge->crossing(centre_of(y), width));
        std::sort(columns.begin(), columns.end());
        for (std::size_t i = 0; i + 1 < columns.size(); i += 2)
            append(spans, y, {columns[i], columns[i + 1]});
        if (passing.empty() && next == edges.end()) break;
    }
    return {height, width, std::move(spans)};
}

}  // namespace ks
