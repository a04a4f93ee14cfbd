#include "core/spots/piece_sums.h"

#include <algorithm>
#include <type_traits>

#include "core/data/element_type.h"
#include "core/data/valid_pixels.h"

namespace ks::spots {
namespace {

constexpr std::size_t block_pieces = 256;
constexpr std::size_t ahead = 4;     // pieces whose pixels are on their way from memory
constexpr std::uint32_t margin = 2;  // pixels around a box where its background is taken from

/// Sum and number of the valid pixels that are no signal.
template <class T>
class Background {
  public:
    /// @param none neither signal nor unused pixels have a part in it
    Background(const ImageView& image, const BitImage& none)
        : values_(reinterpret_cast<const T*>(image.pixels.data())),
          width_(image.width),
          limit_(image.limit),
          none_(none) {}

    /// Pixels [x0, x1) of a row.
    void add(std::size_t y, std::size_t x0, std::size_t x1) {
        for (std::size_t x = x0; x < x1; x += BitImage::word) {
            std::uint64_t others = ~none_.bits(y, x);
            const std::size_t first = y * width_ + x, last = first + std::min(BitImage::word, x1 - x);
            for (std::size_t at = first; at < last; ++at, others >>= 1) {
                const T value = values_[at];
                const bool takes = (others & 1) & is_count(value) & (static_cast<double>(value) < limit_);
                sum_ += takes ? static_cast<Sum>(value) : Sum{0};
                pixels_ += takes ? 1 : 0;
            }
        }
    }
    void give(SpotSums& to) const { to.add_background(static_cast<double>(sum_), pixels_); }

  private:
    /// Sums of up to 2^31 counts of 16 bits are the same in integers and in doubles.
    static constexpr bool exact = std::is_integral_v<T> && sizeof(T) <= 2;
    using Sum = std::conditional_t<exact, std::uint64_t, double>;
    const T* values_;
    std::size_t width_;
    double limit_;
    const BitImage& none_;
    Sum sum_ = 0;
    std::uint64_t pixels_ = 0;
};

void ask_for(const void* first, const void* last) {
    __builtin_prefetch(first);
    __builtin_prefetch(last);
}

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

PieceSums::Box PieceSums::background_box(std::size_t piece) const {
    const std::span<const SignalRun> runs = runs_of(piece);
    Box box{runs.front().x0, runs.front().x1, runs.front().y, runs.back().y + 1};
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

BitImage PieceSums::no_background(std::span<const Box> boxes) const {
    std::size_t y0 = boxes.front().y0, y1 = boxes.front().y1;
    for (const Box& box : boxes) {
        y0 = std::min<std::size_t>(y0, box.y0);
        y1 = std::max<std::size_t>(y1, box.y1);
    }
    BitImage none(y1 - y0, image_.width, y0);
    std::copy(unused_->row(y0), unused_->row(y1), none.row(y0));
    for (const SignalRun& run : runs_.subspan(row_[y0], row_[y1] - row_[y0]))
        for (std::size_t x = run.x0; x < run.x1; ++x)
            none.row(run.y)[x / BitImage::word] |= std::uint64_t{1} << x % BitImage::word;
    return none;
}

template <class T>
void PieceSums::measure(std::size_t first, std::size_t last) {
    std::vector<Box> boxes;
    for (std::size_t p = first; p < last; ++p) boxes.push_back(background_box(p));
    const BitImage none = no_background(boxes);
    const T* values = reinterpret_cast<const T*>(image_.pixels.data());
    const auto look_ahead = [&](const Box& box) {
        for (std::size_t y = box.y0; y < box.y1; ++y) {
            const std::size_t x0 = y * image_.width + box.x0, x1 = y * image_.width + box.x1;
            ask_for(values + x0, values + x1 - 1);
        }
    };
    for (std::size_t i = 0; i < std::min(boxes.size(), ahead); ++i) look_ahead(boxes[i]);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (i + ahead < boxes.size()) look_ahead(boxes[i + ahead]);
        const std::span<const SignalRun> runs = runs_of(first + i);
        SpotSums sums(frame_, runs.front().y, runs.front().x0);
        for (const SignalRun& run : runs)
            sums.add(run.y, run.x0,
                     std::span(values + run.y * image_.width + run.x0, std::size_t{run.x1} - run.x0));
        Background<T> background(image_, none);
        for (std::size_t y = boxes[i].y0; y < boxes[i].y1; ++y) background.add(y, boxes[i].x0, boxes[i].x1);
        background.give(sums);
        sums_[first + i] = sums;
    }
}

std::vector<SpotSums> measure(const FramePieces& pieces, const ImageView& image, std::size_t frame) {
    std::vector<std::uint8_t> ignored;
    for (const std::uint8_t byte : image.ignore) ignored.push_back(byte != 0 ? 1 : 0);
    const BitImage unused = packed(ignored, image.width);
    PieceSums sums;
    sums.start(pieces, image, unused, frame);
    for (std::size_t block = 0; block < sums.blocks(); ++block) sums.measure(block);
    return {sums.sums().begin(), sums.sums().end()};
}

}  // namespace ks::spots
