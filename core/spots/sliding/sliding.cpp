#include "core/spots/sliding/sliding.h"

#include <algorithm>
#include <functional>
#include <string>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/data/valid_pixels.h"
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

template <class T>
class SlidingSearch {
    static constexpr bool real = Pixels<T>::real;

  public:
    SlidingSearch(const ImageView& frame, const ModuleLayout& layout, const Thresholds& t, unsigned threads,
                  Progress& progress)
        : t_(t), test_(t), layout_(layout), threads_(threads), progress_(progress), end_(frame.limit) {
        const double limit = std::min(frame.limit, sums_limit);
        for (const ModuleLayout::Origin& origin : layout.origins) {
            const std::size_t first = origin.y * layout.frame_width + origin.x;
            images_.emplace_back(reinterpret_cast<const T*>(frame.pixels.data()) + first,
                                 frame.ignore.data() + first, layout.height, layout.width, layout.frame_width,
                                 limit);
        }
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
        if (images_.empty() || images_.front().none_valid) return;
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

    auto keep(std::size_t piece) {
        const ModuleLayout::Origin origin = layout_.origins[pieces_[piece].module];
        return [this, piece, origin](std::size_t y, std::size_t x) {
            found_[piece].push_back(
                static_cast<std::uint32_t>((origin.y + y) * layout_.frame_width + origin.x + x));
        };
    }

    void basic(std::size_t piece) {
        sums_below(piece);
        if constexpr (sizeof(T) >= 4)
            if (end_ > sums_limit) large_counts(piece);
    }

    /// Tests the counts that are excluded from sums.
    void large_counts(std::size_t piece) {
        const auto [module, band] = pieces_[piece];
        const Pixels<T>& image = images_[module];
        const PixelWindow<T> window(image, t_, test_);
        const auto found = keep(piece);
        const std::size_t before = found_[piece].size();
        for (std::size_t y = band.y0; y < band.y1; ++y) {
            const T* const row = image.values + image.at(y, 0);
            if (!rows::any_from(row, image.width, static_cast<T>(sums_limit))) continue;
            for (std::size_t x = 0; x < image.width; ++x) {
                const auto p = static_cast<double>(row[x]);
                if (p >= sums_limit && p < end_ && is_count(row[x]) && p > t_.global_threshold &&
                    image.ignore[image.at(y, x)] == 0 && window.tests(y, x))
                    found(y, x);
            }
        }
        if (found_[piece].size() > before) std::ranges::sort(found_[piece]);
    }

    void sums_below(std::size_t piece) {
        const auto [module, band] = pieces_[piece];
        const Pixels<T>& image = images_[module];
        if constexpr (!real) {
            const double maximum = usual_max(image, band);
            if (maximum <= BasicBand<T, std::uint16_t>::largest_cap(t_)) {
                BasicBand<T, std::uint16_t>(image, t_, test_, band).run(progress_, keep(piece));
                return;
            }
            if (maximum < rows::saturated) {
                BasicBand<T, std::uint32_t>(image, t_, test_, band).run(progress_, keep(piece));
                return;
            }
        }
        RealBand<T>(image, t_, test_, band).run_basic(progress_, keep(piece));
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
        find_dispersed(images_[piece.module], {y0, y1}, dispersed);
        erode(dispersed, reach, layout_.height, piece.band, kept);
    }

    void find_dispersed(const Pixels<T>& image, Band band, BitImage& out) {
        if constexpr (!real)
            if (usual_max(image, band) <= DispersedBand<T>::largest(t_)) {
                DispersedBand<T>(image, t_, test_, band).run(progress_, out);
                return;
            }
        RealBand<T>(image, t_, test_, band).run_dispersed(progress_, out);
    }

    void over_background(std::size_t piece, const BitImage& kept) {
        const auto [module, band] = pieces_[piece];
        const Pixels<T>& image = images_[module];
        [[maybe_unused]] const PixelWindow<T> window(image, t_, test_);
        [[maybe_unused]] BackgroundTest<T> columns(image, t_);
        const auto found = keep(piece);
        for (std::size_t y = band.y0; y < band.y1; ++y) {
            progress_.check();
            for (std::size_t word = 0; word < kept.words(); ++word) {
                if (kept.row(y)[word] == 0) continue;
                const std::size_t x = word * BitImage::word;
                // Floats must be added in the order of the definition.
                if constexpr (real)
                    for_each_bit(kept.row(y)[word], [&](std::size_t bit) {
                        if (x + bit < layout_.width && window.over_background(y, x + bit, kept))
                            found(y, x + bit);
                    });
                else
                    for_each_bit(columns.signal(y, word, kept), [&](std::size_t bit) { found(y, x + bit); });
            }
        }
    }

    const Thresholds& t_;
    DispersionTest test_;
    const ModuleLayout& layout_;
    unsigned threads_;
    Progress& progress_;
    double end_;                     ///< counts from here on are invalid, also for the tested pixel
    std::vector<Pixels<T>> images_;  ///< without the counts excluded from sums
    std::vector<Piece> pieces_;
    std::vector<std::vector<std::uint32_t>> found_;  ///< per piece
};

}  // namespace

void find_signal_sliding(const ImageView& frame, const ModuleLayout& layout, const Thresholds& thresholds,
                         unsigned threads, Progress& progress, std::vector<std::uint32_t>& signal) {
    const std::size_t pixels = frame.height * frame.width;
    if (frame.pixels.size() != pixels * size_of(frame.type) || frame.ignore.size() != pixels ||
        layout.frame_height != frame.height || layout.frame_width != frame.width)
        throw Error(ErrorKind::run, "pixels, mask and modules do not have the size of the image");
    visit_element(frame.type, [&](auto value) {
        using T = decltype(value);
        if constexpr (std::is_same_v<T, std::uint64_t> || std::is_same_v<T, double>)
            throw Error(ErrorKind::run,
                        std::string("unsupported pixel type for spots: ") + name_of(frame.type));
        else
            SlidingSearch<T>(frame, layout, thresholds, threads, progress).run(signal);
    });
}

void find_signal_sliding(const ImageView& image, const Thresholds& thresholds, unsigned threads,
                         Progress& progress, std::vector<std::uint32_t>& signal) {
    find_signal_sliding(image, ModuleLayout::whole(image.height, image.width), thresholds, threads, progress,
                        signal);
}

}  // namespace ks::spots
