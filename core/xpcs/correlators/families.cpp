#include "core/xpcs/correlators/families.h"

#include "core/run/parameter_rows.h"

namespace ks::xpcs {

std::vector<ParameterSpec> correlator_parameters() {
    return {
        parameter::choice("correlator", "Correlator", {"any", "gram", "fft"},
                          "Family of the variants: gram multiplies all pairs of frames, fft computes only "
                          "the mean, by Fourier transforms; any: the default variant")};
}

Condition of_family(const char* family) {
    return {.trait = "correlator", .what = "the correlator", .values = {"any", family}};
}

Condition without_map() {
    return {.trait = "two_time_bin", .what = "the bin of a two-time map to be", .values = {""}};
}

}  // namespace ks::xpcs
