#include "core/run/parameters/data_parameters.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace ks {
namespace {

/// The geometry is not among them: whoever keeps a file's geometry keeps it whole.
constexpr std::string_view facts[] = {
    "first_frame",  // the file has so many
    "last_frame",   "leave_out",
    "frame_time",  // of the measurement
    "saturation",  // of the detector, as its gain and its modules
    "gain",         "modules",
    "connectivity",  // of the sensor's pixels, as its charge cut
};

bool is_fact(const ParameterSpec& spec) {
    return std::ranges::find(facts, spec.id) != std::end(facts);
}

}  // namespace

std::vector<ParameterSpec> of_data(const std::vector<ParameterSpec>& specs) {
    std::vector<ParameterSpec> some;
    std::ranges::copy_if(specs, std::back_inserter(some), is_fact);
    return some;
}

std::vector<ParameterSpec> not_of_data(const std::vector<ParameterSpec>& specs) {
    std::vector<ParameterSpec> some;
    std::ranges::remove_copy_if(specs, std::back_inserter(some), is_fact);
    return some;
}

}  // namespace ks
