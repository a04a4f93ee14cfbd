#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace ks::tests {

/// An image for the erosion of the extended algorithm: patches of 1 to 14 pixels a side whose counts scatter
/// widely, anywhere, some of them over the borders, with masked bands that cross the image and single masked
/// pixels.
struct Patches {
    static constexpr std::size_t height = 229, width = 645;

    explicit Patches(unsigned seed) : values(height * width), ignore(height * width) {
        std::mt19937 random(seed);
        std::poisson_distribution<int> noise(2);
        for (auto& value : values) value = static_cast<std::uint16_t>(noise(random));
        for (int patch = 0; patch < 260; ++patch) {
            const std::size_t y0 = random() % height, x0 = random() % width;
            const std::size_t y1 = std::min(height, y0 + 1 + random() % 14),
                              x1 = std::min(width, x0 + 1 + random() % 14);
            for (std::size_t y = y0; y < y1; ++y)
                for (std::size_t x = x0; x < x1; ++x)
                    values[y * width + x] = static_cast<std::uint16_t>(random() % 3 == 0 ? 60 : 1);
        }
        for (std::size_t y = 0; y < height; ++y)
            for (std::size_t x = 0; x < width; ++x)
                if ((y >= 90 && y < 113) || (x >= 250 && x < 261) || (x >= 510 && x < 514) ||
                    random() % 700 == 0)
                    ignore[y * width + x] = 1;
    }

    std::vector<std::uint16_t> values;
    std::vector<std::uint8_t> ignore;
};

}  // namespace ks::tests
