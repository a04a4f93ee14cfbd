#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ks::spots {

/// How a frame is divided into independent images of equal size: the whole frame, or one image per detector
/// module. Windows are clipped at the borders of these images. Pixels between the modules belong to no image.
struct ModuleLayout {
    struct Origin {
        std::size_t y, x;  ///< first pixel of the module in the frame
        bool operator==(const Origin&) const = default;
    };
    std::size_t frame_height = 0, frame_width = 0;
    std::size_t height = 0, width = 0;  ///< of an image
    std::vector<Origin> origins;        ///< row by row

    bool operator==(const ModuleLayout&) const = default;

    static ModuleLayout whole(std::size_t height, std::size_t width);
    /// Parses "whole", or "H,W,GAP_Y,GAP_X" in pixels: as many modules of H x W as fit into the frame, with
    /// gaps between them (Eiger 16M: 514,1030,37,10). Throws ks::Error(input) if the text has another form
    /// or no module fits.
    static ModuleLayout parse(const std::string& text, std::size_t height, std::size_t width);

    std::size_t modules() const { return origins.size(); }
    bool is_whole() const { return modules() == 1 && height == frame_height && width == frame_width; }
    /// Rows below and columns to the right of all modules, which belong to no module. Gaps between modules do
    /// not count.
    std::size_t rows_left() const { return is_whole() ? 0 : frame_height - origins.back().y - height; }
    std::size_t columns_left() const { return is_whole() ? 0 : frame_width - origins.back().x - width; }
    /// Number of pixels of all images.
    std::size_t pixels() const { return modules() * height * width; }
    /// The frame pixel for pixel `index` of the stack [module][y][x].
    std::size_t in_frame(std::size_t index) const;
    /// The same for many pixels, given and returned in ascending order.
    /// @param first offset of `pixels` in the stack
    std::vector<std::uint32_t> in_frame(std::span<const std::uint32_t> pixels, std::size_t first = 0) const;

    /// Copies a frame [y][x] with `pixel_bytes` per pixel to a stack [module][y][x].
    void cut(std::span<const std::byte> frame, std::size_t pixel_bytes, std::span<std::byte> stack) const;
};

}  // namespace ks::spots
