#include "gpu/xpcs/gram_totals.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ks::gpu::xpcs {

void DiagonalPart::merge(const DiagonalPart& later) {
    g += later.g;
    ss_over_n += later.ss_over_n;
    if (later.terms == 0) return;
    const double delta = later.mean - mean, n = static_cast<double>(terms),
                 more = static_cast<double>(later.terms);
    mean += delta * (more / (n + more));
    m2 += later.m2 + delta * delta * (n * more / (n + more));
    terms += later.terms;
}

double DiagonalPart::g2() const {
    return ss_over_n != 0 ? g / ss_over_n : std::numeric_limits<double>::quiet_NaN();
}

double DiagonalPart::g2_err() const {
    if (terms == 0) return std::numeric_limits<double>::quiet_NaN();
    const double n = static_cast<double>(terms);
    return std::sqrt(std::max(m2, 0.0) / n) / std::sqrt(n);
}

DiagonalPart GramTotals::part(std::size_t bin, std::size_t diagonal, std::size_t k) const {
    const std::size_t width = 2 * tile_, row = bin * tile_rows_ + diagonal, at = row * width + k;
    if (!combined_) return parts_[at];
    // G and the numbers of terms of all, then the three quantities per row.
    constexpr std::size_t quantities = 3;
    const std::uint64_t* const g = combined_->as<std::uint64_t>().data();
    const std::uint64_t* const n = g + values_;
    const std::uint64_t* const f = n + values_ + quantities * row * width + k;
    return {floats_ ? std::bit_cast<double>(g[at]) : static_cast<double>(g[at]), std::bit_cast<double>(f[0]),
            std::bit_cast<double>(f[width]), std::bit_cast<double>(f[2 * width]), n[at]};
}

DiagonalPart GramTotals::delay(std::size_t bin, std::size_t tau) const {
    const std::size_t diagonal = tau / tile_, within = tau % tile_;
    DiagonalPart sum = part(bin, diagonal, within + tile_ - 1);
    if (within > 0 && diagonal + 1 < tile_rows_) sum.merge(part(bin, diagonal + 1, within - 1));
    return sum;
}

}  // namespace ks::gpu::xpcs
