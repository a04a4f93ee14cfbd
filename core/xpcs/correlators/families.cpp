#include "core/xpcs/correlators/families.h"

#include <algorithm>
#include <utility>

#include "core/run/parameter_rows.h"
#include "core/xpcs/correlators/multitau.h"
#include "core/xpcs/correlators/rebin.h"

namespace ks::xpcs {

std::vector<ParameterSpec> correlator_parameters() {
    std::vector<ParameterSpec> all{parameter::choice(
        "correlator", "Correlator", {"any", "gram", "fft", "multitau", "sparse"},
        "Family of the variants: gram multiplies all pairs of frames; fft computes only the mean, by Fourier "
        "transforms; multitau averages frames at longer delays; sparse multiplies only counts other than 0; "
        "any: the default variant")};
    for (ParameterSpec& spec : multitau_parameters()) all.push_back(std::move(spec));
    all.push_back(rebin_parameter());
    return all;
}

Condition of_family(const char* family) {
    return {.trait = "correlator", .what = "the correlator", .values = {"any", family}};
}

bool is_of_family(const Variant& variant, const char* family) {
    return std::ranges::any_of(variant.takes, [wanted = of_family(family)](const Condition& one) {
        return one.trait == wanted.trait && one.values == wanted.values;
    });
}

Condition whole_counts() {
    return {.trait = "counts", .what = "counts that are", .values = {"whole"}};
}

Condition without_rebinning() {
    return {.trait = "rebin", .what = "the points per decade (rebin) to be", .values = {""}};
}

Condition without_map() {
    return {.trait = "two_time_bin", .what = "the bin of a two-time map to be", .values = {""}};
}

}  // namespace ks::xpcs
