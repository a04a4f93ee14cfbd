#include "core/spots/module_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/error.h"

namespace ks::spots {
namespace {

std::array<std::size_t, 4> numbers_of(const std::string& text) {
    std::array<std::size_t, 4> numbers{};
    const char *at = text.data(), *const end = at + text.size();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto [stop, code] = std::from_chars(at, end, numbers[i]);
        const bool last = i + 1 == numbers.size();
        if (code != std::errc() || (last ? stop != end : stop == end || *stop != ','))
            throw Error(ErrorKind::input,
                        fmt::format("expected \"whole\" or H,W,GAP_Y,GAP_X in pixels, found \"{}\"", text),
                        "modules");
        at = stop + 1;
    }
    return numbers;
}

}  // namespace

ModuleLayout ModuleLayout::whole(std::size_t height, std::size_t width) {
    return {height, width, height, width, {{0, 0}}};
}

ModuleLayout ModuleLayout::parse(const std::string& text, std::size_t height, std::size_t width) {
    if (text.empty() || text == "whole") return whole(height, width);
    const auto [h, w, gap_y, gap_x] = numbers_of(text);
    if (h == 0 || w == 0 || h > height || w > width || gap_y > height || gap_x > width)
        throw Error(
            ErrorKind::input,
            fmt::format("a module of {} x {} pixels with gaps of {} and {} does not fit into frames of "
                        "{} x {}",
                        h, w, gap_y, gap_x, height, width),
            "modules");
    ModuleLayout layout{height, width, h, w, {}};
    for (std::size_t y = 0; y + h <= height; y += h + gap_y)
        for (std::size_t x = 0; x + w <= width; x += w + gap_x) layout.origins.push_back({y, x});
    return layout;
}

std::size_t ModuleLayout::in_frame(std::size_t index) const {
    const std::size_t module = index / (height * width), rest = index % (height * width);
    return (origins[module].y + rest / width) * frame_width + origins[module].x + rest % width;
}

std::vector<std::uint32_t> ModuleLayout::in_frame(std::span<const std::uint32_t> pixels,
                                                  std::size_t first) const {
    std::vector<std::uint32_t> found;
    found.reserve(pixels.size());
    if (is_whole()) {
        for (const std::uint32_t pixel : pixels) found.push_back(static_cast<std::uint32_t>(pixel - first));
        return found;
    }
    // By rows of the frame, across adjacent modules.
    for (std::size_t from = 0, to = 0; from < modules(); from = to) {
        std::vector<std::span<const std::uint32_t>::iterator> left;
        for (; to < modules() && origins[to].y == origins[from].y; ++to)
            left.push_back(std::ranges::lower_bound(pixels, first + to * height * width));
        for (std::size_t y = 0; y < height; ++y)
            for (std::size_t module = from; module < to; ++module) {
                const std::size_t row = first + (module * height + y) * width;
                const std::size_t row_in_frame = (origins[module].y + y) * frame_width + origins[module].x;
                auto& next = left[module - from];
                for (; next != pixels.end() && *next < row + width; ++next)
                    found.push_back(static_cast<std::uint32_t>(*next - row + row_in_frame));
            }
    }
    return found;
}

void ModuleLayout::cut(std::span<const std::byte> frame, std::size_t pixel_bytes,
                       std::span<std::byte> stack) const {
    std::byte* to = stack.data();
    for (const Origin& origin : origins)
        for (std::size_t y = 0; y < height; ++y, to += width * pixel_bytes)
            std::copy_n(frame.data() + ((origin.y + y) * frame_width + origin.x) * pixel_bytes,
                        width * pixel_bytes, to);
}

}  // namespace ks::spots
