#include "core/base/json_number.h"

#include <cmath>
#include <limits>
#include <string>

#include "core/base/error.h"

namespace ks {

nlohmann::json json_number(double value) {
    if (std::isfinite(value)) return value;
    nlohmann::json special = nlohmann::json::object();
    special["number"] = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return special;
}

bool is_special_number(const nlohmann::json& json) {
    if (!json.is_object() || json.size() != 1 || !json.contains("number")) return false;
    const nlohmann::json& word = json.at("number");
    return word == "nan" || word == "inf" || word == "-inf";
}

double number_from(const nlohmann::json& json) {
    if (json.is_number()) return json.get<double>();
    if (!is_special_number(json)) throw Error(ErrorKind::run, "expected a number, found " + json.dump());
    const std::string word = json.at("number").get<std::string>();
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    return word == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

}  // namespace ks
