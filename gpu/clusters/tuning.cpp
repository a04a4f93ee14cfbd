#include "gpu/clusters/tuning.h"

#include "core/run/tuning_table.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::clusters {
namespace {

const TuningTable& tuning_table() {
    static const TuningTable rows({
        // variant, device, element, defines
        {"grouping", "", "", {{"WG", "256"}, {"ROWS_WG", "256"}}},
        {"grouping", "CPU", "", {{"WG", "16"}, {"ROWS_WG", "1024"}}},
        {"seed.findclus.tuned", "", "", {{"WG", "128"}}},
        {"seed.findclus.tuned", "CPU", "", {{"WG", "1"}}},
        {"propagate.fused", "", "", {{"WG", "32"}, {"SMALL", "128"}, {"LARGE_WG", "256"}, {"LIMIT", "2048"}}},
        {"propagate.fused", "CPU", "", {{"WG", "1"}, {"LARGE_WG", "1"}}},
        {"unionfind.local", "", "", {{"WG", "32"}, {"SMALL", "256"}, {"LARGE_WG", "256"}, {"LIMIT", "2048"}}},
        {"unionfind.local", "CPU", "", {{"WG", "1"}, {"LARGE_WG", "1"}}},
        {"sparse.sorted", "", "", {{"WG", "32"}, {"SMALL", "256"}, {"LARGE_WG", "256"}, {"LIMIT", "2048"}}},
        {"sparse.sorted", "CPU", "", {{"WG", "1"}, {"LARGE_WG", "1"}}},
        {"unionfind.global", "", "", {{"WG", "256"}}},
        {"unionfind.global", "CPU", "", {{"WG", "1024"}}},
        {"map.cpu", "", "", {{"ITEMS", "4"}}},
    });
    return rows;
}

}  // namespace

std::map<std::string, std::string> set_defines(const LaunchContext& context, const std::string& id) {
    return context.variant().id == id ? tuned_defines(context, tuning_table(), ElementType::u16)
                                      : tuning_table().lookup(id, context.info(), ElementType::u16);
}

}  // namespace ks::gpu::clusters
