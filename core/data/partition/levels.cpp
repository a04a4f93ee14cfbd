#include <fmt/format.h>

#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/data/partition/partition_builder.h"

namespace ks {
namespace {

constexpr std::size_t max_levels = 1'000'000;

Error bad_level(const std::string& message) {
    return Error(ErrorKind::input, message, "rings");
}

void require_finite(const char* what, double value) {
    if (!std::isfinite(value))
        throw bad_level(fmt::format("{} must be a finite number, found {}", what, value));
}

void require_count(std::size_t n) {
    if (n < 1 || n > max_levels)
        throw bad_level(fmt::format("expected 1 to {} rings, found {}", max_levels, n));
}

void require_range(double from, double to) {
    require_finite("the beginning of the rings", from);
    require_finite("the end of the rings", to);
    if (!(to > from))
        throw bad_level(
            fmt::format("the rings must end at a larger value than they begin, found {} to {}", from, to));
}

}  // namespace

Levels edge_levels(const std::vector<double>& edges) {
    if (edges.size() < 2) throw bad_level(fmt::format("expected at least 2 edges, found {}", edges.size()));
    require_count(edges.size() - 1);
    for (const double edge : edges) require_finite("an edge", edge);
    for (std::size_t i = 1; i < edges.size(); ++i)
        if (!(edges[i] > edges[i - 1]))
            throw bad_level(fmt::format("the edges must ascend, found {} after {}", edges[i], edges[i - 1]));
    return {{edges.begin(), edges.end() - 1}, {edges.begin() + 1, edges.end()}};
}

Levels linear_levels(double from, double to, std::size_t n) {
    require_count(n);
    require_range(from, to);
    std::vector<double> edges(n + 1, to);
    for (std::size_t i = 0; i < n; ++i)
        edges[i] = std::lerp(from, to, static_cast<double>(i) / static_cast<double>(n));
    return edge_levels(edges);
}

Levels logarithmic_levels(double from, double to, std::size_t n) {
    require_count(n);
    require_range(from, to);
    if (!(from > 0))
        throw bad_level(fmt::format("logarithmic rings must begin at a value above 0, found {}", from));
    std::vector<double> edges(n + 1, to);
    edges[0] = from;
    for (std::size_t i = 1; i < n; ++i)
        edges[i] = from * std::pow(to / from, static_cast<double>(i) / static_cast<double>(n));
    return edge_levels(edges);
}

Levels spaced_levels(double from, double width, double gap, std::size_t n) {
    require_count(n);
    require_finite("the beginning of the rings", from);
    require_finite("the width", width);
    require_finite("the gap", gap);
    if (!(width > 0)) throw bad_level(fmt::format("the width must be > 0, found {}", width));
    if (gap < 0) throw bad_level(fmt::format("the gap must be >= 0, found {}", gap));
    Levels levels;
    for (std::size_t i = 0; i < n; ++i) {
        levels.lower.push_back(from + static_cast<double>(i) * (width + gap));
        // Without a gap, each end equals the next beginning to the last bit: such edges move together.
        levels.upper.push_back(gap == 0 ? from + static_cast<double>(i + 1) * width
                                        : levels.lower.back() + width);
        require_finite("the end of the rings", levels.upper.back());
        if (!(levels.upper.back() > levels.lower.back()) || (i > 0 && levels.lower[i] < levels.upper[i - 1]))
            throw bad_level(
                fmt::format("a ring of width {} that begins at {} is narrower than the rounding error", width,
                            levels.lower.back()));
    }
    return levels;
}

Levels divided(const Levels& levels, std::size_t parts) {
    if (parts < 1) throw bad_level("a level must be divided into at least 1 part, found 0");
    if (parts > max_levels || levels.size() > max_levels / parts)
        throw bad_level(fmt::format("{} levels of {} parts each give more than the maximum of {} rings",
                                    levels.size(), parts, max_levels));
    Levels fine;
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const Levels piece = linear_levels(levels.lower[k], levels.upper[k], parts);
        fine.lower.insert(fine.lower.end(), piece.lower.begin(), piece.lower.end());
        fine.upper.insert(fine.upper.end(), piece.upper.begin(), piece.upper.end());
    }
    return fine;
}

}  // namespace ks
