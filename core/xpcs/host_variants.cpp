#include "core/xpcs/analysis.h"
#include "core/xpcs/reference.h"

namespace ks::xpcs {

std::vector<HostVariant> host_variants() {
    return {
        {{
             .analysis = "xpcs",
             .id = "host.reference",
             .title = "Definition in 64 bits",
             .description =
                 "sums the products of every pair of frames exactly in 64-bit integers (floats in double)",
             .source_file = "core/xpcs/reference.cpp",
             .streaming = Streaming::resident,
             .rank = 1,
         },
         run_reference},
        {{
             .analysis = "xpcs",
             .id = "host.gram",
             .title = "Gram matrix by BLAS",
             .description = "computes one single-precision ssyrk of centred frames per bin, then sums along "
                            "the diagonals, as NumPy programs do",
             .source_file = "core/xpcs/gram.cpp",
             .streaming = Streaming::resident,
             .rank = 10,
             .tolerances = {{"g2", 1e-5}, {"g2_err", 2e-4}, {"two_time", 1e-5}},
         },
         run_gram}};
}

}  // namespace ks::xpcs
