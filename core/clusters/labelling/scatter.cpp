#include "core/clusters/labelling/scatter.h"

#include "core/base/error.h"

namespace ks::clusters {

ModuleScatter::ModuleScatter(std::uint32_t extent_x, std::uint32_t extent_y)
    : width_(static_cast<std::int32_t>(extent_x)),
      height_(static_cast<std::int32_t>(extent_y)),
      stride_(std::size_t{extent_x} + 2),
      owner_(stride_ * (std::size_t{extent_y} + 2), 0) {}

void ModuleScatter::clear() {
    for (const std::size_t place : used_) owner_[place] = 0;
    used_.clear();
    now_ = 0;
}

std::uint32_t& ModuleScatter::owner(std::int32_t x, std::int32_t y) {
    return owner_[static_cast<std::size_t>(y + 1) * stride_ + static_cast<std::size_t>(x + 1)];
}

/// Free and not adjacent to another cluster.
bool ModuleScatter::alone(std::int32_t x, std::int32_t y) const {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return false;
    const std::uint32_t* const here =
        owner_.data() + static_cast<std::size_t>(y + 1) * stride_ + static_cast<std::size_t>(x + 1);
    if (*here != 0) return false;
    for (const std::uint32_t* row : {here - stride_, here, here + stride_})
        for (int dx = -1; dx <= 1; ++dx)
            if (row[dx] != 0 && row[dx] != now_) return false;
    return true;
}

void ModuleScatter::take(std::vector<Pixel>& pixels, std::int32_t x, std::int32_t y) {
    std::uint32_t& place = owner(x, y);
    place = now_;
    used_.push_back(static_cast<std::size_t>(&place - owner_.data()));
    pixels.emplace_back(static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y));
}

bool ModuleScatter::grow(std::vector<Pixel>& pixels, std::size_t size, Random& random) {
    constexpr int patience = 32;
    const auto below = [&random](std::int32_t end) {
        return static_cast<std::int32_t>(random.next() % static_cast<std::uint64_t>(end));
    };
    const std::int32_t x = below(width_), y = below(height_);
    if (!alone(x, y)) return false;
    take(pixels, x, y);
    while (pixels.size() < size) {
        bool grown = false;
        for (int attempt = 0; attempt < patience && !grown; ++attempt) {
            const Pixel from = pixels[random.next() % pixels.size()];
            const std::int32_t to_x = from.first + below(3) - 1, to_y = from.second + below(3) - 1;
            grown = alone(to_x, to_y);
            if (grown) take(pixels, to_x, to_y);
        }
        if (!grown) return false;
    }
    return true;
}

void ModuleScatter::squeeze_in(std::vector<Pixel>& pixels, std::size_t size, Random& random) {
    const std::size_t area = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    std::size_t at = random.next() % area;
    for (std::size_t looked = 0; looked < area && pixels.size() < size; ++looked, at = (at + 1) % area) {
        const auto x = static_cast<std::int32_t>(at % static_cast<std::size_t>(width_));
        const auto y = static_cast<std::int32_t>(at / static_cast<std::size_t>(width_));
        if (owner(x, y) == 0) take(pixels, x, y);
    }
    if (pixels.size() < size)
        throw Error(ErrorKind::input, "a module does not have enough pixels for its digis", "digis");
}

std::vector<ModuleScatter::Pixel> ModuleScatter::place(std::size_t size, Random& random) {
    constexpr int patience = 64;
    ++now_;
    for (int attempt = 0; attempt < patience; ++attempt) {
        std::vector<Pixel> pixels;
        if (grow(pixels, size, random)) return pixels;
        for (const Pixel& pixel : pixels) owner(pixel.first, pixel.second) = 0;
    }
    std::vector<Pixel> pixels;
    squeeze_in(pixels, size, random);
    return pixels;
}

}  // namespace ks::clusters
