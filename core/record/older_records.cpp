#include "core/record/older_records.h"

#include <array>
#include <utility>

namespace ks::io {
namespace {

/// Format 1 used numbers for absent values.
constexpr std::array<std::pair<const char*, double>, 17> absent_in_format_1{{{"wavelength", 0},
                                                                             {"distance", 0},
                                                                             {"beam_x", 0},
                                                                             {"beam_y", 0},
                                                                             {"pixel_size", 0},
                                                                             {"pixel_size_y", 0},
                                                                             {"last_frame", -1},
                                                                             {"max_delay", -1},
                                                                             {"frame_time", 0},
                                                                             {"two_time_bin", 0},
                                                                             {"saturation", 0},
                                                                             {"d_min", 0},
                                                                             {"d_max", 0},
                                                                             {"ice_width", 0},
                                                                             {"record", -1},
                                                                             {"planes", 0},
                                                                             {"grid", 0}}};

}  // namespace

void update_record(nlohmann::json& record, std::int64_t version) {
    if (version >= 2 || !record.contains("request")) return;
    nlohmann::json& request = record.at("request");
    if (request.contains("memory_limit") && request.at("memory_limit") == 0) request.erase("memory_limit");
    if (!request.contains("parameters")) return;
    nlohmann::json& parameters = request.at("parameters");
    for (const auto& [id, number] : absent_in_format_1)
        if (parameters.contains(id) && parameters.at(id).is_number() && parameters.at(id) == number)
            parameters.at(id) = nullptr;
}

}  // namespace ks::io
