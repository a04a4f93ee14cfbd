#pragma once

#include <cstddef>
#include <vector>

#include "core/xpcs/live/live_pairs.h"
#include "core/xpcs/pairs/reduced_frames.h"

namespace ks::ui::xpcs {

/// The frames with pairs that a request takes, [frame]. Of sums of frames, only those that have pairs are
/// known.
/// @param out frames that it leaves out, [frame]
inline std::vector<bool> usedFrames(const ks::xpcs::LivePairs& pairs, const Request& next,
                                    const std::vector<bool>& out) {
    std::vector<bool> used = pairs.used();
    if (ks::xpcs::reduction_of(next.parameters).none() && out.size() == used.size())
        for (std::size_t t = 0; t < used.size(); ++t) used[t] = used[t] && !out[t];
    return used;
}

}  // namespace ks::ui::xpcs
