#include "core/xpcs/pairs/bin_pairs.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/parallel.h"

namespace ks::xpcs {
namespace {

/// Rows of the frames that are multiplied with one row at a time, so that this row is loaded once.
constexpr std::size_t at_once = 4;
template <class T>
using Rows = std::array<const T*, at_once>;
template <class T>
using Dots = std::array<T, at_once>;

/// The products of a row with several others over n pixels. GCC makes multiply-add instructions of pairs of
/// 16 bits of this loop.
void multiply(const std::int16_t* a, const Rows<std::int16_t>& b, std::size_t n, Dots<std::int32_t>& out) {
    std::int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    const auto [b0, b1, b2, b3] = b;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t left = a[i];
        s0 += left * std::int32_t{b0[i]};
        s1 += left * std::int32_t{b1[i]};
        s2 += left * std::int32_t{b2[i]};
        s3 += left * std::int32_t{b3[i]};
    }
    out = {s0, s1, s2, s3};
}

/// The same for other types, in 64-bit integers or in double with eight running sums.
template <class T, class Sum>
void multiply(const T* a, const Rows<T>& b, std::size_t n, Dots<Sum>& out) {
    for (std::size_t k = 0; k < at_once; ++k) {
        std::array<Sum, 8> parts{};
        const T* const other = b[k];
        std::size_t i = 0;
        for (; i + parts.size() <= n; i += parts.size())
            for (std::size_t j = 0; j < parts.size(); ++j)
                parts[j] += static_cast<Sum>(a[i + j]) * static_cast<Sum>(other[i + j]);
        for (; i < n; ++i) parts[0] += static_cast<Sum>(a[i]) * static_cast<Sum>(other[i]);
        Sum sum{};
        for (const Sum part : parts) sum += part;
        out[k] = sum;
    }
}

/// Adds the products of all pairs of the rows to `products`, in pieces of at most `piece` pixels.
/// @tparam Dot type of the sum over a piece, which holds it
template <class Dot, class T, class Product>
void add_products(const BinCounts<T>& counts, std::size_t delays, std::size_t piece, unsigned threads,
                  Progress& progress, std::vector<Product>& products) {
    constexpr std::size_t block = 8;
    const std::size_t frames = counts.frames;
    parallel_for((frames + block - 1) / block, threads, progress, [&](std::size_t index) {
        const std::size_t first = index * block, end = std::min(frames, first + block);
        for (std::size_t pixel = 0; pixel < counts.pixels; pixel += piece) {
            const std::size_t n = std::min(piece, counts.pixels - pixel);
            for (std::size_t group = first; group < std::min(frames, end - 1 + delays); group += at_once) {
                Rows<T> others;
                for (std::size_t k = 0; k < at_once; ++k)
                    others[k] = counts.row(std::min(group + k, frames - 1)) + pixel;
                for (std::size_t t = first; t < end; ++t) {
                    if (group + at_once <= t || group >= t + delays) continue;
                    Dots<Dot> dots;
                    multiply(counts.row(t) + pixel, others, n, dots);
                    Product* const row = products.data() + BinPairs::row_begin(t, frames, delays);
                    for (std::size_t k = 0; k < at_once; ++k)
                        if (const std::size_t other = group + k;
                            other >= t && other - t < delays && other < frames)
                            row[other - t] =
                                static_cast<Product>(row[other - t] + static_cast<Product>(dots[k]));
                }
            }
        }
    });
}

template <class Sum, class T>
std::vector<Sum> frame_sums(const BinCounts<T>& counts) {
    std::vector<Sum> sums(counts.frames, 0);
    for (std::size_t t = 0; t < counts.frames; ++t)
        for (std::size_t i = 0; i < counts.pixels; ++i) sums[t] += static_cast<Sum>(counts.row(t)[i]);
    return sums;
}

/// The largest product, which is that of a frame with itself (Cauchy and Schwarz).
template <class T>
std::uint64_t largest_product(const BinCounts<T>& counts) {
    std::uint64_t largest = 0;
    for (std::size_t t = 0; t < counts.frames; ++t) {
        std::uint64_t square = 0;
        for (std::size_t i = 0; i < counts.pixels; ++i)
            square += std::uint64_t{counts.row(t)[i]} * counts.row(t)[i];
        largest = std::max(largest, square);
    }
    return largest;
}

/// The sum of the products of frames [t1, t1 + n) with frames [t2, t2 + n), t1 <= t2, each `stride` apart.
template <class Sum, class Product>
Sum block_sum(const BinPairs& of, const std::vector<Product>& products, std::size_t t1, std::size_t t2,
              std::size_t n, std::size_t stride) {
    Sum sum = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const std::size_t a = t1 + i * stride, b = t2 + j * stride;
            sum += static_cast<Sum>(products[of.row(std::min(a, b)) + (std::max(a, b) - std::min(a, b))]);
        }
    return sum;
}

}  // namespace

template <class T>
BinPairs::BinPairs(const BinCounts<T>& counts, std::size_t delays, double largest, unsigned threads,
                   Progress& progress)
    : pixels_(counts.pixels), frames_(counts.frames), delays_(std::min(delays, counts.frames)) {
    constexpr std::size_t cached = 8192;  // pixels of a row that stay in the cache
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    const std::size_t pairs = pairs_of(frames_, delays_);
    if constexpr (std::is_floating_point_v<T>) {
        sums_ = frame_sums<double>(counts);
        auto& products = products_.template emplace<std::vector<double>>(pairs);
        add_products<double>(counts, delays_, cached, threads, progress, products);
    } else {
        sums_ = frame_sums<std::uint64_t>(counts);
        const auto add = [&](auto& products) {
            if constexpr (std::is_same_v<T, std::uint16_t>)
                if (const double square = std::max(1.0, largest * largest); square * 256 <= most) {
                    const BinCounts<std::int16_t> narrow{reinterpret_cast<const std::int16_t*>(counts.first),
                                                         counts.frames, counts.pixels, counts.stride};
                    const auto piece = static_cast<std::size_t>(std::min(most / square, double{cached}));
                    add_products<std::int32_t>(narrow, delays_, piece, threads, progress, products);
                    return;
                }
            add_products<std::uint64_t>(counts, delays_, cached, threads, progress, products);
        };
        if (largest_product(counts) <= std::numeric_limits<std::uint32_t>::max())
            add(products_.template emplace<std::vector<std::uint32_t>>(pairs));
        else
            add(products_.template emplace<std::vector<std::uint64_t>>(pairs));
    }
}

template BinPairs::BinPairs(const BinCounts<std::uint16_t>&, std::size_t, double, unsigned, Progress&);
template BinPairs::BinPairs(const BinCounts<std::uint32_t>&, std::size_t, double, unsigned, Progress&);
template BinPairs::BinPairs(const BinCounts<float>&, std::size_t, double, unsigned, Progress&);

BinPairs::BinPairs(std::size_t pixels, std::size_t frames, std::size_t delays, Products products, Sums sums)
    : pixels_(pixels),
      frames_(frames),
      delays_(delays),
      products_(std::move(products)),
      sums_(std::move(sums)) {
    const std::size_t found = std::visit([](const auto& of) { return of.size(); }, products_);
    const std::size_t of_frames = std::visit([](const auto& of) { return of.size(); }, sums_);
    const bool alike = whole() != std::holds_alternative<std::vector<double>>(products_);
    if (delays == 0 || delays > frames || of_frames != frames || found != pairs_of(frames, delays) || !alike)
        throw Error(ErrorKind::input,
                    fmt::format("{} products and {} sums are not those of the pairs of {} frames up to a "
                                "delay of {}",
                                found, of_frames, frames, delays == 0 ? 0 : delays - 1));
}

BinPairs BinPairs::without(const BinPairs& some) const {
    if (some.frames_ != frames_ || some.delays_ != delays_ || some.whole() != whole() ||
        some.pixels_ > pixels_)
        throw Error(ErrorKind::run, "pairs of other frames cannot be subtracted");
    BinPairs rest = *this;
    rest.pixels_ -= some.pixels_;
    const auto subtract = [](auto& all, const auto& part) {
        using Sum = typename std::decay_t<decltype(all)>::value_type;
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = static_cast<Sum>(all[i] - static_cast<Sum>(part[i]));
    };
    std::visit(subtract, rest.products_, some.products_);
    std::visit(subtract, rest.sums_, some.sums_);
    return rest;
}

BinPairs BinPairs::part(std::size_t first, std::size_t end) const {
    if (first >= end || end > frames_) throw Error(ErrorKind::input, "the part of the series has no frames");
    BinPairs cut;
    cut.pixels_ = pixels_;
    cut.frames_ = end - first;
    cut.delays_ = std::min(delays_, cut.frames_);
    std::visit(
        [&](const auto& from) {
            std::decay_t<decltype(from)> to;
            to.reserve(pairs_of(cut.frames_, cut.delays_));
            for (std::size_t t = first; t < end; ++t) {
                const auto begin = from.begin() + static_cast<std::ptrdiff_t>(row(t));
                to.insert(to.end(), begin,
                          begin + static_cast<std::ptrdiff_t>(std::min(cut.delays_, end - t)));
            }
            cut.products_ = std::move(to);
        },
        products_);
    std::visit(
        [&](const auto& from) {
            cut.sums_ = std::decay_t<decltype(from)>(from.begin() + static_cast<std::ptrdiff_t>(first),
                                                     from.begin() + static_cast<std::ptrdiff_t>(end));
        },
        sums_);
    return cut;
}

BinPairs BinPairs::reduced(std::size_t stride, std::size_t average) const {
    const std::size_t step = stride * average;
    const std::size_t taken = stride == 0 ? 0 : (frames_ + stride - 1) / stride;
    BinPairs some;
    some.pixels_ = pixels_;
    some.frames_ = average == 0 ? 0 : taken / average;
    if (some.frames_ == 0)
        throw Error(ErrorKind::input, fmt::format("{} frames are too few for a stride of {} and sums of {}",
                                                  frames_, stride, average));
    // The last frame of a sum and the first of another are the furthest apart.
    const std::size_t within = (average - 1) * stride;
    if (delays_ <= within)
        throw Error(ErrorKind::input,
                    fmt::format("pairs up to a delay of {} do not hold those of a sum of {} frames",
                                delays_ - 1, average));
    some.delays_ = std::min(some.frames_, (delays_ - 1 - within) / step + 1);
    if (whole()) {
        double largest = 0;
        for (std::size_t t = 0; t < frames_; ++t) largest = std::max(largest, product(t, 0));
        const auto n = static_cast<double>(average);
        if (largest * n * n * static_cast<double>(some.frames_) >= 0x1p63)
            throw Error(ErrorKind::input, "the sums of added frames could exceed 64 bits");
    }
    std::visit(
        [&](const auto& from) {
            using Product = typename std::decay_t<decltype(from)>::value_type;
            using Sum = std::conditional_t<std::is_integral_v<Product>, std::uint64_t, double>;
            std::vector<Sum> to;
            to.reserve(pairs_of(some.frames_, some.delays_));
            for (std::size_t t = 0; t < some.frames_; ++t)
                for (std::size_t delay = 0; delay < std::min(some.delays_, some.frames_ - t); ++delay)
                    to.push_back(block_sum<Sum>(*this, from, t * step, (t + delay) * step, average, stride));
            some.products_ = std::move(to);
        },
        products_);
    std::visit(
        [&](const auto& from) {
            std::decay_t<decltype(from)> to(some.frames_, 0);
            for (std::size_t t = 0; t < some.frames_; ++t)
                for (std::size_t i = 0; i < average; ++i) to[t] += from[t * step + i * stride];
            some.sums_ = std::move(to);
        },
        sums_);
    return some;
}

}  // namespace ks::xpcs
