#include "core/xpcs/two_time/small_map.h"

#include <algorithm>
#include <limits>

namespace ks::xpcs {

std::vector<double> small_two_time_of(const BinPairs& bin, const std::vector<bool>& used, std::size_t cells) {
    const std::size_t frames = bin.frames();
    std::vector<double> sums(cells * cells, 0), numbers = sums;
    const auto pixels = static_cast<double>(bin.pixels());
    const auto cell = [&](std::size_t t) { return t * cells / frames; };
    for (std::size_t t = 0; t < frames; ++t)
        for (std::size_t delay = 1; used[t] && delay < std::min(bin.delays(), frames - t); ++delay) {
            const double denominator = bin.sum(t) * bin.sum(t + delay);
            if (!used[t + delay] || denominator == 0) continue;
            const std::size_t at = cell(t) * cells + cell(t + delay);
            sums[at] += pixels * bin.product(t, delay) / denominator;
            ++numbers[at];
        }
    std::vector<double> map(cells * cells, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t a = 0; a < cells; ++a)
        for (std::size_t b = a; b < cells; ++b)
            if (numbers[a * cells + b] > 0)
                map[a * cells + b] = map[b * cells + a] = sums[a * cells + b] / numbers[a * cells + b];
    return map;
}

}  // namespace ks::xpcs
