#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/array.h"
#include "core/base/parameter_value.h"

/// Structs as JSON and back from one list of their fields. Next to a struct write
///
///   void fields(auto& visit, ConstOr<Timing> auto& timing) {
///       visit("stage", timing.stage);
///       visit.name("kind", timing.kind, stage_kind_from);
///   }
///
/// to_json(timing) and from_json<Timing>(json, "a timing") are derived from it. visit.added() visits a field
/// that older versions did not write, visit.renamed() one that they wrote under another name. Where all keys
/// are the names of the members, KS_FIELDS(Timing, stage, nanoseconds) is the same.
#define KS_FIELD(member) visit(#member, value.member);
#define KS_FIELDS(Struct, ...)                                           \
    void fields(auto& visit, ConstOr<Struct> auto& value) {              \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(KS_FIELD, __VA_ARGS__)) \
    }

namespace ks {

template <class T, class Of>
concept ConstOr = std::same_as<std::remove_const_t<T>, Of>;

/// The values of arrays, which are kept outside the JSON.
using Blobs = std::vector<std::vector<std::byte>>;

namespace fields_detail {

/// JSON has no NaN and no infinities: they are written as {"number": "nan"}, {"number": "inf"}
/// or {"number": "-inf"}.
nlohmann::json from_double(double value);
/// Throws ks::Error(run) if it is not a number.
double to_double(const nlohmann::json& json);
nlohmann::json from_facts(const nlohmann::json& facts);
nlohmann::json to_facts(const nlohmann::json& json);
nlohmann::json from_value(const ParameterValue& value);
ParameterValue to_value(const nlohmann::json& json);
nlohmann::json from_array(const Array& array, Blobs* blobs);
Array to_array(const nlohmann::json& json, const Blobs* blobs);
/// Throws ks::Error(run) unless it is a whole number from 0 to `largest`; JSON's own conversions
/// would wrap around.
std::uint64_t to_count(const nlohmann::json& json, std::uint64_t largest);
/// Throws ks::Error(run) unless it is a list or an object, as given by `kind`.
void require_kind(const nlohmann::json& json, nlohmann::json::value_t kind);
/// Rethrows the current exception as ks::Error(run) that names `what`.
[[noreturn]] void rethrow_unreadable(const char* what);

template <class T>
constexpr bool is_vector = false;
template <class T>
constexpr bool is_vector<std::vector<T>> = true;
template <class T>
constexpr bool is_map = false;
template <class T>
constexpr bool is_map<std::map<std::string, T>> = true;
template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

}  // namespace fields_detail

class JsonWriter {
  public:
    explicit JsonWriter(Blobs* blobs) : blobs_(blobs) {}

    /// An optional without a value is omitted.
    template <class T>
    void operator()(const char* key, const T& value) {
        if constexpr (fields_detail::is_optional<T>) {
            if (value) object[key] = write(*value);
        } else {
            object[key] = write(value);
        }
    }
    template <class T>
    void added(const char* key, const T& value) {
        (*this)(key, value);
    }
    template <class T>
    void renamed(const char* key, const char*, const T& value) {
        (*this)(key, value);
    }
    /// An enumeration, written as the text that name_of() returns.
    template <class T, class From>
    void name(const char* key, const T& value, From) {
        object[key] = name_of(value);
    }

    /// Derived from the fields: written but not read.
    template <class T>
    void derived(const char* key, const T& value) {
        object[key] = value;
    }

    template <class T>
    nlohmann::json write(const T& value) {
        using namespace fields_detail;
        if constexpr (std::is_same_v<T, double>) {
            return from_double(value);
        } else if constexpr (std::is_same_v<T, nlohmann::json>) {
            return from_facts(value);
        } else if constexpr (std::is_same_v<T, ParameterValue>) {
            return from_value(value);
        } else if constexpr (std::is_same_v<T, Array>) {
            return from_array(value, blobs_);
        } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
            return value;
        } else if constexpr (is_vector<T>) {
            nlohmann::json list = nlohmann::json::array();
            for (const auto& one : value) list.push_back(write(one));
            return list;
        } else if constexpr (is_map<T>) {
            nlohmann::json map = nlohmann::json::object();
            for (const auto& [key, one] : value) map[key] = write(one);
            return map;
        } else {
            JsonWriter inner(blobs_);
            fields(inner, value);
            return std::move(inner.object);
        }
    }

    nlohmann::json object = nlohmann::json::object();

  private:
    Blobs* blobs_;
};

class JsonReader {
  public:
    JsonReader(const nlohmann::json& object, const Blobs* blobs) : object_(object), blobs_(blobs) {}

    template <class T>
    void operator()(const char* key, T& value) {
        if constexpr (fields_detail::is_optional<T>)
            added(key, value);
        else
            read(object_.at(key), value);
    }
    template <class T>
    void added(const char* key, T& value) {
        if (!object_.contains(key)) return;
        if constexpr (fields_detail::is_optional<T>) {
            if (object_.at(key).is_null()) return;
            read(object_.at(key), value.emplace());
        } else {
            read(object_.at(key), value);
        }
    }
    template <class T>
    void renamed(const char* key, const char* before, T& value) {
        (*this)(object_.contains(key) ? key : before, value);
    }
    template <class T, class From>
    void name(const char* key, T& value, From from) {
        value = from(object_.at(key).template get<std::string>());
    }

    template <class T>
    void derived(const char*, const T&) {}

    template <class T>
    void read(const nlohmann::json& json, T& value) {
        using namespace fields_detail;
        if constexpr (std::is_same_v<T, double>) {
            value = to_double(json);
        } else if constexpr (std::is_same_v<T, nlohmann::json>) {
            value = to_facts(json);
        } else if constexpr (std::is_same_v<T, ParameterValue>) {
            value = to_value(json);
        } else if constexpr (std::is_same_v<T, Array>) {
            value = to_array(json, blobs_);
        } else if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>) {
            value = static_cast<T>(to_count(json, std::numeric_limits<T>::max()));
        } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
            value = json.get<T>();
        } else if constexpr (is_vector<T>) {
            value.clear();
            require_kind(json, nlohmann::json::value_t::array);
            for (const nlohmann::json& one : json) read(one, value.emplace_back());
        } else if constexpr (is_map<T>) {
            value.clear();
            require_kind(json, nlohmann::json::value_t::object);
            for (const auto& [key, one] : json.items()) read(one, value[key]);
        } else {
            JsonReader inner(json, blobs_);
            fields(inner, value);
        }
    }

  private:
    const nlohmann::json& object_;
    const Blobs* blobs_;
};

/// @param blobs receives the values of arrays; null if there are none
template <class T>
requires requires(JsonWriter& visit, const T& value) {
    fields(visit, value);
}
nlohmann::json to_json(const T& value, Blobs* blobs = nullptr) {
    return JsonWriter(blobs).write(value);
}

/// Calls read(); any fault of the JSON becomes ks::Error(run) that names `what`.
template <class Read>
auto guarded(const char* what, Read&& read) {
    try {
        return read();
    } catch (const std::exception&) {
        fields_detail::rethrow_unreadable(what);
    }
}

/// Throws ks::Error(run) that names `what` if the JSON does not describe such a struct.
template <class T>
T from_json(const nlohmann::json& json, const char* what, const Blobs* blobs = nullptr) {
    return guarded(what, [&] {
        T value{};
        JsonReader(json, blobs).read(json, value);
        return value;
    });
}

}  // namespace ks
