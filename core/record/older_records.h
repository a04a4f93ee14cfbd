#pragma once

#include <cstdint>

#include <nlohmann/json.hpp>

namespace ks::io {

/// Updates the JSON of a saved run of an older format to the current one.
/// @param version stated in the file
void update_record(nlohmann::json& record, std::int64_t version);

}  // namespace ks::io
