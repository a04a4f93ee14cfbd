#include "gpu/xpcs/tuning.h"

namespace ks::gpu::xpcs {

const TuningTable& tuning_table() {
    static const TuningTable rows({
        // variant, device, element, defines
        {"gram.tiled",
         "",
         "",
         {{"TILE", "64"}, {"WG", "256"}, {"RM", "4"}, {"RN", "4"}, {"VW", "4"}, {"CHUNK", "4096"}}},
        {"gram.tiled", "CPU", "", {{"WG", "1"}, {"RM", "4"}, {"RN", "2"}, {"VW", "8"}}},
        {"gram.tiled", "CPU", "f32", {{"RM", "2"}, {"RN", "2"}, {"VW", "4"}}},
        {"gram.tiled", "GPU", "u8", {{"VW", "4"}}},
    });
    return rows;
}

}  // namespace ks::gpu::xpcs
