#include "core/data/pixel_blocks.h"

#include <algorithm>
#include <cstdint>

namespace ks {
namespace {

/// The coordinates at which rectangles begin and end along one axis.
class Edges {
  public:
    void add(std::size_t begin, std::size_t end) {
        all_.push_back(begin);
        all_.push_back(end);
    }
    void sort() {
        std::ranges::sort(all_);
        all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
    }
    std::size_t bands() const { return all_.empty() ? 0 : all_.size() - 1; }
    std::size_t operator[](std::size_t i) const { return all_[i]; }
    std::size_t at(std::size_t edge) const {
        return static_cast<std::size_t>(std::ranges::lower_bound(all_, edge) - all_.begin());
    }

  private:
    std::vector<std::size_t> all_;
};

}  // namespace

PixelBlocks disjoint(const PixelBlocks& some, const PixelBlocks& without) {
    Edges rows, columns;
    for (const PixelBlocks* rects : {&some, &without})
        for (const PixelBlock& rect : *rects) {
            if (rect.pixels() == 0) continue;
            rows.add(rect.top, rect.bottom);
            columns.add(rect.left, rect.right);
        }
    rows.sort();
    columns.sort();
    const std::size_t across = columns.bands();
    std::vector<std::uint8_t> in(rows.bands() * across, 0);
    const auto paint = [&](const PixelBlocks& rects, std::uint8_t value) {
        for (const PixelBlock& rect : rects) {
            if (rect.pixels() == 0) continue;
            const std::size_t left = columns.at(rect.left), right = columns.at(rect.right);
            for (std::size_t row = rows.at(rect.top); row < rows.at(rect.bottom); ++row)
                std::fill_n(in.begin() + static_cast<std::ptrdiff_t>(row * across + left), right - left,
                            value);
        }
    };
    paint(some, 1);
    paint(without, 0);
    PixelBlocks all, above;  // above: those that end where this band of rows begins
    for (std::size_t row = 0; row < rows.bands(); ++row) {
        PixelBlocks band;
        for (std::size_t column = 0; column < across; ++column) {
            if (in[row * across + column] == 0) continue;
            const std::size_t first = column;
            while (column < across && in[row * across + column] != 0) ++column;
            band.push_back({rows[row], rows[row + 1], columns[first], columns[column]});
        }
        const bool goes_on = std::ranges::equal(above, band, [](const PixelBlock& a, const PixelBlock& b) {
            return a.left == b.left && a.right == b.right;
        });
        if (goes_on) {
            for (PixelBlock& rect : above) rect.bottom = rows[row + 1];
            continue;
        }
        all.insert(all.end(), above.begin(), above.end());
        above = std::move(band);
    }
    all.insert(all.end(), above.begin(), above.end());
    return all;
}

std::size_t pixels_of(const PixelBlocks& rects) {
    std::size_t pixels = 0;
    for (const PixelBlock& rect : rects) pixels += rect.pixels();
    return pixels;
}

}  // namespace ks
