#include "core/run/user/text_defines.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <vector>

#include "core/base/trimmed.h"

namespace ks {
namespace {

bool is_name_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The name at the start of a text; removes it.
std::string take_name(std::string_view& text) {
    const auto end = std::ranges::find_if_not(text, is_name_letter);
    std::string name(text.begin(), end);
    text.remove_prefix(name.size());
    return name;
}

/// A line without its comments. @param open whether a comment from earlier lines continues; updated for
/// the following line
std::string without_comments(std::string_view line, bool& open) {
    std::string rest;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const std::string_view two = line.substr(i, 2);
        if (open && two == "*/") {
            open = false;
            ++i;
            rest += ' ';
        } else if (open) {
            continue;
        } else if (two == "/*") {
            open = true;
            ++i;
        } else if (two == "//") {
            break;
        } else {
            rest += line[i];
        }
    }
    return rest;
}

/// "32" from "(32u)".
std::string plain_value(std::string_view text) {
    text = trimmed(text);
    while (text.size() > 2 && text.starts_with('(') && text.find(')') == text.size() - 1)
        text = trimmed(text.substr(1, text.size() - 2));
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto digits = std::ranges::find_if_not(text, is_digit);
    const bool is_number = digits != text.begin() && std::all_of(digits, text.end(), [](char c) {
                               return c == 'u' || c == 'U' || c == 'l' || c == 'L';
                           });
    return is_number ? std::string(text.begin(), digits) : std::string(text);
}

/// The word of a directive ("ifndef") and the text after it; nothing for other lines.
struct DirectiveText {
    std::string word;
    std::string_view rest;
};

std::optional<DirectiveText> directive_of(std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with('#')) return std::nullopt;
    line = trimmed(line.substr(1));
    std::string word = take_name(line);
    return DirectiveText{std::move(word), line};
}

/// NAME in `#ifndef NAME`, `#if !defined NAME` and `#if !defined(NAME)`.
std::optional<std::string> guarded_name(const DirectiveText& directive) {
    std::string_view rest = trimmed(directive.rest);
    if (directive.word == "if") {
        if (!rest.starts_with('!')) return std::nullopt;
        rest = trimmed(rest.substr(1));
        if (take_name(rest) != "defined") return std::nullopt;
        rest = trimmed(rest);
        if (rest.starts_with('(')) rest = trimmed(rest.substr(1));
    } else if (directive.word != "ifndef") {
        return std::nullopt;
    }
    std::string name = take_name(rest);
    rest = trimmed(rest);
    if (name.empty() || (!rest.empty() && rest != ")")) return std::nullopt;
    return name;
}

struct DefineLine {
    std::string name;
    TextDefine define;
    std::size_t line;  ///< in the text, from 0
};

/// Collects the defines of a text line by line.
class DefineReader {
  public:
    void take(std::string_view line, std::size_t number) {
        if (const auto next = line_directive_of(line)) {
            if (!next->file.empty()) place_.file = next->file;
            place_.line = next->line;
            return;
        }
        const bool goes_on = continued_;
        continued_ = line.ends_with('\\');
        const std::string code = without_comments(line, in_comment_);
        if (const auto directive = goes_on ? std::nullopt : directive_of(code)) take(*directive, number);
        ++place_.line;
    }
    std::vector<DefineLine> found;

  private:
    void take(const DirectiveText& directive, std::size_t number) {
        const std::string& word = directive.word;
        if (word == "if" || word == "ifdef" || word == "ifndef") {
            conditions_.push_back({guarded_name(directive).value_or("")});
        } else if (word == "elif" || word == "else") {
            if (!conditions_.empty()) conditions_.back() = {};
        } else if (word == "endif") {
            if (!conditions_.empty()) conditions_.pop_back();
        } else if (word == "define" && !continued_) {
            std::string_view rest = trimmed(directive.rest);
            const std::string name = take_name(rest);
            std::vector<Condition> others;
            std::ranges::remove_copy_if(conditions_, std::back_inserter(others), &Condition::guards_file);
            const bool guarded = others.size() == 1 && others.front().name == name;
            // After `#ifndef LIB`, `#define LIB` the defines count, since every included file has
            // such a guard.
            if (!conditions_.empty() && conditions_.back().name == name && trimmed(rest).empty())
                conditions_.back().guards_file = true;
            if (name.empty() || rest.starts_with('(') || (!guarded && !others.empty())) return;
            found.push_back({name, {plain_value(rest), place_, guarded}, number});
        }
    }

    FileLine place_;
    /// An open condition.
    struct Condition {
        std::string name = {};     ///< the guarded name, or ""
        bool guards_file = false;  ///< against being read twice
    };
    std::vector<Condition> conditions_;
    bool in_comment_ = false, continued_ = false;
};

std::vector<DefineLine> found_in(const std::vector<std::string_view>& lines) {
    DefineReader reader;
    for (std::size_t i = 0; i < lines.size(); ++i) reader.take(lines[i], i);
    return std::move(reader.found);
}

}  // namespace

std::map<std::string, TextDefine> text_defines(std::string_view text) {
    std::map<std::string, TextDefine> defines;
    for (DefineLine& one : found_in(lines_in(text))) {
        // A guarded define has no effect where the name already has a value.
        if (one.define.guarded && defines.contains(one.name)) continue;
        defines.insert_or_assign(std::move(one.name), std::move(one.define));
    }
    return defines;
}

std::map<std::string, TextDefine> chosen_defines(std::string_view edited, std::string_view shipped) {
    const std::map<std::string, TextDefine> before = text_defines(shipped);
    std::map<std::string, TextDefine> chosen = text_defines(edited);
    std::erase_if(chosen, [&before](const auto& define) {
        const auto same = before.find(define.first);
        return define.second.guarded && same != before.end() && same->second.value == define.second.value;
    });
    return chosen;
}

std::string with_given_defines(std::string_view text, const std::map<std::string, std::string>& given) {
    if (given.empty()) return std::string(text);
    const std::vector<std::string_view> lines = lines_in(text);
    std::map<std::size_t, std::string> instead;
    for (const DefineLine& one : found_in(lines))
        if (const auto value = given.find(one.name);
            !one.define.guarded && value != given.end() && value->second != one.define.value)
            instead[one.line] = "#define " + one.name + " " + value->second;
    if (instead.empty()) return std::string(text);
    std::string all;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto other = instead.find(i);
        all.append(other == instead.end() ? lines[i] : std::string_view(other->second)).append("\n");
    }
    if (!text.ends_with('\n')) all.pop_back();
    return all;
}

}  // namespace ks
