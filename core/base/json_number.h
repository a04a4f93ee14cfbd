#pragma once

#include <nlohmann/json.hpp>

namespace ks {

/// JSON has no NaN and no infinities: these become {"number": "nan"}, "inf" or "-inf" in the same form.
nlohmann::json json_number(double value);
/// True for what json_number makes of a value that is not finite.
bool is_special_number(const nlohmann::json& json);
/// Inverse of json_number; throws ks::Error(run) where it is no number.
double number_from(const nlohmann::json& json);

}  // namespace ks
