#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/xpcs/pairs/bin_pairs.h"
#include "core/xpcs/pairs/curves.h"

namespace ks::xpcs {

/// The sums along the diagonals of a bin's pairs of used frames, i.e. per delay, from which g2 as the ratio
/// of sums and its published error follow. A change of the used frames costs as many pairs as the changed
/// frames are part of, so it follows a hand that drags a range of frames.
class DiagonalTotals {
  public:
    /// @param bin with pixels; outlives this @param delays that are summed, at most those of the bin
    DiagonalTotals(const BinPairs& bin, std::size_t delays);

    /// The frames that are used from now on, [frame]; none at first.
    void use(const std::vector<bool>& frames);
    /// g2 and its error at each delay, NaN where undefined. They differ from curve_of() by rounding (1e-12
    /// relative), because a change subtracts what an earlier one has added.
    Curve curve() const;

  private:
    /// Adds the pairs of frame t with frames [first, end), each with its weight: 1, 0 or -1.
    void add(std::size_t t, std::size_t first, std::size_t end, const std::vector<double>& weights);
    void clear();

    const BinPairs& bin_;
    std::size_t delays_;
    std::vector<double> sums_, inverse_, has_counts_;  ///< [frame]: S; 1 / S, or 0; 1 if S is not 0, else 0
    std::vector<bool> used_;
    std::size_t changed_ = 0;      ///< frames that have changed since clear()
    std::vector<double> weights_;  ///< [frame]
    /// [delay]: G, S S, C - 1 and its square for pairs with S S != 0, and the number of these.
    std::vector<double> g_, ss_, c1_, c1_squared_, terms_;
};

}  // namespace ks::xpcs
