#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace ks::wire {

/// Calls `read()` and tells whatever is wrong with the JSON as ks::Error(run) that names `what`.
template <class Read>
auto guarded(const char* what, Read&& read) {
    try {
        return std::forward<Read>(read)();
    } catch (const nlohmann::json::exception& error) {
        throw Error(ErrorKind::run, std::string(what) + " cannot be read: " + error.what());
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::run) throw;
        throw Error(ErrorKind::run, std::string(what) + " cannot be read: " + error.what());
    }
}

/// A whole number that is not negative; JSON conversions alone would wrap around.
template <class T>
T count_from(const nlohmann::json& json) {
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<T>::max())
        throw Error(ErrorKind::run, "expected a count, found " + json.dump());
    return json.get<T>();
}

inline std::string text_from(const nlohmann::json& json, const char* key) {
    return json.at(key).get<std::string>();
}

}  // namespace ks::wire
