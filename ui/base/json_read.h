#pragma once

#include <QString>
#include <cmath>
#include <nlohmann/json.hpp>

namespace ks::ui {

// The contents of a file are not trusted: a value that is absent or of another type gives `otherwise`.

inline double jsonNumber(const nlohmann::json& object, const char* key, double otherwise = 0) {
    const auto at = object.is_object() ? object.find(key) : object.end();
    if (at == object.end() || !at->is_number()) return otherwise;
    const double value = at->get<double>();
    return std::isfinite(value) ? value : otherwise;
}

inline int jsonInteger(const nlohmann::json& object, const char* key, int otherwise = 0) {
    const double value = jsonNumber(object, key, otherwise);
    return std::abs(value) < 2e9 ? static_cast<int>(value) : otherwise;
}

inline bool jsonBoolean(const nlohmann::json& object, const char* key, bool otherwise = false) {
    const auto at = object.is_object() ? object.find(key) : object.end();
    return at != object.end() && at->is_boolean() ? at->get<bool>() : otherwise;
}

inline QString jsonText(const nlohmann::json& object, const char* key, const QString& otherwise = {}) {
    const auto at = object.is_object() ? object.find(key) : object.end();
    return at != object.end() && at->is_string() ? QString::fromStdString(at->get_ref<const std::string&>())
                                                 : otherwise;
}

/// The value of the key, or null if there is none.
inline nlohmann::json jsonPart(const nlohmann::json& object, const char* key) {
    return object.is_object() ? object.value(key, nlohmann::json()) : nlohmann::json();
}

}  // namespace ks::ui
