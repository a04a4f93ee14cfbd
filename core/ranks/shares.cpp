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

}  // namespace ks
