#include "core/run/user/include_macros.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "core/base/trimmed.h"

namespace ks {
namespace {

bool begins_name(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool continues_name(char c) {
    return begins_name(c) || (c >= '0' && c <= '9');
}

/// A name, a number, a quoted text, spaces, "##", or one other character; removes it from the text.
std::string_view take_token(std::string_view& text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    std::size_t end = 1;
    const char first = text[0];
    if (continues_name(first)) {
        while (end < text.size() && (continues_name(text[end]) || (!begins_name(first) && text[end] == '.')))
            ++end;
    } else if (is_blank(first)) {
        while (end < text.size() && is_blank(text[end])) ++end;
    } else if (first == '"' || first == '\'') {
        while (end < text.size() && text[end] != first) end += text[end] == '\\' ? 2 : 1;
        end = std::min(end + 1, text.size());
    } else if (text.starts_with("##")) {
        end = 2;
    }
    const std::string_view token = text.substr(0, end);
    text.remove_prefix(end);
    return token;
}

std::string_view without_blanks_before(std::string_view text) {
    while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
    return text;
}

/// The comma-separated texts between "(" and ")"; removes them. Nothing where the parenthesis is not closed.
std::optional<std::vector<std::string>> take_arguments(std::string_view& text) {
    std::string_view rest = without_blanks_before(text);
    if (!rest.starts_with('(')) return std::nullopt;
    rest.remove_prefix(1);
    std::vector<std::string> all(1);
    for (int depth = 0; !rest.empty();) {
        const std::string_view token = take_token(rest);
        if (token == "(") ++depth;
        if (token == ")" && depth-- == 0) {
            for (std::string& one : all) one = trimmed(one);
            text = rest;
            return all;
        }
        if (token == "," && depth == 0)
            all.emplace_back();
        else
            all.back() += token;
    }
    return std::nullopt;
}

std::string in_quotes(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

bool is_number(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

/// The expansion of one text.
class IncludeMacros::Expansion {
  public:
    explicit Expansion(const IncludeMacros& all) : all_(all) {}

    std::string of(std::string_view text, const std::set<std::string>& hidden) {
        std::string made;
        while (!text.empty() && why_not.empty()) {
            const std::string name(take_token(text));
            const auto known = all_.macros_.find(name);
            if (!begins_name(name[0]) || hidden.contains(name)) {
                made += name;
            } else if (all_.several_.contains(name)) {
                why_not = name + " is defined several times";
            } else if (known == all_.macros_.end()) {
                conditions.insert(fmt::format("defined({})", name));
                made += name;
            } else {
                made += replaced(name, known->second, text, hidden);
            }
            if (made.size() > longest) why_not = "its expansion does not end";
        }
        return made;
    }

    std::set<std::string> conditions;
    std::string why_not;

  private:
    static constexpr std::size_t longest = 4096;

    std::string replaced(const std::string& name, const Macro& macro, std::string_view& text,
                         std::set<std::string> hidden) {
        std::string body = macro.body;
        if (macro.parameters) {
            if (!without_blanks_before(text).starts_with('(')) return name;
            const auto arguments = take_arguments(text);
            if (!arguments || arguments->size() != macro.parameters->size()) {
                why_not = name + " is used with the wrong number of arguments";
                return {};
            }
            body = with_arguments(macro, *arguments, hidden);
        }
        conditions.insert(fmt::format("!defined({})", name));
        if (is_number(macro.body)) conditions.insert(fmt::format("{} != {}", name, macro.body));
        hidden.insert(name);
        return of(body, hidden);
    }
    std::string with_arguments(const Macro& macro, const std::vector<std::string>& arguments,
                               const std::set<std::string>& hidden) {
        std::string made;
        for (std::string_view rest = macro.body; !rest.empty() && why_not.empty();) {
            std::string token(take_token(rest));
            const bool as_text = token == "#";
            if (as_text) {
                rest = without_blanks_before(rest);
                if (!rest.empty()) token = take_token(rest);
            }
            if (token == "##") why_not = "it is concatenated with ##";
            const auto at = std::ranges::find(*macro.parameters, token);
            const auto index = static_cast<std::size_t>(at - macro.parameters->begin());
            if (at == macro.parameters->end())
                made += token;
            else if (as_text)
                made += in_quotes(arguments[index]);
            else
                made += of(arguments[index], hidden);
        }
        return made;
    }

    const IncludeMacros& all_;
};

IncludeMacros::IncludeMacros(const std::map<std::string, std::string>& given) {
    for (const auto& [name, value] : given) define(fmt::format("{} {}", name, value));
}

void IncludeMacros::define(std::string_view rest) {
    if (rest.empty() || !begins_name(rest[0])) return;
    const std::string name(take_token(rest));
    Macro macro{std::nullopt, {}};
    if (rest.starts_with('(')) {
        macro.parameters = take_arguments(rest);
        if (!macro.parameters) return;
    }
    macro.body = trimmed(rest);
    add(name, std::move(macro));
}

void IncludeMacros::undefine(std::string_view rest, bool surely) {
    if (rest.empty()) return;
    const std::string name(take_token(rest));
    if (!surely) {
        several_.insert(name);
        return;
    }
    several_.erase(name);
    macros_.erase(name);
}

void IncludeMacros::add(const std::string& name, Macro macro) {
    const auto [known, first] = macros_.try_emplace(name, macro);
    if (!first && known->second != macro) several_.insert(name);
}

IncludeMacros::Expanded IncludeMacros::expanded(std::string_view text) const {
    Expansion expansion(*this);
    Expanded made;
    made.text = trimmed(expansion.of(text, {}));
    made.why_not = expansion.why_not;
    for (const std::string& one : expansion.conditions)
        made.condition += (made.condition.empty() ? "" : " || ") + one;
    return made;
}

}  // namespace ks
