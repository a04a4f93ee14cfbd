#pragma once

#include <cstddef>
#include <vector>

#include "core/xpcs/live/live_pairs.h"

namespace ks::ui::xpcs {

/// The frames with pairs that are not left out, [frame]: single frames, whatever a run averages or skips.
/// @param out frames that are left out, [frame]
inline std::vector<bool> usedFrames(const ks::xpcs::LivePairs& pairs, const std::vector<bool>& out) {
    std::vector<bool> used = pairs.used();
    if (out.size() == used.size())
        for (std::size_t t = 0; t < used.size(); ++t) used[t] = used[t] && !out[t];
    return used;
}

}  // namespace ks::ui::xpcs
