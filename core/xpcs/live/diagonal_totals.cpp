#include "core/xpcs/live/diagonal_totals.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/processors.h"

namespace ks::xpcs {
namespace {

/// What a frame has in common with a range of frames, from the first of them on.
template <class Product>
struct PairsOfFrame {
    const Product* products;
    const double *weights, *sums, *inverse, *has_counts;
    double pixels, sum, inverse_of_frame, frame_has_counts;
    std::size_t count;
};

/// Totals from the delay of the first of these frames on.
struct Totals {
    double *g, *ss, *c1, *c1_squared, *terms;
};

template <class Product>
struct AddPairs {
    __attribute__((always_inline)) static inline void run(PairsOfFrame<Product> of, Totals to) {
        double* __restrict g = to.g, * __restrict ss = to.ss, * __restrict c1 = to.c1, * __restrict squared = to.c1_squared, * __restrict terms = to.terms;
        const double scale = of.pixels * of.inverse_of_frame;
        for (std::size_t i = 0; i < of.count; ++i) {
            const double weight = of.weights[i], product = static_cast<double>(of.products[i]);
            g[i] += weight * product;
            ss[i] += weight * of.sum * of.sums[i];
            const double term = weight * of.has_counts[i] * of.frame_has_counts;
            const double from_1 = scale * of.inverse[i] * product - 1;
            c1[i] += term * from_1;
            squared[i] += term * from_1 * from_1;
            terms[i] += term;
        }
    }
};

}  // namespace

DiagonalTotals::DiagonalTotals(const BinPairs& bin, std::size_t delays)
    : bin_(bin),
      delays_(std::min(delays, bin.delays())),
      used_(bin.frames(), false),
      weights_(bin.frames(), 0) {
    for (std::size_t t = 0; t < bin.frames(); ++t) {
        sums_.push_back(bin.sum(t));
        const bool counts = sums_.back() != 0;
        inverse_.push_back(counts ? 1 / sums_.back() : 0);
        has_counts_.push_back(counts ? 1 : 0);
    }
    clear();
}

void DiagonalTotals::clear() {
    for (std::vector<double>* const of : {&g_, &ss_, &c1_, &c1_squared_, &terms_}) of->assign(delays_, 0);
    used_.assign(used_.size(), false);
    changed_ = 0;
}

void DiagonalTotals::use(const std::vector<bool>& frames) {
    const std::size_t n = used_.size();
    std::vector<std::size_t> changes;
    const auto find_changes = [&] {
        changes.clear();
        for (std::size_t t = 0; t < n; ++t)
            if (frames[t] != used_[t]) changes.push_back(t);
    };
    find_changes();
    // What is added and subtracted often enough leaves rounding errors, and costs as much as anew.
    if (changed_ > 0 && changed_ + changes.size() > n) {
        clear();
        find_changes();
    }
    changed_ += changes.size();
    for (std::size_t t = 0; t < n; ++t) {
        const std::size_t end = std::min(n, t + delays_);
        if (frames[t] != used_[t]) {
            // All its pairs were used before, or are now.
            const std::vector<bool>& with = frames[t] ? frames : used_;
            const double weight = frames[t] ? 1 : -1;
            for (std::size_t other = t; other < end; ++other) weights_[other] = with[other] ? weight : 0;
            add(t, t, end, weights_);
        } else if (frames[t]) {
            const auto first = std::ranges::lower_bound(changes, t),
                       last = std::ranges::lower_bound(changes, end);
            if (first == last) continue;
            const std::size_t from = *first, to = *(last - 1) + 1;
            for (std::size_t other = from; other < to; ++other)
                weights_[other] = (frames[other] ? 1.0 : 0.0) - (used_[other] ? 1.0 : 0.0);
            add(t, from, to, weights_);
        }
    }
    used_ = frames;
}

void DiagonalTotals::add(std::size_t t, std::size_t first, std::size_t end,
                         const std::vector<double>& weights) {
    const std::size_t delay = first - t;
    const Totals to{g_.data() + delay, ss_.data() + delay, c1_.data() + delay, c1_squared_.data() + delay,
                    terms_.data() + delay};
    std::visit(
        [&](const auto& products) {
            using Product = typename std::decay_t<decltype(products)>::value_type;
            const PairsOfFrame<Product> of{products.data() + bin_.row(t) + delay,
                                           weights.data() + first,
                                           sums_.data() + first,
                                           inverse_.data() + first,
                                           has_counts_.data() + first,
                                           static_cast<double>(bin_.pixels()),
                                           sums_[t],
                                           inverse_[t],
                                           has_counts_[t],
                                           end - first};
            run_on_this_processor<AddPairs<Product>, PairsOfFrame<Product>, Totals>(of, to);
        },
        bin_.products());
}

Curve DiagonalTotals::curve() const {
    Curve curve;
    for (std::size_t delay = 0; delay < delays_; ++delay) {
        const auto terms = static_cast<std::uint64_t>(std::max(0.0, terms_[delay]));
        // A total of no pairs may be left with rounding errors.
        const double ss = terms == 0 ? 0 : ss_[delay];
        const DiagonalSums sums{.g = g_[delay],
                                .ss_over_n = ss / static_cast<double>(bin_.pixels()),
                                .c1 = c1_[delay],
                                .c1_squared = c1_squared_[delay],
                                .terms = terms};
        curve.g2.push_back(sums.g2());
        curve.error.push_back(sums.g2_err());
    }
    return curve;
}

}  // namespace ks::xpcs
