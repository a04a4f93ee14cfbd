#include "core/xpcs/analysis.h"
#include "core/xpcs/correlators/families.h"
#include "core/xpcs/correlators/fft.h"
#include "core/xpcs/correlators/multitau.h"
#include "core/xpcs/correlators/sparse.h"
#include "core/xpcs/pairs/pairs_variant.h"
#include "core/xpcs/reference.h"

namespace ks::xpcs {

std::vector<HostVariant> host_variants() {
    std::vector<HostVariant> all{
        {{
             .analysis = "xpcs",
             .id = "host.reference",
             .title = "Definition in 64 bits",
             .description =
                 "Sums the products of every pair of frames exactly in 64-bit integers (floats in double).",
             .source_file = "core/xpcs/reference.cpp",
             .takes = {of_family("gram")},
             .streaming = Streaming::resident,
             .rank = 1,
         },
         run_reference},
        {{
             .analysis = "xpcs",
             .id = "host.gram",
             .title = "Gram matrix by BLAS",
             .description = "Computes one single-precision ssyrk of centred frames per bin, then sums along "
                            "the diagonals, as NumPy programs do.",
             .source_file = "core/xpcs/gram.cpp",
             .takes = {of_family("gram")},
             .streaming = Streaming::resident,
             .rank = 10,
             .tolerances = {{"g2", 1e-5}, {"g2_err", 2e-4}, {"two_time", 1e-5}},
         },
         run_gram},
        {{
             .analysis = "xpcs",
             .id = "host.fft",
             .title = "Fourier transforms by FFTW",
             .description =
                 "Transforms each pair of pixels once and the power spectrum of each bin back once; "
                 "computes the mean of all delays, but no error.",
             .source_file = "core/xpcs/correlators/fft.cpp",
             .takes = {of_family("fft"), without_map()},
             .streaming = Streaming::resident,
             .rank = 5,
             .tolerances = {{"g2", 1e-9}},
             .lacks = {"g2_err", "two_time"},
         },
         run_fft},
        {{
             .analysis = "xpcs",
             .id = "host.multitau",
             .title = "Multi-tau",
             .description =
                 "Computes delays at levels of doubled frame time, in one pass over the frames and "
                 "in memory that does not grow with their number.",
             .source_file = "core/xpcs/correlators/multitau.cpp",
             .takes = {of_family("multitau"), without_map(), without_rebinning()},
             .streaming = Streaming::frames,
             .rank = 4,
             .lacks = {"two_time"},
         },
         run_multitau},
        {{
             .analysis = "xpcs",
             .id = "host.sparse",
             .title = "Counts other than 0",
             .description =
                 "Keeps the counts that are not 0 as events and multiplies only those, which costs "
                 "little where nearly all counts are 0.",
             .source_file = "core/xpcs/correlators/sparse.cpp",
             .takes = {of_family("sparse"), whole_counts()},
             .streaming = Streaming::resident,
             .rank = 3,
         },
         run_sparse}};
    for (HostVariant& row : all) {
        const std::vector<Condition> more = only_published();
        row.info.takes.insert(row.info.takes.end(), more.begin(), more.end());
    }
    all.push_back(pairs_variant());
    return all;
}

}  // namespace ks::xpcs
