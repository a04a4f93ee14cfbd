#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/progress.h"

namespace ks::xpcs {

/// A view of the counts of some pixels: `frames` rows of `pixels` elements, `stride` elements apart.
template <class T>
struct BinCounts {
    const T* first;
    std::size_t frames, pixels, stride;

    const T* row(std::size_t t) const { return first + t * stride; }
    /// Pixels [from, end) of each row.
    BinCounts columns(std::size_t from, std::size_t end) const {
        return {first + from, frames, end - from, stride};
    }
};

/// The sums of one bin over its N pixels: S(t) per frame, and G(t, t + delay) for every pair of frames whose
/// delay is below delays(). Everything that is a curve, an error over time or a two-time map follows from
/// them without the frames. For whole counts, all sums are exact integers.
class BinPairs {
  public:
    /// The products of pairs: u32 if they are whole numbers that fit it, u64 if they are whole, else double.
    using Products =
        std::variant<std::vector<std::uint32_t>, std::vector<std::uint64_t>, std::vector<double>>;
    /// The sums of frames: u64 if they are whole numbers, else double.
    using Sums = std::variant<std::vector<std::uint64_t>, std::vector<double>>;

    BinPairs() = default;
    /// The sums of counts T: uint16_t or uint32_t for whole numbers, float for others. No sum may exceed 64
    /// bits (CorrelationProblem checks it).
    /// @param largest no count is larger (or, for floats, any value)
    template <class T>
    BinPairs(const BinCounts<T>& counts, std::size_t delays, double largest, unsigned threads,
             Progress& progress);
    /// From stored sums. Throws ks::Error(input) if their numbers do not fit frames and delays.
    BinPairs(std::size_t pixels, std::size_t frames, std::size_t delays, Products products, Sums sums);

    std::size_t frames() const { return frames_; }
    /// Delays 0 .. delays() - 1 are kept.
    std::size_t delays() const { return delays_; }
    std::size_t pixels() const { return pixels_; }
    bool whole() const { return std::holds_alternative<std::vector<std::uint64_t>>(sums_); }
    /// In the order of t, then of the delay: row t has min(delays(), frames() - t) elements from row(t) on.
    const Products& products() const { return products_; }
    const Sums& sums() const { return sums_; }
    std::size_t row(std::size_t t) const { return row_begin(t, frames_, delays_); }
    double sum(std::size_t t) const {
        return std::visit([t](const auto& of) { return static_cast<double>(of[t]); }, sums_);
    }
    double product(std::size_t t, std::size_t delay) const {
        return std::visit([at = row(t) + delay](const auto& of) { return static_cast<double>(of[at]); },
                          products_);
    }

    /// The sums of these pixels without those of `some` of them, with as many frames and delays.
    BinPairs without(const BinPairs& some) const;
    /// The sums of a shorter series: frames [first, end).
    BinPairs part(std::size_t first, std::size_t end) const;
    /// The sums of the series in which every stride-th frame is taken, from frame 0 on, and then each
    /// `average` consecutive ones are added up; frames at the end that do not fill a sum are omitted. Equals
    /// the sums of that series to the bit if they are whole. Throws ks::Error(input) if no frame is left, or
    /// no delay, or if a sum could exceed 64 bits.
    BinPairs reduced(std::size_t stride, std::size_t average) const;

    /// Index of the first product of frame t.
    static std::size_t row_begin(std::size_t t, std::size_t frames, std::size_t delays) {
        const std::size_t full = frames - delays + 1;  // rows with as many elements as delays
        const std::size_t missing = t > full ? t - full : 0;
        return t * delays - missing * (missing + 1) / 2;
    }
    /// Number of products.
    static std::size_t pairs_of(std::size_t frames, std::size_t delays) {
        return row_begin(frames, frames, delays);
    }

  private:
    std::size_t pixels_ = 0, frames_ = 0, delays_ = 0;
    Products products_;
    Sums sums_;
};

}  // namespace ks::xpcs
