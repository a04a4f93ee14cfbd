#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace ks::spots {

/// Poisson numbers for one mean from 32 random bits each, using a table of the distribution, for images of
/// many pixels. Probabilities are accurate to 2^-32, so rarer counts never occur.
class PoissonTable {
  public:
    explicit PoissonTable(double mean);  ///< >= 0

    std::uint32_t operator()(std::uint32_t random) const {
        std::uint32_t k = first_[random >> 24];
        while (random > last_[k]) ++k;
        return k;
    }

  private:
    std::vector<std::uint32_t> last_;         ///< by count: the largest random number that yields it
    std::array<std::uint32_t, 256> first_{};  ///< by the upper 8 bits: the smallest count they can yield
};

}  // namespace ks::spots
