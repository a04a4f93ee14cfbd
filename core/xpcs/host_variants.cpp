#include "core/xpcs/analysis.h"
#include "core/xpcs/gram.h"
#include "core/xpcs/reference.h"

namespace ks::xpcs {

std::vector<HostVariant> host_variants() {
    Variant reference;
    reference.analysis = "xpcs";
    reference.id = "host.reference";
    reference.title = "Definition in 64 bits";
    reference.description =
        "sums the products of every pair of frames exactly in 64-bit integers (floats in double)";
    reference.source_file = "core/xpcs/reference.cpp";
    reference.streaming = Streaming::resident;
    reference.rank = 1;

    Variant gram;
    gram.analysis = "xpcs";
    gram.id = "host.gram";
    gram.title = "Gram matrix by BLAS";
    gram.description =
        "one single-precision ssyrk of centred frames per bin, then sums along the diagonals, as in NumPy "
        "programs";
    gram.source_file = "core/xpcs/gram.cpp";
    gram.streaming = Streaming::resident;
    gram.rank = 10;
    gram.tolerances = {{"g2", 1e-5}, {"g2_err", 2e-4}, {"two_time", 1e-5}};

    return {{reference, run_reference}, {gram, run_gram}};
}

}  // namespace ks::xpcs
