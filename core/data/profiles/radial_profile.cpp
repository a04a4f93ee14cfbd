#include "core/data/profiles/radial_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/base/threads.h"
#include "core/data/valid_pixels.h"

namespace ks {
namespace {

/// Some pixels of a frame and the ring of each; `ignore` is null or has as many elements.
template <class T>
struct RingPixels {
    std::span<const T> values;
    std::span<const std::uint16_t> ring;
    const std::uint8_t* ignore;

    template <class Use>
    void each(const Use& use) const {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (is_shown_count(values[i]) && (ignore == nullptr || ignore[i] == 0)) use(ring[i], values[i]);
    }
};

/// The valid pixels of one ring: their number, their mean and its standard deviation (ddof 1).
struct RingMoments {
    std::size_t pixels;
    double mean, sigma;
};

namespace ring_sums {

__extension__ using u128 = unsigned __int128;

/// Integers of up to 32 bits: exact, in one pass.
struct Exact {
    std::uint64_t pixels = 0, sum = 0, square_low = 0, square_high = 0;

    void add(std::uint64_t value) {
        const std::uint64_t square = value * value;
        ++pixels;
        sum += value;
        square_low += square;
        square_high += square_low < square ? 1 : 0;
    }
    void add(const Exact& other) {
        pixels += other.pixels;
        sum += other.sum;
        square_low += other.square_low;
        square_high += other.square_high + (square_low < other.square_low ? 1 : 0);
    }
    RingMoments moments() const {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        if (pixels == 0) return {0, none, none};
        const auto n = static_cast<double>(pixels);
        const double mean = static_cast<double>(sum) / n;
        if (pixels < 2) return {pixels, mean, none};
        const u128 squares = (static_cast<u128>(square_high) << 64) | square_low;
        // n sum(v^2) - sum(v)^2 = n (n - 1) variance: below 2^128 up to 2^32 pixels of 32 bits
        const u128 scatter = pixels * squares - static_cast<u128>(sum) * sum;
        return {pixels, mean, std::sqrt(static_cast<double>(scatter) / (n * n * (n - 1)))};
    }
};

/// Wider integers and floats: the sum first, then the squares around the mean in a second pass. Sums of
/// 64-bit integers are exact (128 bits), those of floats are in double.
template <class Sum>
struct Plain {
    std::uint64_t pixels = 0;
    Sum sum = 0;
    double squares = 0;

    double mean() const { return static_cast<double>(sum) / static_cast<double>(pixels); }
};
}  // namespace ring_sums

/// Moments of each ring. part(block) returns the RingPixels of a block; each_block(work) calls work(block)
/// for all blocks, in any order and concurrently; blocks are added in order.
template <class T, class Part, class EachBlock>
std::vector<RingMoments> ring_moments(std::size_t blocks, std::size_t bins, const Part& part,
                                      const EachBlock& each_block) {
    std::vector<RingMoments> all;
    all.reserve(bins);
    if constexpr (std::is_integral_v<T> && sizeof(T) <= 4) {
        using Ring = ring_sums::Exact;
        std::vector<std::vector<Ring>> rings(blocks);
        each_block([&](std::size_t block) {
            rings[block].resize(bins);
            Ring* const mine = rings[block].data();
            part(block).each(
                [mine](std::uint16_t ring, T v) { mine[ring].add(static_cast<std::uint64_t>(v)); });
        });
        for (std::size_t bin = 0; bin < bins; ++bin) {
            for (std::size_t block = 1; block < blocks; ++block) rings[0][bin].add(rings[block][bin]);
            all.push_back(rings[0][bin].moments());
        }
    } else {
        using Ring = ring_sums::Plain<std::conditional_t<std::is_integral_v<T>, ring_sums::u128, double>>;
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        std::vector<std::vector<Ring>> rings(blocks);
        each_block([&](std::size_t block) {
            rings[block].resize(bins);
            Ring* const mine = rings[block].data();
            part(block).each([mine](std::uint16_t ring, T v) {
                ++mine[ring].pixels;
                mine[ring].sum += static_cast<decltype(Ring::sum)>(v);
            });
        });
        std::vector<Ring> total(bins);
        for (const std::vector<Ring>& block : rings)
            for (std::size_t bin = 0; bin < bins; ++bin) {
                total[bin].pixels += block[bin].pixels;
                total[bin].sum += block[bin].sum;
            }
        std::vector<double> mean(bins, none);
        for (std::size_t bin = 0; bin < bins; ++bin)
            if (total[bin].pixels > 0) mean[bin] = total[bin].mean();
        each_block([&](std::size_t block) {
            Ring* const mine = rings[block].data();
            part(block).each([mine, &mean](std::uint16_t ring, T v) {
                const double off = static_cast<double>(v) - mean[ring];
                mine[ring].squares += off * off;
            });
        });
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const auto n = static_cast<double>(total[bin].pixels);
            double squares = 0;
            for (std::size_t block = 0; block < blocks; ++block) squares += rings[block][bin].squares;
            all.push_back({total[bin].pixels, mean[bin], n > 1 ? std::sqrt(squares / (n * (n - 1))) : none});
        }
    }
    return all;
}

unsigned threads_or_cores(unsigned threads) {
    return threads > 0 ? threads : compute_threads();
}

/// Rows are divided into blocks depending on the image's size alone, so that sums do not depend on the number
/// of threads; small images are one block and start no thread.
struct RowBlocks {
    std::size_t height, count;
    RowBlocks(std::size_t rows, std::size_t width)
        : height(rows),
          count(std::clamp<std::size_t>(rows * width >> 17, 1, std::min<std::size_t>(rows, 16))) {}
    std::size_t first(std::size_t block) const { return height * block / count; }
};

template <class Work>
void for_blocks(const RowBlocks& blocks, unsigned threads, const Work& work) {
    Progress silent;
    parallel_for(blocks.count, threads_or_cores(threads), silent, work);
}

/// Converts a pixel's squared distance from the beam (along x and y, in the units that q needs)
/// to a position.
struct Scale {
    double x, y;    ///< squared distance of one pixel from the beam, in detector distances or pixels
    double factor;  ///< 4 pi / wavelength; 0 where the position is the radius

    /// sin^2(theta) = t^2 c^2 / (2 (1 + c)) with t = tan(2 theta), c = cos(2 theta): no trigonometry, and no
    /// digits lost at small angles.
    double position(double square) const {
        if (factor == 0) return std::sqrt(square);
        const double c2 = 1 / (1 + square), c = std::sqrt(c2);
        return factor * std::sqrt(square * c2 / (2 * (1 + c)));
    }
};

Scale scale_of(const Geometry& geometry) {
    if (!geometry.complete()) return {1, 1, 0};
    const double x = geometry.pixel_size_x * 1e-3 / geometry.distance;
    const double y = geometry.pixel_size_y * 1e-3 / geometry.distance;
    return {x * x, y * y, 4 * std::numbers::pi / geometry.wavelength};
}

double square_of(double offset) {
    return offset * offset;
}

/// Smallest and largest squared distance to `beam` of the centres of n pixels in a row.
std::pair<double, double> extremes(std::size_t n, double beam) {
    const double last = static_cast<double>(n) - 0.5;
    const double nearest = std::clamp(std::floor(beam) + 0.5, 0.5, last);
    return {square_of(nearest - beam), std::max(square_of(0.5 - beam), square_of(last - beam))};
}

}  // namespace

RadialBinning::RadialBinning(std::size_t height, std::size_t width, const Geometry& geometry,
                             std::size_t bins)
    : height_(height), width_(width), in_q_(geometry.complete()), ring_(height * width) {
    constexpr std::size_t maximum = std::numeric_limits<std::uint16_t>::max();
    if (bins == 0 || bins > maximum)
        throw Error(ErrorKind::input, fmt::format("expected 1 to {} rings, found {}", maximum, bins),
                    "rings");
    if (height == 0 || width == 0)
        throw Error(ErrorKind::input, fmt::format("expected an image, found {} x {} pixels", height, width),
                    "rings");
    const Scale scale = scale_of(geometry);
    const auto [near_x, far_x] = extremes(width, geometry.beam_x);
    const auto [near_y, far_y] = extremes(height, geometry.beam_y);
    const double minimum = scale.position(near_x * scale.x + near_y * scale.y);
    const double step =
        (scale.position(far_x * scale.x + far_y * scale.y) - minimum) / static_cast<double>(bins);
    if (!std::isfinite(minimum) || !std::isfinite(step))
        throw Error(ErrorKind::input, "the beam centre must be finite", "rings");
    positions_.resize(bins);
    for (std::size_t bin = 0; bin < bins; ++bin)
        positions_[bin] = minimum + (static_cast<double>(bin) + 0.5) * step;

    std::vector<double> across(width);
    for (std::size_t j = 0; j < width; ++j)
        across[j] = square_of(static_cast<double>(j) + 0.5 - geometry.beam_x) * scale.x;
    const double per_step = step > 0 ? 1 / step : 0, last = static_cast<double>(bins - 1);
    const RowBlocks blocks(height, width);
    for_blocks(blocks, 0, [&](std::size_t block) {
        for (std::size_t i = blocks.first(block); i < blocks.first(block + 1); ++i) {
            const double down = square_of(static_cast<double>(i) + 0.5 - geometry.beam_y) * scale.y;
            std::uint16_t* row = ring_.data() + i * width;
            for (std::size_t j = 0; j < width; ++j) {
                const double ring = (scale.position(across[j] + down) - minimum) * per_step;
                // Through int: there is no vector conversion from double to 16 bits.
                row[j] = static_cast<std::uint16_t>(static_cast<int>(std::min(std::max(ring, 0.0), last)));
            }
        }
    });
}

RadialProfile RadialBinning::profile(const Array& frame, const std::vector<std::uint8_t>* ignore,
                                     unsigned threads) const {
    require_frame(frame, ignore);
    if (frame.shape()[0] != height_ || frame.shape()[1] != width_)
        throw Error(ErrorKind::run, fmt::format("expected a frame of {} x {}, found {} x {}", height_, width_,
                                                frame.shape()[0], frame.shape()[1]));
    RadialProfile profile{in_q_, positions_, {}, {}, {}};
    profile.mean.reserve(bins());
    profile.sigma.reserve(bins());
    profile.pixels.reserve(bins());
    const RowBlocks blocks(height_, width_);
    visit_element(frame.type(), [&](auto zero) {
        using T = decltype(zero);
        const auto values = frame.as<T>();
        const auto part = [&](std::size_t block) {
            const std::size_t from = blocks.first(block) * width_, to = blocks.first(block + 1) * width_;
            return RingPixels<T>{values.subspan(from, to - from), std::span(ring_).subspan(from, to - from),
                                 ignore == nullptr ? nullptr : ignore->data() + from};
        };
        const auto each_block = [&](const auto& work) { for_blocks(blocks, threads, work); };
        for (const RingMoments& ring : ring_moments<T>(blocks.count, bins(), part, each_block)) {
            profile.pixels.push_back(ring.pixels);
            profile.mean.push_back(ring.mean);
            profile.sigma.push_back(ring.sigma);
        }
    });
    return profile;
}

}  // namespace ks
