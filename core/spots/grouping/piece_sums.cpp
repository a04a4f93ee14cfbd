#include "core/spots/grouping/piece_sums.h"

#include <algorithm>

#include "core/base/element_type.h"

namespace ks::spots {
namespace {

constexpr std::size_t block_pieces = 256;
constexpr std::size_t ahead = 4;     // pieces whose pixels are prefetched
constexpr std::uint32_t margin = 2;  // width in pixels of the background border around a box

}  // namespace

void PieceSums::start(const FramePieces& pieces, const ImageView& image, const BitImage& unused,
                      std::size_t frame) {
    image_ = image;
    unused_ = &unused;
    frame_ = static_cast<std::uint32_t>(frame);
    pieces_ = pieces.count;
    runs_ = pieces.runs;
    row_.assign(image.height + 1, 0);
    piece_.assign(pieces_ + 2, 0);
    for (const SignalRun& run : runs_) {
        ++row_[run.y + 1];
        ++piece_[run.piece + 2];
    }
    for (std::size_t y = 0; y < image.height; ++y) row_[y + 1] += row_[y];
    for (std::size_t p = 0; p < pieces_; ++p) piece_[p + 2] += piece_[p + 1];
    piece_runs_.resize(runs_.size());
    for (const SignalRun& run : runs_) piece_runs_[piece_[run.piece + 1]++] = run;
    if (sums_.size() < pieces_) sums_.resize(pieces_, SpotSums(0, 0, 0));
}

std::size_t PieceSums::blocks() const {
    return (pieces_ + block_pieces - 1) / block_pieces;
}

void PieceSums::measure(std::size_t block) {
    const std::size_t first = block * block_pieces, last = std::min(pieces_, first + block_pieces);
    visit_element(image_.type, [&](auto zero) { measure<decltype(zero)>(first, last); });
}

std::span<const SignalRun> PieceSums::runs_of(std::size_t piece) const {
    return std::span(piece_runs_).subspan(piece_[piece], piece_[piece + 1] - piece_[piece]);
}

PixelBox PieceSums::background_box(std::size_t piece) const {
    const std::span<const SignalRun> runs = runs_of(piece);
    PixelBox box{runs.front().x0, runs.front().x1, runs.front().y, runs.back().y + 1};
    for (const SignalRun& run : runs) {
        box.x0 = std::min(box.x0, run.x0);
        box.x1 = std::max(box.x1, run.x1);
    }
    const auto wider = [](std::uint32_t end, std::size_t length) {
        return static_cast<std::uint32_t>(std::min<std::size_t>(length, std::size_t{end} + margin));
    };
    return {box.x0 - std::min(box.x0, margin), wider(box.x1, image_.width), box.y0 - std::min(box.y0, margin),
            wider(box.y1, image_.height)};
}

BitImage PieceSums::no_background(std::span<const PixelBox> boxes) const {
    std::size_t y0 = boxes.front().y0, y1 = boxes.front().y1;
    for (const PixelBox& box : boxes) {
        y0 = std::min<std::size_t>(y0, box.y0);
        y1 = std::max<std::size_t>(y1, box.y1);
    }
    BitImage none(y1 - y0, image_.width, y0);
    std::copy(unused_->row(y0), unused_->row(y1), none.row(y0));
    for (const SignalRun& run : runs_.subspan(row_[y0], row_[y1] - row_[y0])) none.set(run.y, run.x0, run.x1);
    return none;
}

template <class T>
void PieceSums::measure(std::size_t first, std::size_t last) {
    std::vector<PixelBox> boxes;
    for (std::size_t p = first; p < last; ++p) boxes.push_back(background_box(p));
    const BitImage none = no_background(boxes);
    const BackgroundSum<T> background(image_, none);
    const T* const values = reinterpret_cast<const T*>(image_.pixels.data());
    // The rows of a piece are far apart in memory.
    const auto ask_for = [&](const PixelBox& box) {
        for (std::size_t y = box.y0; y < box.y1; ++y) {
            __builtin_prefetch(values + y * image_.width + box.x0);
            __builtin_prefetch(values + y * image_.width + box.x1 - 1);
        }
    };
    for (std::size_t i = 0; i < std::min(ahead, boxes.size()); ++i) ask_for(boxes[i]);
    for (std::size_t p = first; p < last; ++p) {
        if (p + ahead < last) ask_for(boxes[p + ahead - first]);
        const std::span<const SignalRun> runs = runs_of(p);
        SpotSums& sums = sums_[p] = SpotSums(frame_, runs.front().y, runs.front().x0);
        for (const SignalRun& run : runs)
            sums.add(run.y, run.x0,
                     std::span(values + run.y * image_.width + run.x0, std::size_t{run.x1} - run.x0));
        background.of(boxes[p - first], [&](double sum, std::uint64_t pixels, std::uint32_t saturated) {
            sums.add_background(sum, pixels, saturated);
        });
    }
}

}  // namespace ks::spots
