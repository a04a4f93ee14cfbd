#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ks::spots {

/// How a frame is cut into images of equal size that know nothing of each other: as a whole, or one image a
/// module of the detector. Windows are clipped at the borders of these images. Pixels between the modules are
/// in none.
struct ModuleLayout {
    struct Origin {
        std::size_t y, x;  ///< of the module's first pixel in the frame
        bool operator==(const Origin&) const = default;
    };
    std::size_t frame_height = 0, frame_width = 0;
    std::size_t height = 0, width = 0;  ///< of an image
    std::vector<Origin> origins;        ///< by rows

    bool operator==(const ModuleLayout&) const = default;

    static ModuleLayout whole(std::size_t height, std::size_t width);
    /// "whole", or "H,W,GAP_Y,GAP_X" in pixels: as many modules of H x W as the frame holds, with gaps
    /// between them (Eiger 16M: 514,1030,37,10). Throws ks::Error(input) where the text is none or no module
    /// fits.
    static ModuleLayout parse(const std::string& text, std::size_t height, std::size_t width);

    std::size_t modules() const { return origins.size(); }
    bool is_whole() const { return modules() == 1 && height == frame_height && width == frame_width; }
    /// Rows below and columns right of the modules that are in none of them, as they are not a module's; gaps
    /// between modules are none of these.
    std::size_t rows_left() const { return is_whole() ? 0 : frame_height - origins.back().y - height; }
    std::size_t columns_left() const { return is_whole() ? 0 : frame_width - origins.back().x - width; }
    /// Pixels of all images.
    std::size_t pixels() const { return modules() * height * width; }
    /// Pixel of the frame that pixel `index` of the stack [module][y][x] is.
    std::size_t in_frame(std::size_t index) const;
    /// The same for many, given and returned ascending.
    /// @param first that pixel 0 of the stack is
    std::vector<std::uint32_t> in_frame(std::span<const std::uint32_t> pixels, std::size_t first = 0) const;

    /// Copies a frame [y][x] of `pixel_bytes` a pixel to a stack [module][y][x].
    void cut(std::span<const std::byte> frame, std::size_t pixel_bytes, std::span<std::byte> stack) const;
};

}  // namespace ks::spots
