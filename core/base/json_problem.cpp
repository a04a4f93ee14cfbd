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

}  // namespace ks
