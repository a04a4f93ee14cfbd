#include "core/clusters/analysis.h"

#include <algorithm>
#include <span>

namespace ks::clusters {
namespace {

Traits traits_of_blocks(const ModuleDigis& digis, std::span<const ModuleDigis::Block> blocks,
                        std::size_t size, bool cuts_charge) {
    std::size_t block_digis = 0;
    for (const ModuleDigis::Block& block : blocks)
        block_digis = std::max<std::size_t>(block_digis, block.rows);
    return {{"charge_sums", std::string(cuts_charge && !digis.charges_fit_u32() ? "64 bits" : "32 bits")},
            {"module_pixels", std::int64_t{digis.extent_x()} * std::int64_t{digis.extent_y()}},
            {"block_digis", static_cast<std::int64_t>(block_digis)},
            {"size", static_cast<std::int64_t>(size)}};
}

}  // namespace

Traits traits_of(const ClusterProblem& problem) {
    return traits_of_blocks(*problem.shared(), problem.blocks(), problem.digis(), problem.cuts_charge());
}

Traits traits_of_digis(const ModuleDigis& digis, bool cuts_charge) {
    return traits_of_blocks(digis, digis.blocks(), digis.size(), cuts_charge);
}

}  // namespace ks::clusters
