#include "core/xpcs/two_time/kept_counts.h"

#include <limits>

namespace ks::xpcs {

std::vector<double> kept_counts(const Result& result, std::size_t bin) {
    const Dataset *const sums = result.find("pair_sums"), *const pixels = result.find("pair_pixels"),
                         *const used = result.find("pair_used");
    if (!sums || !pixels || !used) return {};
    const std::vector<double> of_bins = pixels->values.to_doubles(), of_frames = used->values.to_doubles(),
                              all = sums->values.to_doubles();
    // It may come from a file.
    if (bin >= of_bins.size() || !(of_bins[bin] > 0) || all.size() != of_bins.size() * of_frames.size())
        return {};
    std::vector<double> counts;
    for (std::size_t t = 0; t < of_frames.size(); ++t)
        counts.push_back(of_frames[t] != 0 ? all[bin * of_frames.size() + t] / of_bins[bin]
                                           : std::numeric_limits<double>::quiet_NaN());
    return counts;
}

}  // namespace ks::xpcs
