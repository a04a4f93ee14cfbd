#include "gpu/spots/tuning.h"

namespace ks::gpu::spots {

const TuningTable& tuning_table() {
    static const TuningTable rows({
        // variant, device, element, defines
        {"seed.brute.tuned", "", "", {{"TX", "32"}, {"TY", "8"}}},
        {"cooperative", "", "", {{"TX", "32"}, {"TY", "8"}}},
        {"sliding", "", "", {{"V", "8"}, {"STRIP", "16"}, {"WG", "64"}}},
        {"sliding", "CPU", "", {{"STRIP", "128"}, {"WG", "1"}}},
        {"exact.integer", "", "", {{"V", "8"}, {"STRIP", "16"}, {"WG", "64"}}},
        {"exact.integer", "CPU", "", {{"STRIP", "128"}, {"WG", "1"}}},
        {"extended.fused", "", "", {{"WG", "128"}, {"LANES", "32"}}},
        {"extended.vector", "", "", {{"COLUMNS", "512"}, {"ROWS", "128"}}},
        {"packed", "", "", {{"WG", "128"}, {"ACROSS", "16"}, {"RUN", "4"}, {"LOADS", "3"}}},
        {"screened",
         "",
         "",
         {{"WG", "32"}, {"ACROSS", "32"}, {"RUN", "22"}, {"FRAMES", "16"}, {"MOST_REGISTERS", "72"}}},
        {"screened", "CPU", "", {{"FRAMES", "1"}}},
        {"vector.cpu", "", "", {{"COLUMNS", "512"}, {"ROWS", "128"}}},
        {"decide", "", "", {{"WG", "128"}, {"WORDS", "4"}}},
        {"decide", "CPU", "", {{"WG", "1"}, {"WORDS", "1024"}}},
        {"signal_list", "", "", {{"WG", "256"}, {"WORDS", "8"}}},
        {"signal_list", "CPU", "", {{"WG", "1"}, {"WORDS", "1024"}}},
    });
    return rows;
}

}  // namespace ks::gpu::spots
