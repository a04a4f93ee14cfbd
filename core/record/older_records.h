#pragma once

#include <cstdint>

#include <nlohmann/json.hpp>

namespace ks::io {

/// Brings the JSON of a saved run of an older format up to the present one. @param version that the file
/// names
void update_record(nlohmann::json& record, std::int64_t version);

}  // namespace ks::io
