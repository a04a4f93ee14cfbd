#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/random.h"

namespace ks::clusters {

/// Places clusters of given sizes in a module so that none touches another, as long as there is room.
class ModuleScatter {
  public:
    using Pixel = std::pair<std::uint16_t, std::uint16_t>;

    ModuleScatter(std::uint32_t extent_x, std::uint32_t extent_y);
    /// Pixels of the next cluster, all of them free; if no isolated position is found, they touch others.
    /// Throws ks::Error(input) if the module is full.
    std::vector<Pixel> place(std::size_t size, Random& random);
    void clear();

  private:
    bool alone(std::int32_t x, std::int32_t y) const;
    std::uint32_t& owner(std::int32_t x, std::int32_t y);
    bool grow(std::vector<Pixel>& pixels, std::size_t size, Random& random);
    void take(std::vector<Pixel>& pixels, std::int32_t x, std::int32_t y);
    void squeeze_in(std::vector<Pixel>& pixels, std::size_t size, Random& random);

    std::int32_t width_, height_;
    std::size_t stride_;
    std::vector<std::uint32_t> owner_;  ///< number of the cluster at a pixel, with a border; 0: none
    std::vector<std::size_t> used_;
    std::uint32_t now_ = 0;
};

}  // namespace ks::clusters
