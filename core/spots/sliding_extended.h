#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/run/progress.h"
#include "core/spots/count_rows.h"
#include "core/spots/dispersed_stretch.h"
#include "core/spots/erosion.h"

namespace ks::spots {

/// The dispersed and the invalid pixels of a band of rows, as far as erosion may keep something there. What
/// is kept has nothing but such pixels in the 2 reach + 1 rows around it, or in those of them that the image
/// has. One of these rows is of a grid: every (2 reach + 1)-th one, and the last of the image. So only the
/// rows of the grid are tested whole; from what would be kept of these alone the test goes on to the rows
/// above and below, as long as something is left.
template <class T>
class DispersedBand {
  public:
    DispersedBand(const Pixels<T>& pixels, const Thresholds& t, const DispersionTest& test, Band band)
        : band_(band),
          height_(pixels.height),
          width_(pixels.width),
          reach_(erosion_reach(t)),
          stretch_(pixels, t, test) {}

    static std::uint16_t largest(const Thresholds& t) { return DispersedStretch<T>::largest(t); }

    /// @param out of zeros; pixels that were not tested remain 0
    void run(const Progress& progress, BitImage& out) {
        const std::size_t words = out.words(), used = width_ % BitImage::word;
        open_.assign(words + 2, 0);
        if (used != 0)
            for (std::size_t y = band_.y0; y < band_.y1; ++y)
                out.row(y)[words - 1] = ~std::uint64_t{0} << used;
        std::size_t begin = band_.y0;  // of the rows between
        bool above = false;
        for (std::size_t y = band_.y0; y < band_.y1; ++y) {
            if (!of_grid(y)) continue;
            progress.check();
            stretch_.find(y, 0, words, out.row(y));
            tested_.assign((y - begin) * words, 0);
            if (above) follow(begin - 1, begin, y, out);
            follow(y, begin, y, out);
            above = true;
            begin = y + 1;
        }
        tested_.assign((band_.y1 - begin) * words, 0);
        if (above) follow(begin - 1, begin, band_.y1, out);
    }

  private:
    bool of_grid(std::size_t y) const { return y % (2 * reach_ + 1) == reach_ || y + 1 == height_; }

    /// From a row of the grid through the rows `begin` to `end` - 1 that lie between it and the next one.
    void follow(std::size_t from, std::size_t begin, std::size_t end, BitImage& out) {
        const bool down = from < begin;
        std::fill(open_.begin() + 1, open_.end() - 1, ~std::uint64_t{0});
        if (!keep_open(from, out)) return;
        for (std::size_t i = 0; i < end - begin; ++i) {
            const std::size_t y = down ? begin + i : end - 1 - i;
            test_open(y, tested_.data() + (y - begin) * out.words(), out);
            if (!keep_open(y, out)) return;
        }
    }

    /// Of the pixels that may be kept, those which row y allows; whether there are any.
    bool keep_open(std::size_t y, const BitImage& flags) {
        const std::uint64_t* const row = flags.row(y);
        const std::size_t words = flags.words();
        std::uint64_t any = 0;
        for (std::size_t w = 0; w < words; ++w) {
            std::uint64_t& open = open_[w + 1];
            if (open == 0) continue;
            open &= all_around(w == 0 ? ~std::uint64_t{0} : row[w - 1], row[w],
                               w + 1 == words ? ~std::uint64_t{0} : row[w + 1], reach_);
            any |= open;
        }
        return any != 0;
    }

    /// Tests row y around the pixels that may be kept.
    void test_open(std::size_t y, std::uint8_t* tested, BitImage& out) {
        const std::size_t words = out.words();
        for (std::size_t w = 0; w < words; ++w) {
            std::size_t end = w;
            while (end < words && tested[end] == 0 && wanted(end)) tested[end++] = 1;
            if (end > w) stretch_.find(y, w, end, out.row(y));
            w = end;
        }
    }

    /// Whether a pixel within reach of word w may be kept.
    bool wanted(std::size_t w) const {
        const std::size_t far = BitImage::word - reach_;
        return open_[w + 1] != 0 || (reach_ > 0 && (open_[w] >> far != 0 || open_[w + 2] << far != 0));
    }

    Band band_;
    std::size_t height_, width_, reach_;
    DispersedStretch<T> stretch_;
    std::vector<std::uint64_t> open_;   ///< bits of a row: what may be kept; an empty word on both sides
    std::vector<std::uint8_t> tested_;  ///< [row between][word]
};

}  // namespace ks::spots
