#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "core/data/valid_pixels.h"

namespace ks {

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

}  // namespace ks
