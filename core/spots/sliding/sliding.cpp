#include "core/spots/sliding/sliding.h"

#include <algorithm>
#include <functional>
#include <memory>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/spots/sliding/background_test.h"
#include "core/spots/sliding/erosion.h"
#include "core/spots/sliding/sliding_basic.h"
#include "core/spots/sliding/sliding_extended.h"
#include "core/spots/sliding/sliding_real.h"

namespace ks::spots {
namespace {

/// The rows of one image of a frame that form one piece of work.
struct Piece {
    std::size_t module;
    Band band;
};

class SlidingSearch {
  public:
    SlidingSearch(const ImageView& frame, const ModuleLayout& layout, const Thresholds& t, unsigned threads,
                  Progress& progress)
        : t_(t), test_(t), layout_(layout), threads_(threads), progress_(progress), end_(frame.limit) {
        for (const ModuleLayout::Origin& origin : layout.origins)
            images_.push_back(sliding_image(frame, layout, origin, t_, test_));
        // A few pieces per thread, as a core may be busy with other work; each sums 2
        // kernel_y additional rows.
        const std::size_t rows = layout.modules() * layout.height;
        const std::size_t high = std::clamp<std::size_t>(rows / (std::size_t{8} * threads), 32, 512);
        for (std::size_t module = 0; module < layout.modules(); ++module)
            for (std::size_t y = 0; y < layout.height; y += high)
                pieces_.push_back({module, {y, std::min(layout.height, y + high)}});
        found_.resize(pieces_.size());
    }

    void run(std::vector<std::uint32_t>& signal) {
        signal.clear();
        if (images_.empty() || images_.front()->none_valid()) return;
        if (t_.algorithm == Algorithm::dispersion)
            for_pieces([&](std::size_t i) { basic(i); });
        else
            extended();
        for (const std::vector<std::uint32_t>& part : found_)
            signal.insert(signal.end(), part.begin(), part.end());
        if (!layout_.is_whole()) std::ranges::sort(signal);
    }

  private:
    void for_pieces(const std::function<void(std::size_t)>& work) {
        parallel_for(pieces_.size(), threads_, progress_, work);
    }

    SignalList keep(std::size_t piece) {
        const ModuleLayout::Origin origin = layout_.origins[pieces_[piece].module];
        return {found_[piece], origin.y * layout_.frame_width + origin.x, layout_.frame_width};
    }

    void basic(std::size_t piece) {
        const auto [module, band] = pieces_[piece];
        const SlidingImage& image = *images_[module];
        sums_below(image, band, keep(piece));
        if (end_ <= sums_limit) return;
        const std::size_t before = found_[piece].size();
        image.large_counts(band, end_, keep(piece));
        if (found_[piece].size() > before) std::ranges::sort(found_[piece]);
    }

    void sums_below(const SlidingImage& image, Band band, const SignalList& found) {
        const double maximum = image.real ? 0 : image.usual_max(band);
        if (image.real || maximum >= rows::saturated)
            RealBand(image, t_, test_, band).run_basic(progress_, found);
        else if (maximum <= BasicBand<std::uint16_t>::largest_cap(t_))
            BasicBand<std::uint16_t>(image, t_, test_, band).run(progress_, found);
        else
            BasicBand<std::uint32_t>(image, t_, test_, band).run(progress_, found);
    }

    void extended() {
        std::vector<BitImage> kept;
        for (std::size_t module = 0; module < images_.size(); ++module)
            kept.emplace_back(layout_.height, layout_.width);
        for_pieces([&](std::size_t i) { find_kept(pieces_[i], kept[pieces_[i].module]); });
        for_pieces([&](std::size_t i) { over_background(i, kept[pieces_[i].module]); });
    }

    void find_kept(const Piece& piece, BitImage& kept) {
        const std::size_t reach = erosion_reach(t_), y0 = piece.band.y0 - std::min(piece.band.y0, reach),
                          y1 = std::min(layout_.height, piece.band.y1 + reach);
        BitImage dispersed(y1 - y0, layout_.width, y0);
        find_dispersed(*images_[piece.module], {y0, y1}, dispersed);
        erode(dispersed, reach, layout_.height, piece.band, kept);
    }

    void find_dispersed(const SlidingImage& image, Band band, BitImage& out) {
        if (!image.real && image.usual_max(band) <= DispersedStretch::largest(t_))
            DispersedBand(image, t_, test_, band).run(progress_, out);
        else
            RealBand(image, t_, test_, band).run_dispersed(progress_, out);
    }

    void over_background(std::size_t piece, const BitImage& kept) {
        const auto [module, band] = pieces_[piece];
        const SlidingImage& image = *images_[module];
        BackgroundTest columns(image, t_);
        const SignalList found = keep(piece);
        for (std::size_t y = band.y0; y < band.y1; ++y) {
            progress_.check();
            for (std::size_t word = 0; word < kept.words(); ++word) {
                const std::uint64_t bits = kept.row(y)[word];
                if (bits == 0) continue;
                const std::size_t x = word * BitImage::word;
                // Floats must be added in the order of the definition.
                for_each_bit(image.real ? bits : columns.signal(y, word, kept), [&](std::size_t bit) {
                    if (!image.real || (x + bit < layout_.width && image.over_background(y, x + bit, kept)))
                        found(y, x + bit);
                });
            }
        }
    }

    const Thresholds& t_;
    DispersionTest test_;
    const ModuleLayout& layout_;
    unsigned threads_;
    Progress& progress_;
    double end_;  ///< counts from here on are invalid, also for the tested pixel
    std::vector<std::unique_ptr<SlidingImage>> images_;  ///< without the counts excluded from sums
    std::vector<Piece> pieces_;
    std::vector<std::vector<std::uint32_t>> found_;  ///< per piece
};

}  // namespace

void find_signal_sliding(const ImageView& frame, const ModuleLayout& layout, const Thresholds& thresholds,
                         unsigned threads, Progress& progress, std::vector<std::uint32_t>& signal) {
    const std::size_t pixels = frame.height * frame.width;
    if (frame.pixels.size() != pixels * size_of(frame.type) || frame.ignore.size() != pixels ||
        layout.frame_height != frame.height || layout.frame_width != frame.width)
        throw Error(ErrorKind::run,
                    "the pixel values, the mask and the modules do not match the size of the image");
    SlidingSearch(frame, layout, thresholds, threads, progress).run(signal);
}

void find_signal_sliding(const ImageView& image, const Thresholds& thresholds, unsigned threads,
                         Progress& progress, std::vector<std::uint32_t>& signal) {
    find_signal_sliding(image, ModuleLayout::whole(image.height, image.width), thresholds, threads, progress,
                        signal);
}

}  // namespace ks::spots
