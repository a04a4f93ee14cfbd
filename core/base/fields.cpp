#include "core/base/fields.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/json_problem.h"
#include "core/base/json_text.h"

namespace ks::fields_detail {

using nlohmann::json;

namespace {

/// As from_double() writes NaN and infinities.
bool is_special_number(const json& value) {
    if (!value.is_object() || value.size() != 1 || !value.contains("number")) return false;
    const json& word = value.at("number");
    return word == "nan" || word == "inf" || word == "-inf";
}

}  // namespace

json from_double(double value) {
    if (std::isfinite(value)) return value;
    json special = json::object();
    special["number"] = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return special;
}

double to_double(const json& value) {
    if (value.is_number()) return value.get<double>();
    if (!is_special_number(value))
        throw Error(ErrorKind::run, "expected a number, found " + dump_json(value));
    const std::string word = value.at("number").get<std::string>();
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    return word == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

json from_facts(const json& facts) {
    if (facts.is_number_float()) return from_double(facts.get<double>());
    if (!facts.is_structured()) return facts;
    json copy = facts;
    for (json& child : copy) child = from_facts(child);
    return copy;
}

json to_facts(const json& facts) {
    if (is_special_number(facts)) return to_double(facts);
    if (!facts.is_structured()) return facts;
    json copy = facts;
    for (json& child : copy) child = to_facts(child);
    return copy;
}

json from_value(const ParameterValue& value) {
    if (const auto* truth = std::get_if<bool>(&value)) return *truth;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
    if (const auto* number = std::get_if<double>(&value)) return from_double(*number);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return nullptr;
}

ParameterValue to_value(const json& value) {
    if (value.is_null()) return std::monostate{};
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number() || is_special_number(value)) return to_double(value);
    if (value.is_string()) return value.get<std::string>();
    throw Error(ErrorKind::run,
                "expected true, false, a number, a string or null, found " + dump_json(value));
}

std::uint64_t to_count(const json& value, std::uint64_t largest) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest)
        throw Error(ErrorKind::run,
                    "expected a count from 0 to " + std::to_string(largest) + ", found " + dump_json(value));
    return value.get<std::uint64_t>();
}

void require_kind(const json& value, json::value_t kind) {
    if (value.type() != kind)
        throw Error(ErrorKind::run, std::string("expected a value of type ") + json(kind).type_name() +
                                        ", found " + dump_json(value));
}

json from_array(const Array& array, Blobs* blobs) {
    if (blobs == nullptr) throw Error(ErrorKind::run, "no blobs were given to store the values of an array");
    json j = json::object();
    j["blob"] = blobs->size();
    j["type"] = name_of(array.type());
    j["shape"] = array.shape();
    blobs->emplace_back(array.bytes().begin(), array.bytes().end());
    return j;
}

Array to_array(const json& j, const Blobs* blobs) {
    const std::size_t there = blobs != nullptr ? blobs->size() : 0;
    const auto index = to_count(j.at("blob"), std::numeric_limits<std::uint64_t>::max());
    if (index >= there)
        throw Error(ErrorKind::run, "the message has " + std::to_string(there) +
                                        " blobs (counted from 0), but an array is said to be in blob " +
                                        std::to_string(index));
    const std::vector<std::byte>& blob = (*blobs)[index];
    const ElementType type = element_type_from(j.at("type").get<std::string>());
    std::vector<std::size_t> shape;
    for (const json& length : j.at("shape"))
        shape.push_back(to_count(length, std::numeric_limits<std::size_t>::max()));
    // Counting every length 0 as 1, the product bounds all partial products.
    std::size_t bound = size_of(type), bytes = bound;
    for (const std::size_t length : shape) {
        if (length > 1 && bound > std::numeric_limits<std::size_t>::max() / length)
            throw Error(ErrorKind::run,
                        "the shape of an array overflows the address space: " + dump_json(j.at("shape")));
        bound *= std::max<std::size_t>(length, 1);
        bytes *= length;
    }
    if (bytes != blob.size())
        throw Error(ErrorKind::run, "an array of shape " + dump_json(j.at("shape")) + " and type " +
                                        name_of(type) + " has " + std::to_string(bytes) +
                                        " bytes, but its blob has " + std::to_string(blob.size()));
    Array array(type, std::move(shape));
    std::copy(blob.begin(), blob.end(), array.bytes().begin());
    return array;
}

void rethrow_unreadable(const char* what) {
    const std::string text = std::string(what) + " cannot be read: ";
    try {
        throw;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::run) throw;
        throw Error(ErrorKind::run, text + error.what());
    } catch (const json::exception& error) {
        throw Error(ErrorKind::run, text + problem_of(error));
    }
}

}  // namespace ks::fields_detail
