#include "core/io/series/name_pattern.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace ks::io {
namespace {

constexpr std::string_view wildcard_characters = "*?#", brace_characters = "{},\\";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// The names of "img_{0001,0005}.tif"; empty if there are no braces with a comma.
std::vector<std::string> names_in_braces(std::string_view text) {
    enum class Place { before, within, after } place = Place::before;
    std::string prefix, suffix;
    std::vector<std::string> middles;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string& part = place == Place::before   ? prefix
                            : place == Place::within ? middles.back()
                                                     : suffix;
        const char c = text[i];
        if (c == '\\' && i + 1 < text.size()) {
            part += text[++i];
        } else if (c == '{' && place == Place::before) {
            place = Place::within;
            middles.emplace_back();
        } else if (c == ',' && place == Place::within) {
            middles.emplace_back();
        } else if (c == '}' && place == Place::within) {
            place = Place::after;
        } else {
            part += c;
        }
    }
    if (place != Place::after || middles.size() < 2) return {};
    for (std::string& middle : middles) middle = prefix + middle + suffix;
    return middles;
}

/// The characters of `name` that the first wildcard or character of `wildcards` matches, and the length of
/// that wildcard; nothing if it does not match. A number ends where its digits end.
struct Step {
    std::size_t of_wildcards, of_name;
};
std::optional<Step> step(std::string_view wildcards, std::string_view name) {
    if (wildcards.front() == '#') {
        const std::size_t least = std::min(wildcards.find_first_not_of('#'), wildcards.size());
        const auto end = std::ranges::find_if_not(name, is_digit);
        const auto digits = static_cast<std::size_t>(end - name.begin());
        return digits >= least ? std::optional(Step{least, digits}) : std::nullopt;
    }
    const bool same = !name.empty() && (wildcards.front() == '?' || wildcards.front() == name.front());
    return same ? std::optional(Step{1, 1}) : std::nullopt;
}

/// If a part after a '*' matches at several places, the first one suffices, so only the last '*' is retried.
bool matches_wildcards(std::string_view wildcards, std::string_view name) {
    std::optional<std::pair<std::string_view, std::string_view>> retry;  // after the last '*'
    while (!wildcards.empty() || !name.empty()) {
        if (!wildcards.empty() && wildcards.front() == '*') {
            wildcards.remove_prefix(1);
            retry.emplace(wildcards, name);
            continue;
        }
        if (const auto next = wildcards.empty() ? std::nullopt : step(wildcards, name)) {
            wildcards.remove_prefix(next->of_wildcards);
            name.remove_prefix(next->of_name);
            continue;
        }
        if (!retry || retry->second.empty()) return false;
        retry->second.remove_prefix(1);
        std::tie(wildcards, name) = *retry;
    }
    return true;
}

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (brace_characters.find(c) != std::string_view::npos) safe += '\\';
        safe += c;
    }
    return safe;
}

}  // namespace

std::optional<NamePattern> NamePattern::parse(std::string_view text) {
    NamePattern pattern;
    pattern.names_ = names_in_braces(text);
    if (!pattern.names_.empty()) return pattern;
    if (text.find_first_of(wildcard_characters) == std::string_view::npos) return std::nullopt;
    pattern.wildcards_ = text;
    return pattern;
}

bool NamePattern::matches(std::string_view name) const {
    if (!names_.empty()) return std::ranges::find(names_, name) != names_.end();
    if (name.starts_with('.') && !wildcards_.starts_with('.')) return false;
    return matches_wildcards(wildcards_, name);
}

std::string braces(std::string_view prefix, const std::vector<std::string>& texts, std::string_view suffix) {
    std::string all = escaped(prefix) + "{";
    for (std::size_t i = 0; i < texts.size(); ++i) all += (i > 0 ? "," : "") + escaped(texts[i]);
    return all + "}" + escaped(suffix);
}

bool has_pattern_characters(std::string_view text) {
    return text.find_first_of(wildcard_characters) != std::string_view::npos ||
           text.find_first_of(brace_characters) != std::string_view::npos;
}

}  // namespace ks::io
