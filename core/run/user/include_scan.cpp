#include "core/run/user/include_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "core/base/trimmed.h"
#include "core/run/user/line_map.h"

namespace ks {
namespace {

constexpr std::array<std::string_view, 5> reading_words{"include", "import", "include_next", "embed",
                                                        "__include_macros"};

/// A directive without the sign before it, with comments as blanks.
struct DirectiveLine {
    std::size_t line, lines;
    std::string text;
};

/// Walks over a text as the first phases of a C compiler do: lines that end in '\' go on, comments are
/// blanks, strings hide both.
class DirectiveScan {
  public:
    explicit DirectiveScan(std::string_view text) : text_(text) {}

    std::vector<DirectiveLine> all() {
        std::vector<DirectiveLine> found;
        while (at_ < text_.size()) {
            const std::size_t line = number_;
            std::string logical = logical_line();
            const std::string_view shown = trimmed(logical);
            for (const std::string_view sign : {"#", "%:",
                                                "?"
                                                "?="})
                if (shown.starts_with(sign)) {
                    found.push_back({line, number_ - line, std::string(trimmed(shown.substr(sign.size())))});
                    break;
                }
        }
        return found;
    }

  private:
    /// The bytes of a '\' at `at` with its line break; 0: there is none.
    std::size_t splice_at(std::size_t at) const {
        std::size_t end = at;
        if (text_.substr(end).starts_with("\\"))
            end += 1;
        else if (text_.substr(end).starts_with("?"
                                               "?/"))
            end += 3;
        else
            return 0;
        while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t' || text_[end] == '\r')) ++end;
        return end < text_.size() && text_[end] == '\n' ? end + 1 - at : 0;
    }
    /// The next character with line breaks behind '\' passed; nothing at the end.
    std::optional<char> next() {
        while (const std::size_t bytes = splice_at(at_)) {
            at_ += bytes;
            ++number_;
        }
        if (at_ == text_.size()) return std::nullopt;
        const char c = text_[at_++];
        if (c == '\n') ++number_;
        return c;
    }
    std::optional<char> peek() {
        const std::size_t at = at_, number = number_;
        const std::optional<char> c = next();
        at_ = at;
        number_ = number;
        return c;
    }
    void pass_block_comment() {
        for (char before = 0;;) {
            const std::optional<char> c = next();
            if (!c || (before == '*' && *c == '/')) return;
            before = *c;
        }
    }
    void pass_quoted(char quote, std::string& line) {
        line += quote;
        while (const std::optional<char> c = peek()) {
            if (*c == '\n') return;
            next();
            line += *c;
            if (*c == quote) return;
            if (*c != '\\') continue;
            if (const std::optional<char> escaped = peek(); escaped && *escaped != '\n') line += *next();
        }
    }
    /// Up to the end of the line, which a comment may carry over several.
    std::string logical_line() {
        std::string line;
        while (const std::optional<char> c = next()) {
            if (*c == '\n') break;
            if (*c == '"' || *c == '\'') {
                pass_quoted(*c, line);
            } else if (*c == '/' && peek() == '*') {
                next();
                pass_block_comment();
                line += ' ';
            } else if (*c == '/' && peek() == '/') {
                while (peek() && peek() != '\n') next();
            } else {
                line += *c;
            }
        }
        return line;
    }

    std::string_view text_;
    std::size_t at_ = 0, number_ = 1;
};

std::string_view word_of(std::string_view directive) {
    const auto end =
        std::ranges::find_if_not(directive, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    return directive.substr(0, static_cast<std::size_t>(end - directive.begin()));
}

/// PATH of `"PATH"`; empty where there is something else, or more.
std::string quoted_path(std::string_view rest) {
    if (!rest.starts_with('"')) return {};
    const std::size_t end = rest.find('"', 1);
    if (end == std::string_view::npos || !trimmed(rest.substr(end + 1)).empty()) return {};
    return std::string(rest.substr(1, end - 1));
}

}  // namespace

std::vector<IncludeDirective> includes_in(std::string_view text) {
    std::vector<IncludeDirective> found;
    std::size_t depth = 0;
    for (const DirectiveLine& line : DirectiveScan(text).all()) {
        const std::string_view word = word_of(line.text);
        if (word == "if" || word == "ifdef" || word == "ifndef") ++depth;
        if (word == "endif" && depth > 0) --depth;
        if (std::ranges::find(reading_words, word) == reading_words.end()) continue;
        IncludeDirective one{line.line, line.lines, std::string(word), {}, {}, depth > 0};
        one.rest = trimmed(std::string_view(line.text).substr(word.size()));
        if (word == "include" || word == "import") one.path = quoted_path(one.rest);
        found.push_back(std::move(one));
    }
    return found;
}

std::map<std::size_t, std::string> include_lines(std::string_view text) {
    std::map<std::size_t, std::string> found;
    if (text.find("/*") != std::string_view::npos) {
        for (const IncludeDirective& one : includes_in(text))
            if (one.word == "include" && one.lines == 1 && !one.path.empty()) found[one.line] = one.path;
        return found;
    }
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (auto path = include_of(text.substr(0, end))) found[line] = std::move(*path);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return found;
}

bool guards_itself(std::string_view text) {
    const std::vector<DirectiveLine> lines = DirectiveScan(text).all();
    const auto says = [](const DirectiveLine& line, std::string_view word) {
        return word_of(line.text) == word
                   ? std::string(trimmed(std::string_view(line.text).substr(word.size())))
                   : std::string();
    };
    if (std::ranges::any_of(lines, [&](const DirectiveLine& line) { return says(line, "pragma") == "once"; }))
        return true;
    if (lines.size() < 3 || word_of(lines.back().text) != "endif") return false;
    const std::string name = says(lines[0], "ifndef");
    return !name.empty() && word_of(says(lines[1], "define")) == name;
}

}  // namespace ks
