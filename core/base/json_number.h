#pragma once

#include <nlohmann/json.hpp>

namespace ks {

/// JSON has no NaN and no infinities: they are written as {"number": "nan"}, {"number": "inf"}
/// or {"number": "-inf"}.
nlohmann::json json_number(double value);
/// True for what json_number returns for a value that is not finite.
bool is_special_number(const nlohmann::json& json);
/// Inverse of json_number; throws ks::Error(run) if it is not a number.
double number_from(const nlohmann::json& json);

}  // namespace ks
