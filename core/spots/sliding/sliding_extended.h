#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/progress.h"
#include "core/spots/sliding/dispersed_stretch.h"
#include "core/spots/sliding/erosion.h"

namespace ks::spots {

/// The dispersed and the invalid pixels of a band of rows, where erosion may keep a pixel. Around a kept
/// pixel, all pixels in 2 reach + 1 rows (within the image) are dispersed or invalid. One of these rows is a
/// grid row: grid rows are every (2 reach + 1)-th row, and the last row of the image. So only the grid rows
/// are tested completely. From the pixels that these rows alone would keep, the test continues to the rows
/// above and below, as long as any pixels are left.
class DispersedBand {
  public:
    DispersedBand(const SlidingImage& image, const Thresholds& t, const DispersionTest& test, Band band)
        : band_(band),
          height_(image.height),
          width_(image.width),
          reach_(erosion_reach(t)),
          stretch_(image, t, test) {}

    /// @param out all zeros; pixels not tested remain 0
    void run(const Progress& progress, BitImage& out) {
        const std::size_t words = out.words(), used = width_ % BitImage::word;
        if (used != 0)
            for (std::size_t y = band_.y0; y < band_.y1; ++y)
                out.row(y)[words - 1] = ~std::uint64_t{0} << used;
        std::size_t begin = band_.y0;  // of the rows in between
        std::vector<Open> above, here;
        for (std::size_t y = band_.y0; y < band_.y1; ++y) {
            if (!of_grid(y)) continue;
            progress.check();
            stretch_.find(y, 0, words, out.row(y));
            find_open(y, out, here);
            follow_both(above, here, begin, y, out);
            above.swap(here);
            begin = y + 1;
        }
        here.clear();
        follow_both(above, here, begin, band_.y1, out);
    }

  private:
    /// Pixels of a word that may still be kept.
    struct Open {
        std::size_t word;
        std::uint64_t bits;
    };

    bool of_grid(std::size_t y) const { return y % (2 * reach_ + 1) == reach_ || y + 1 == height_; }

    /// The bits of a word for which all bits within reach in row y are set.
    std::uint64_t kept(std::size_t y, std::size_t w, const BitImage& flags) const {
        const std::uint64_t* const row = flags.row(y);
        return all_around(w == 0 ? ~std::uint64_t{0} : row[w - 1], row[w],
                          w + 1 == flags.words() ? ~std::uint64_t{0} : row[w + 1], reach_);
    }

    /// The columns of grid row y that may be kept. A column without a valid pixel within reach is dropped:
    /// whether invalid pixels are kept does not matter.
    void find_open(std::size_t y, const BitImage& flags, std::vector<Open>& open) {
        open.clear();
        for (std::size_t w = 0; w < flags.words(); ++w) {
            const std::uint64_t bits = kept(y, w, flags);
            if (bits == 0) continue;
            std::uint64_t valid = stretch_.valid(y, w);
            const std::size_t end = std::min(height_, y + reach_ + 1);
            for (std::size_t i = y - std::min(y, reach_); (bits & ~valid) != 0 && i < end; ++i)
                valid |= stretch_.valid(i, w);
            if ((bits & valid) != 0) open.push_back({w, bits & valid});
        }
    }

    /// Continues through rows `begin` to `end` - 1 from the grid rows above and below.
    void follow_both(std::vector<Open> above, std::vector<Open> below, std::size_t begin, std::size_t end,
                     BitImage& out) {
        tested_.assign((end - begin) * out.words(), 0);
        const auto through = [&](std::vector<Open>& open, std::size_t y) {
            test(y, tested_.data() + (y - begin) * out.words(), open, out);
            for (Open& some : open) some.bits &= kept(y, some.word, out);
            std::erase_if(open, [](const Open& some) { return some.bits == 0; });
        };
        for (std::size_t y = begin; y < end && !above.empty(); ++y) through(above, y);
        for (std::size_t y = end; y-- > begin && !below.empty();) through(below, y);
    }

    /// Tests row y around the pixels that may be kept.
    void test(std::size_t y, std::uint8_t* tested, const std::vector<Open>& open, BitImage& out) {
        std::size_t first = 0, end = 0;  // words to be tested together
        const auto add = [&](std::size_t word) {
            if (tested[word] != 0) return;
            tested[word] = 1;
            if (word != end) {
                if (first < end) stretch_.find(y, first, end, out.row(y));
                first = word;
            }
            end = word + 1;
        };
        const std::size_t far = BitImage::word - reach_;
        for (const Open& some : open) {
            if (reach_ > 0 && some.word > 0 && some.bits << far != 0) add(some.word - 1);
            add(some.word);
            if (reach_ > 0 && some.word + 1 < out.words() && some.bits >> far != 0) add(some.word + 1);
        }
        if (first < end) stretch_.find(y, first, end, out.row(y));
    }

    Band band_;
    std::size_t height_, width_, reach_;
    DispersedStretch stretch_;
    std::vector<std::uint8_t> tested_;  ///< [row between][word]
};

}  // namespace ks::spots
