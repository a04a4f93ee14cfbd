#include "core/run/parameters/data_parameters.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace ks {
namespace {

constexpr std::string_view kept_elsewhere[] = {
    "file_geometry", "swap_xy",   "wavelength", "distance",
    "beam_x",        "beam_y",    "pixel_size", "pixel_size_y",  // the geometry
    "file_mask",                                                 // the mask
    "layout",                                                    // read with the digis
    "record",                                                    // of the displayed module
    "two_time_bin",  "stability",                                // of the bins
    "fit",           "fit_start", "fit_fixed",                   // the fit, whose choice every file shares
};

bool is_kept_elsewhere(const ParameterSpec& spec) {
    return std::ranges::find(kept_elsewhere, spec.id) != std::end(kept_elsewhere);
}

}  // namespace

std::vector<ParameterSpec> of_data(const std::vector<ParameterSpec>& specs) {
    std::vector<ParameterSpec> some;
    std::ranges::remove_copy_if(specs, std::back_inserter(some), is_kept_elsewhere);
    return some;
}

}  // namespace ks
