#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/clusters/synthetic/generator.h"

namespace ks::clusters {
namespace {

using Pixel = std::pair<std::uint16_t, std::uint16_t>;

Pixel pixel(std::uint32_t x, std::uint32_t y) {
    return {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y)};
}

std::vector<Pixel> snake(std::uint32_t width, std::uint32_t height) {
    std::vector<Pixel> path;
    bool forward = true;
    for (std::uint32_t y = 0; y < height; y += 2) {
        for (std::uint32_t i = 0; i < width; ++i) path.push_back(pixel(forward ? i : width - 1 - i, y));
        if (y + 2 < height) path.push_back(pixel(forward ? width - 1 : 0, y + 1));
        forward = !forward;
    }
    return path;
}

/// Advances until a wall or its own trail is ahead, with one empty pixel between its arms.
std::vector<Pixel> spiral(std::uint32_t width, std::uint32_t height) {
    std::vector<std::vector<bool>> trail(height, std::vector<bool>(width, false));
    const auto inside = [&](std::int64_t x, std::int64_t y) {
        return x >= 0 && y >= 0 && x < width && y < height;
    };
    const auto taken = [&](std::int64_t x, std::int64_t y) {
        return inside(x, y) && trail[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
    };
    constexpr std::int64_t step_x[] = {1, 0, -1, 0}, step_y[] = {0, 1, 0, -1};
    std::vector<Pixel> path{pixel(0, 0)};
    trail[0][0] = true;
    std::int64_t x = 0, y = 0;
    for (int direction = 0, turns = 0; turns < 2;) {
        const std::int64_t dx = step_x[direction], dy = step_y[direction];
        const std::int64_t to_x = x + dx, to_y = y + dy;
        bool blocked = !inside(to_x, to_y) || taken(to_x, to_y);
        for (std::int64_t side = -1; side <= 1; ++side)  // ahead of the next pixel, and next to it
            blocked = blocked || taken(to_x + dx + side * dy, to_y + dy + side * dx) ||
                      (side != 0 && taken(to_x + side * dy, to_y + side * dx));
        if (blocked) {
            direction = (direction + 1) % 4;
            ++turns;
            continue;
        }
        turns = 0;
        x = to_x;
        y = to_y;
        trail[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = true;
        path.push_back(pixel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)));
    }
    return path;
}

std::vector<Pixel> comb(std::uint32_t width, std::uint32_t height) {
    std::vector<Pixel> path;
    for (std::uint32_t x = 0; x < width; ++x) path.push_back(pixel(x, 0));
    for (std::uint32_t x = 0; x < width; x += 2)
        for (std::uint32_t y = 1; y < height; ++y) path.push_back(pixel(x, y));
    return path;
}

/// Every `step`th pixel of each row, with alternating offsets between rows.
std::vector<Pixel> rows(std::uint32_t width, std::uint32_t height, std::uint32_t step) {
    std::vector<Pixel> path;
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = y % step; x < width; x += step) path.push_back(pixel(x, y));
    return path;
}

std::vector<Pixel> frame(std::uint32_t width, std::uint32_t height) {
    std::vector<Pixel> path;
    for (std::uint32_t at = 0; 2 * at < width && 2 * at < height; at += 2) {
        const std::uint32_t right = width - 1 - at, bottom = height - 1 - at;
        for (std::uint32_t x = at; x <= right; ++x) path.push_back(pixel(x, at));
        for (std::uint32_t y = at + 1; y <= bottom; ++y) path.push_back(pixel(right, y));
        if (bottom > at)
            for (std::uint32_t x = right; x-- > at;) path.push_back(pixel(x, bottom));
        if (right > at && bottom > at)
            for (std::uint32_t y = bottom; --y > at;) path.push_back(pixel(at, y));
    }
    return path;
}

}  // namespace

const std::vector<std::string>& shape_names() {
    static const std::vector<std::string> names{"random",  "snake", "spiral", "comb",
                                                "checker", "full",  "frame",  "overfull"};
    return names;
}

std::vector<Pixel> shape_pixels(const std::string& shape, std::uint32_t extent_x, std::uint32_t extent_y) {
    if (shape == "snake") return snake(extent_x, extent_y);
    if (shape == "spiral") return spiral(extent_x, extent_y);
    if (shape == "comb") return comb(extent_x, extent_y);
    if (shape == "checker") return rows(extent_x, extent_y, 2);
    if (shape == "frame") return frame(extent_x, extent_y);
    std::vector<Pixel> all = rows(extent_x, extent_y, 1);
    if (shape == "full") return all;
    if (shape != "overfull") throw Error(ErrorKind::input, "unknown shape " + shape, "shape");
    const std::size_t pixels = all.size();
    for (std::size_t i = 0; i < pixels / 2; ++i) all.push_back(all[2 * i]);
    return all;
}

}  // namespace ks::clusters
