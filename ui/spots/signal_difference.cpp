#include "ui/spots/signal_difference.h"

#include <algorithm>
#include <iterator>

namespace ks::ui::spots {

SignalDifference difference(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    SignalDifference found;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(found.onlyA));
    std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(found.onlyB));
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(found.both));
    return found;
}

DifferenceCounts countDifference(const FoundSpots& a, const FoundSpots& b) {
    DifferenceCounts counts;
    for (int frame = std::max(a.first(), b.first()); frame < std::min(a.end(), b.end()); ++frame) {
        const SignalDifference here = difference(a.signal(frame), b.signal(frame));
        counts.onlyA += here.onlyA.size();
        counts.onlyB += here.onlyB.size();
        counts.both += here.both.size();
        ++counts.frames;
    }
    return counts;
}

}  // namespace ks::ui::spots
