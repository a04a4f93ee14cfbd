#include "core/spots/piece_sums.h"

#include <algorithm>
#include <cstdint>
#include <thread>

#include "core/data/element_type.h"
#include "core/data/valid_pixels.h"
#include "core/run/host_backend.h"

namespace ks::spots {
namespace {

constexpr std::size_t block_pieces = 512;  // that a thread takes at a time
constexpr std::uint32_t margin = 2;        // pixels around a box where its background is taken from

/// The runs of the rows of a frame: those of row y are [first[y], first[y + 1]).
std::vector<std::uint32_t> rows_of(const std::vector<SignalRun>& runs, std::size_t height) {
    std::vector<std::uint32_t> first(height + 1, 0);
    for (const SignalRun& run : runs) ++first[run.y + 1];
    for (std::size_t y = 0; y < height; ++y) first[y + 1] += first[y];
    return first;
}

template <class T>
class Measure {
  public:
    Measure(const FramePieces& pieces, const ImageView& image)
        : runs_(pieces.runs),
          image_(image),
          values_(reinterpret_cast<const T*>(image.pixels.data())),
          rows_(rows_of(pieces.runs, image.height)) {}

    void add_signal(const SignalRun& run, SpotSums& to) const {
        const std::size_t row = run.y * image_.width;
        for (std::uint32_t x = run.x0; x < run.x1; ++x)
            to.add(run.y, x, static_cast<double>(values_[row + x]));
    }

    void add_background(SpotSums& to) const {
        const std::size_t x0 = to.x0() - std::min(to.x0(), margin), y0 = to.y0() - std::min(to.y0(), margin);
        const std::size_t x1 = std::min<std::size_t>(image_.width, std::size_t{to.x1()} + margin),
                          y1 = std::min<std::size_t>(image_.height, std::size_t{to.y1()} + margin);
        Background found;
        for (std::size_t y = y0; y < y1; ++y) {
            std::size_t x = x0;
            for (auto run = first_after(y, x0); x < x1; ++run) {
                const bool none = run == runs_.begin() + rows_[y + 1];
                const std::size_t stop = none ? x1 : std::min<std::size_t>(x1, run->x0);
                for (; x < stop; ++x) found.add(*this, y * image_.width + x);
                if (none) break;
                x = std::max<std::size_t>(x, run->x1);
            }
        }
        to.add_background(found.sum, found.pixels);
    }

  private:
    struct Background {
        double sum = 0;
        std::uint64_t pixels = 0;
        void add(const Measure& of, std::size_t at) {
            const T value = of.values_[at];
            if (of.image_.ignore[at] != 0 || !is_count(value) ||
                !(static_cast<double>(value) < of.image_.limit))
                return;
            sum += static_cast<double>(value);
            ++pixels;
        }
    };

    /// First run of the row that ends after column x.
    std::vector<SignalRun>::const_iterator first_after(std::size_t y, std::size_t x) const {
        return std::partition_point(runs_.begin() + rows_[y], runs_.begin() + rows_[y + 1],
                                    [x](const SignalRun& run) { return run.x1 <= x; });
    }

    const std::vector<SignalRun>& runs_;
    const ImageView& image_;
    const T* values_;
    std::vector<std::uint32_t> rows_;
};

/// Which runs a piece has: those of piece p are numbers[first[p]] .. numbers[first[p + 1] - 1], ascending.
struct RunsOfPieces {
    std::vector<std::uint32_t> first, numbers;

    explicit RunsOfPieces(const FramePieces& pieces)
        : first(pieces.count + 1, 0), numbers(pieces.runs.size()) {
        for (const SignalRun& run : pieces.runs) ++first[run.piece + 1];
        for (std::size_t p = 0; p < pieces.count; ++p) first[p + 1] += first[p];
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
        for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[next[pieces.runs[i].piece]++] = i;
    }
};

}  // namespace

std::vector<SpotSums> measure(const FramePieces& pieces, const ImageView& image, std::size_t frame) {
    std::vector<SpotSums> sums;
    if (pieces.count == 0) return sums;
    sums.reserve(pieces.count);
    for (const SignalRun& run : pieces.runs)
        if (run.piece == sums.size()) sums.emplace_back(static_cast<std::uint32_t>(frame), run.y, run.x0);
    visit_element(image.type, [&](auto zero) {
        const Measure<decltype(zero)> measure(pieces, image);
        const RunsOfPieces runs(pieces);
        // A piece waits for memory most of the time: its pixels lie anywhere in the frame.
        const std::size_t blocks = (sums.size() + block_pieces - 1) / block_pieces;
        Progress nobody_asks;
        parallel_for(blocks, std::max(1U, std::thread::hardware_concurrency()), nobody_asks,
                     [&](std::size_t b) {
                         for (std::size_t p = b * block_pieces;
                              p < std::min(sums.size(), (b + 1) * block_pieces); ++p) {
                             for (std::uint32_t i = runs.first[p]; i < runs.first[p + 1]; ++i)
                                 measure.add_signal(pieces.runs[runs.numbers[i]], sums[p]);
                             measure.add_background(sums[p]);
                         }
                     });
    });
    return sums;
}

}  // namespace ks::spots
