#include "gpu/xpcs/gram_totals.h"

#include <algorithm>
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
    return ss_over_n > 0 ? g / ss_over_n : std::numeric_limits<double>::quiet_NaN();
}

double DiagonalPart::g2_err() const {
    if (terms == 0) return std::numeric_limits<double>::quiet_NaN();
    const double n = static_cast<double>(terms);
    return std::sqrt(std::max(m2, 0.0) / n) / std::sqrt(n);
}

DiagonalPart GramTotals::delay(std::size_t bin, std::size_t tau) const {
    const std::size_t diagonal = tau / tile_, within = tau % tile_;
    const auto part = [&](std::size_t d, std::size_t k) {
        return parts_[(bin * tile_rows_ + d) * 2 * tile_ + k];
    };
    DiagonalPart sum = part(diagonal, within + tile_ - 1);
    if (within > 0 && diagonal + 1 < tile_rows_) sum.merge(part(diagonal + 1, within - 1));
    return sum;
}

}  // namespace ks::gpu::xpcs
