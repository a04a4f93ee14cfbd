#include "core/run/user/directive_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/base/trimmed.h"

namespace ks {
namespace {

constexpr std::array<std::string_view, 5> reading_words{"include", "import", "include_next", "embed",
                                                        "__include_macros"};

/// The text after the `#` of a directive; nothing for other lines.
std::optional<std::string_view> behind_sign(std::string_view line) {
    line = trimmed(line);
    for (const std::string_view sign : {"#", "%:"})
        if (line.starts_with(sign)) return trimmed(line.substr(sign.size()));
    return std::nullopt;
}

std::string_view leading_word(std::string_view text) {
    const auto end = std::ranges::find_if_not(text, is_name_letter);
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

/// Whether '<' after this part of a line begins a file name, in which nothing is a comment.
bool expects_file_name(std::string_view line) {
    const std::optional<std::string_view> directive = behind_sign(line);
    if (!directive) return false;
    const std::string_view word = leading_word(*directive);
    if (std::ranges::find(reading_words, word) != reading_words.end())
        return word.size() == directive->size();
    std::string_view before = trimmed(line);
    if (!before.ends_with('(')) return false;
    before = trimmed(before.substr(0, before.size() - 1));
    const std::size_t at = before.rfind("__has_");
    return at != std::string_view::npos && std::ranges::all_of(before.substr(at), is_name_letter);
}

/// The characters of a text, skipping line breaks after '\'.
class Characters {
  public:
    Characters(std::string_view text, Trigraphs trigraphs)
        : text_(text), trigraphs_(trigraphs == Trigraphs::are_characters) {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    }

    std::size_t line() const { return line_; }
    bool at_end() const { return at_ == text_.size(); }
    bool ended_in_splice() const { return ended_in_splice_; }

    std::optional<char> next() {
        while (const std::size_t bytes = splice()) {
            at_ += bytes;
            ++line_;
            ended_in_splice_ = at_end();
        }
        if (at_end()) return std::nullopt;
        const auto [c, bytes] = character();
        at_ += bytes;
        if (c == '\n') ++line_;
        return c;
    }
    std::optional<char> peek() const { return Characters(*this).next(); }

  private:
    std::pair<char, std::size_t> character() const {
        constexpr std::string_view third = "=/'()!<>-", meant = "#\\^[]{|}~";
        const std::string_view rest = text_.substr(at_);
        if (trigraphs_ && rest.size() > 2 && rest[0] == '?' && rest[1] == '?')
            if (const std::size_t at = third.find(rest[2]); at != std::string_view::npos)
                return {meant[at], 3};
        return {rest[0], 1};
    }
    /// Bytes of a '\' with its line break, or at the end of the text; 0: none here.
    std::size_t splice() const {
        if (at_end()) return 0;
        const auto [c, bytes] = character();
        if (c != '\\') return 0;
        std::size_t end = at_ + bytes;
        while (end < text_.size() && std::string_view(" \t\f\v").find(text_[end]) != std::string_view::npos)
            ++end;
        if (end == text_.size()) return end - at_;
        return text_[end] == '\n' ? end + 1 - at_ : 0;
    }

    std::string_view text_;
    bool trigraphs_, ended_in_splice_ = false;
    std::size_t at_ = 0, line_ = 1;
};

class Scanner {
  public:
    Scanner(std::string_view text, Trigraphs trigraphs) : in_(text, trigraphs) {}

    DirectiveScan all() {
        while (!in_.at_end()) {
            const std::size_t line = in_.line();
            comment_goes_on_ = false;
            const std::string logical = logical_line();
            if (const auto directive = behind_sign(logical))
                take(*directive, line);
            else if (!trimmed(logical).empty())
                take_code(logical, line);
        }
        found_.open_line = in_.ended_in_splice();
        found_.assembles_files = has("asm") && (has(".incbin") || has(".include"));
        found_.pragma_reads_files = has("_pragma") && (has("dependency") || has("include_alias"));
        return std::move(found_);
    }

  private:
    void take(std::string_view directive, std::size_t line) {
        const std::string_view word = leading_word(directive);
        if ((word == "error" || word == "warning") && comment_goes_on_) found_.open_message = line;
        const std::size_t lines = std::max<std::size_t>(in_.line() - line, 1);
        found_.directives.push_back(
            {line, lines, std::string(word), std::string(trimmed(directive.substr(word.size())))});
        if (!reads_a_file(found_.directives.back())) squeeze(directive);
    }
    void take_code(std::string_view logical, std::size_t line) {
        if (!found_.first_code) found_.first_code = line;
        found_.last_code = line;
        squeeze(logical);
    }
    /// Collects code without spaces and quotes, since inline assembly is concatenated from strings.
    void squeeze(std::string_view line) {
        for (const char c : line)
            if (c != '"' && !trimmed(std::string_view(&c, 1)).empty())
                squeezed_ += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        squeezed_ += ';';
    }
    bool has(std::string_view part) const { return squeezed_.find(part) != std::string::npos; }

    void pass_block_comment() {
        for (char before = 0;;) {
            const std::optional<char> c = in_.next();
            found_.open_comment = !c;
            if (!c || (before == '*' && *c == '/')) return;
            comment_goes_on_ = comment_goes_on_ || *c == '\n';
            before = *c;
        }
    }
    void pass_quoted(char quote, std::string& line) {
        line += quote;
        while (const std::optional<char> c = in_.peek()) {
            if (*c == '\n') return;
            in_.next();
            line += *c;
            if (*c == quote) return;
            if (*c != '\\') continue;
            if (const std::optional<char> escaped = in_.peek(); escaped && *escaped != '\n')
                line += *in_.next();
        }
    }
    void pass_file_name(std::string& line) {
        line += '<';
        while (const std::optional<char> c = in_.peek()) {
            if (*c == '\n') return;
            line += *in_.next();
            if (*c == '>') return;
        }
    }
    /// Reads up to the end of the line, which a comment may extend over several lines.
    std::string logical_line() {
        std::string line;
        while (const std::optional<char> c = in_.next()) {
            if (*c == '\n') break;
            if (*c == '"' || *c == '\'') {
                pass_quoted(*c, line);
            } else if (*c == '<' && expects_file_name(line)) {
                pass_file_name(line);
            } else if (*c == '/' && in_.peek() == '*') {
                in_.next();
                pass_block_comment();
                line += ' ';
            } else if (*c == '/' && in_.peek() == '/') {
                while (in_.peek() && in_.peek() != '\n') in_.next();
            } else {
                line += *c == '\f' || *c == '\v' || *c == '\0' ? ' ' : *c;
            }
        }
        return line;
    }

    Characters in_;
    DirectiveScan found_;
    std::string squeezed_;
    bool comment_goes_on_ = false;  ///< a comment in this line contains a line break
};

/// NAME in `#ifndef NAME` and `#if !defined(NAME)`; empty for other directives.
std::string_view guarded_by(const Directive& directive) {
    std::string_view rest = directive.rest;
    if (directive.word == "if") {
        if (!rest.starts_with('!')) return {};
        rest = trimmed(rest.substr(1));
        if (leading_word(rest) != "defined") return {};
        rest = trimmed(rest.substr(7));
        if (rest.starts_with('(') && rest.ends_with(')')) rest = trimmed(rest.substr(1, rest.size() - 2));
    } else if (directive.word != "ifndef") {
        return {};
    }
    return leading_word(rest) == rest ? rest : std::string_view();
}

/// The nesting depth of conditions after each directive; negative after surplus #endif.
std::vector<int> depths_of(const DirectiveScan& scan) {
    std::vector<int> depths;
    int depth = 0;
    for (const Directive& directive : scan.directives) {
        if (opens_condition(directive)) ++depth;
        if (directive.word == "endif") --depth;
        depths.push_back(depth);
    }
    return depths;
}

}  // namespace

DirectiveScan directives_in(std::string_view text, Trigraphs trigraphs) {
    return Scanner(text, trigraphs).all();
}

std::string unified_line_ends(std::string_view text) {
    std::string unified;
    unified.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\r')
            unified += text[i];
        else if (i + 1 == text.size() || text[i + 1] != '\n')
            unified += '\n';
    }
    return unified;
}

bool reads_a_file(const Directive& directive) {
    if (directive.word == "pragma") {
        std::string_view rest = directive.rest;
        if (leading_word(rest) == "GCC") rest = trimmed(rest.substr(3));
        return leading_word(rest) == "dependency" || leading_word(rest) == "include_alias";
    }
    return std::ranges::find(reading_words, directive.word) != reading_words.end();
}

std::optional<std::string> named_file(std::string_view rest) {
    rest = trimmed(rest);
    if (!rest.starts_with('"') && !rest.starts_with('<')) return std::nullopt;
    const std::size_t end = rest.find(rest[0] == '<' ? '>' : '"', 1);
    if (end == std::string_view::npos || end == 1) return std::nullopt;
    const std::string_view name = rest.substr(1, end - 1);
    if (name.find('\\') != std::string_view::npos) return std::nullopt;
    return std::string(name);
}

std::optional<Unclear> unclear_in(std::string_view text, const DirectiveScan& scan) {
    if (scan.open_message)
        return Unclear{
            *scan.open_message,
            "a comment starts in the message of an #error or a #warning and continues on the next line"};
    if (scan.assembles_files)
        return Unclear{
            scan.first_code.value_or(1),
            "its inline assembly reads a file (.incbin or .include), which would not be saved with runs"};
    if (scan.pragma_reads_files)
        return Unclear{scan.first_code.value_or(1),
                       "its _Pragma reads a file (GCC dependency), which would not be saved with runs"};
    // In two parts, so that it is not a trigraph itself.
    constexpr std::string_view sign =
        "?"
        "?";
    const std::size_t first = text.find(sign);
    if (first == std::string_view::npos) return std::nullopt;
    const DirectiveScan other = directives_in(text, Trigraphs::are_characters);
    if (other.directives == scan.directives && other.open_comment == scan.open_comment &&
        !other.assembles_files && !other.pragma_reads_files)
        return std::nullopt;
    const auto line = std::ranges::count(text.substr(0, first), '\n') + 1;
    return Unclear{static_cast<std::size_t>(line),
                   "it has a trigraph, which compilers interpret differently"};
}

bool conditions_are_closed(const DirectiveScan& scan) {
    const std::vector<int> depths = depths_of(scan);
    return std::ranges::none_of(depths, [](int depth) { return depth < 0; }) &&
           (depths.empty() || depths.back() == 0);
}

std::string guard_of(const DirectiveScan& scan) {
    const std::vector<Directive>& all = scan.directives;
    if (all.size() < 3 || all.back().word != "endif") return {};
    const std::string_view name = guarded_by(all[0]);
    if (name.empty() || all[1].word != "define" || leading_word(all[1].rest) != name) return {};
    if (scan.first_code && (*scan.first_code < all.front().line || *scan.last_code > all.back().line))
        return {};
    const std::vector<int> depths = depths_of(scan);
    for (std::size_t i = 1; i + 1 < all.size(); ++i)
        if (depths[i] < 1 || (depths[i] == 1 && all[i].word.starts_with("el"))) return {};
    return depths.back() == 0 ? std::string(name) : std::string();
}

bool is_read_once(const DirectiveScan& scan) {
    const std::vector<int> depths = depths_of(scan);
    for (std::size_t i = 0; i < depths.size(); ++i)
        if (depths[i] == 0 && says_once(scan.directives[i])) return true;
    return false;
}

bool says_once(const Directive& directive) {
    return directive.word == "pragma" && directive.rest == "once";
}

bool opens_condition(const Directive& directive) {
    return directive.word == "if" || directive.word == "ifdef" || directive.word == "ifndef";
}

}  // namespace ks
