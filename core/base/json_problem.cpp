#include "core/base/json_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/json_text.h"

namespace ks {
namespace {

/// The first text in single quotes; empty if there is none.
std::string_view quoted(std::string_view text) {
    const std::size_t first = text.find('\''), last = text.rfind('\'');
    if (first == std::string_view::npos || last <= first) return {};
    return text.substr(first + 1, last - first - 1);
}

/// The word after "is " at the end of "type must be number, but is string".
std::string_view type_found(std::string_view text) {
    constexpr std::string_view before = "but is ";
    const std::size_t at = text.rfind(before);
    return at == std::string_view::npos ? std::string_view() : text.substr(at + before.size());
}

/// Whether a text that is not valid JSON begins as an object and has this key: a file of ours that is
/// damaged, rather than another file.
bool begins_as_object(std::string_view text, std::string_view key) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{' &&
           text.find(fmt::format("\"{}\"", key)) != std::string_view::npos;
}

/// What is wrong with a text that parse_json() refused with this error: "it is cut off after 812 bytes".
std::string damage_of(const std::exception& error, std::string_view text) {
    const auto* parsing = dynamic_cast<const nlohmann::json::parse_error*>(&error);
    return parsing != nullptr && parsing->byte > text.size()
               ? fmt::format("it is cut off after {} bytes", text.size())
               : problem_of(error);
}

}  // namespace

std::string problem_of(const std::exception& error) {
    constexpr int missing_key = 403;
    if (const auto* text = dynamic_cast<const nlohmann::json::parse_error*>(&error))
        return fmt::format("invalid JSON at byte {}", text->byte);
    const auto* json = dynamic_cast<const nlohmann::json::exception*>(&error);
    if (json == nullptr) return error.what();
    const std::string_view what = json->what();
    if (json->id == missing_key) return fmt::format("the key \"{}\" is missing", quoted(what));
    if (dynamic_cast<const nlohmann::json::type_error*>(json) != nullptr) {
        const std::string_view found = type_found(what);
        return found.empty() ? "a value has an unexpected type"
                             : fmt::format("a value has an unexpected type ({})", found);
    }
    if (dynamic_cast<const nlohmann::json::out_of_range*>(json) != nullptr)
        return "a value is missing or out of range";
    return "a value is invalid";
}

nlohmann::json parse_report(std::string_view text, const std::filesystem::path& file, std::string_view what,
                            std::initializer_list<const char*> keys, std::string hint) {
    nlohmann::json json;
    try {
        json = parse_json(text);
    } catch (const std::exception& error) {
        if (begins_as_object(text, *keys.begin()))
            throw Error(ErrorKind::input, fmt::format("the {} is damaged: {}", what, damage_of(error, text)),
                        file.string());
    }
    const auto in_it = [&json](const char* key) { return json.contains(key); };
    if (!json.is_object() || !std::ranges::all_of(keys, in_it))
        throw Error(ErrorKind::input, fmt::format("not a {}", what), file.string(), std::move(hint));
    return json;
}

}  // namespace ks
