#include "gpu/particles/tuning.h"

namespace ks::gpu::particles {

const TuningTable& tuning_table() {
    static const TuningTable rows({
        // variant, device, element (of the terms), defines
        {"seed.block.tuned", "", "", {{"TARGETS", "16"}, {"SOURCES", "16"}}},
        {"target.tiled", "", "", {{"WG", "128"}, {"TILE", "128"}}},
        {"target.registers", "", "", {{"WG", "128"}, {"TILE", "128"}, {"ITEMS", "4"}}},
        {"exp.poly", "", "", {{"WG", "128"}, {"TILE", "128"}, {"ITEMS", "4"}, {"POLYNOMIAL", "1"}}},
        {"source.cells", "", "", {{"WG", "512"}, {"ITEMS", "4"}}},
        {"tensor.cells", "", "", {{"WG", "256"}, {"TILES", "4"}, {"POLYNOMIAL", "3"}}},
        {"plane.product", "", "", {{"WG", "128"}, {"ROWS", "32"}, {"COLUMNS", "32"}, {"TILE", "32"}}},
        {"mixed", "", "", {{"WG", "128"}, {"TILE", "128"}, {"ITEMS", "2"}}},
        {"vector.cpu", "", "", {{"WG", "16"}, {"BLOCKS", "4"}, {"TILE", "128"}}},
    });
    return rows;
}

}  // namespace ks::gpu::particles
