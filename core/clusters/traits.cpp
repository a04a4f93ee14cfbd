#include "core/clusters/analysis.h"

#include <algorithm>

namespace ks::clusters {

Traits traits_of(const ClusterProblem& problem) {
    const bool wide = problem.cuts_charge() && !problem.shared()->charges_fit_u32();
    std::size_t block_digis = 0;
    for (const ModuleDigis::Block& block : problem.blocks())
        block_digis = std::max<std::size_t>(block_digis, block.rows);
    return {{"charge_sums", std::string(wide ? "64 bits" : "32 bits")},
            {"module_pixels", std::int64_t{problem.extent_x()} * std::int64_t{problem.extent_y()}},
            {"block_digis", static_cast<std::int64_t>(block_digis)},
            {"size", static_cast<std::int64_t>(problem.digis())}};
}

}  // namespace ks::clusters
