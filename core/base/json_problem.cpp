#include "core/base/json_problem.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

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

bool begins_as_object(std::string_view text, std::string_view key) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{' &&
           text.find(fmt::format("\"{}\"", key)) != std::string_view::npos;
}

std::string json_damage(std::string_view text) {
    try {
        // No value is kept.
        const auto drop = [](int, nlohmann::json::parse_event_t, nlohmann::json&) { return false; };
        [[maybe_unused]] const nlohmann::json nothing = nlohmann::json::parse(text, drop);
    } catch (const nlohmann::json::parse_error& error) {
        if (error.byte > text.size()) return fmt::format("it is cut off after {} bytes", text.size());
        return problem_of(error);
    } catch (const nlohmann::json::exception& error) {
        return problem_of(error);
    }
    return "it is nested too deeply";
}

}  // namespace ks
