#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace ks::spots {

/// Poisson numbers of one mean from 32 random bits each by a table of the distribution, for images of many
/// pixels. Probabilities are those of the distribution to 2^-32, so counts rarer than that never come.
class PoissonTable {
  public:
    explicit PoissonTable(double mean);  ///< >= 0

    std::uint32_t operator()(std::uint32_t random) const {
        std::uint32_t k = first_[random >> 24];
        while (random > last_[k]) ++k;
        return k;
    }

  private:
    std::vector<std::uint32_t> last_;         ///< by count: the largest random number that gives it
    std::array<std::uint32_t, 256> first_{};  ///< by the upper 8 bits: the smallest count that they can give
};

}  // namespace ks::spots
