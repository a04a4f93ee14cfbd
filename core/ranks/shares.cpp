#include "core/ranks/shares.h"

#include <algorithm>
#include <cmath>

namespace ks {

std::vector<Share> even_shares(std::span<const double> work, std::size_t count) {
    std::vector<double> before{0};
    for (const double one : work) before.push_back(before.back() + one);
    const double all = before.back();
    std::vector<Share> shares(count);
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double wanted = all * static_cast<double>(i + 1) / static_cast<double>(count);
        std::size_t end = std::max<std::size_t>(at, i == 0 && !work.empty() ? 1 : 0);
        while (end < work.size() && std::abs(before[end + 1] - wanted) <= std::abs(before[end] - wanted))
            ++end;
        if (i + 1 == count) end = work.size();
        shares[i] = {at, end, all > 0 ? (before[end] - before[at]) / all : 0};
        at = end;
    }
    return shares;
}

std::vector<Share> even_shares(const ShareUnits& units, std::size_t count) {
    const std::size_t multiple = std::max<std::size_t>(1, units.multiple);
    std::vector<double> blocks((units.count + multiple - 1) / multiple, 0.0);
    for (std::size_t i = 0; i < units.count; ++i)
        blocks[i / multiple] += units.work.empty() ? 1 : units.work[i];
    std::vector<Share> shares = even_shares(blocks, count);
    for (Share& share : shares) {
        share.first = std::min(units.count, share.first * multiple);
        share.end = std::min(units.count, share.end * multiple);
    }
    return shares;
}

}  // namespace ks
