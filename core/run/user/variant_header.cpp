#include "core/run/user/variant_header.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/trimmed.h"

namespace ks {
namespace {

namespace fs = std::filesystem;

/// The next line without its line end; removes it from the text.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

bool is_comment(std::string_view line) {
    return trimmed(line).starts_with("//");
}

/// "KEY" and "VALUE" in "// KEY: VALUE"; a comment without a colon is only a key.
struct HeaderLine {
    std::string key;
    std::optional<std::string> value;
};

HeaderLine header_line(std::string_view line) {
    const std::string_view text = trimmed(trimmed(line).substr(2));
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return {std::string(text), std::nullopt};
    return {std::string(trimmed(text.substr(0, colon))), std::string(trimmed(text.substr(colon + 1)))};
}

constexpr std::array<std::string_view, 5> keys{"base", "title", "description", "define", "pieces"};

/// "// KEY: VALUE" with a key of the header; the value may be empty.
bool has_key(std::string_view line) {
    if (!is_comment(line)) return false;
    const HeaderLine parts = header_line(line);
    return parts.value && std::ranges::find(keys, parts.key) != keys.end();
}

/// The first line of a header, or one with a key.
bool is_of_header(std::string_view line) {
    return trimmed(line) == VariantHeader::first_line || has_key(line);
}

/// The least number of letters to add, remove, replace, or swap with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> of(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                of[i][j] = i + j;
                continue;
            }
            const bool same = a[i - 1] == b[j - 1];
            of[i][j] = std::min({of[i - 1][j] + 1, of[i][j - 1] + 1, of[i - 1][j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                of[i][j] = std::min(of[i][j], of[i - 2][j - 2] + 1);
        }
    return of[a.size()][b.size()];
}

/// The key that a word is probably meant to be; empty: none.
std::string_view near_key(std::string word) {
    std::ranges::transform(word, word.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    if (word.size() > 20) return {};
    for (const std::string_view key : keys)
        if (distance(word, key) <= (key.size() > 5 ? 2U : 1U)) return key;
    return {};
}

/// Whether a comment that has no key looks as if one had been mistyped, or its colon forgotten: a value that
/// the user set would be ignored without a word.
bool is_mistyped(std::string_view line) {
    const HeaderLine parts = header_line(line);
    if (parts.value) return !near_key(parts.key).empty();
    const std::size_t blank = std::min(parts.key.find_first_of(" \t="), parts.key.size());
    const std::string_view key = near_key(parts.key.substr(0, blank)),
                           rest = trimmed(std::string_view(parts.key).substr(blank));
    if (key == "define") return rest.find('=') != std::string_view::npos;
    if (key == "pieces") return rest == "yes" || rest == "no";
    return key == "base" && !rest.empty() && rest.find(' ') == std::string_view::npos;
}

/// NAME and VALUE in "NAME=VALUE"; without "=" only a name.
std::pair<std::string, std::optional<std::string>> define_of(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return {std::string(trimmed(text)), std::nullopt};
    return {std::string(trimmed(text.substr(0, equals))), std::string(trimmed(text.substr(equals + 1)))};
}

std::string define_line(const std::string& name, const std::string& value) {
    return fmt::format("// define: {}={}", name, value);
}

void take_define(VariantHeader& header, const std::string& text, std::size_t line, const std::string& where) {
    const auto [name, value] = define_of(text);
    if (!value || name.empty())
        throw Error(ErrorKind::input, fmt::format("expected NAME=VALUE, found \"{}\"", text), where);
    if (!header.defines.emplace(name, *value).second)
        throw Error(ErrorKind::input, name + " is defined twice", where);
    header.define_lines[name] = line;
}

/// @param text a line with a key
void take(VariantHeader& header, std::string_view text, std::size_t line, const std::string& where) {
    const auto [key, value] = header_line(text);
    if (value->empty()) throw Error(ErrorKind::input, "there is no value after " + key + ":", where);
    if (key == "define") return take_define(header, *value, line, where);
    if (key == "pieces") {
        if (*value != "yes" && *value != "no")
            throw Error(
                ErrorKind::input,
                fmt::format("expected \"pieces: yes\" or \"pieces: no\", found \"pieces: {}\"", *value),
                where);
        header.pieces = *value == "yes";
        return;
    }
    std::string& field = key == "base" ? header.base : key == "title" ? header.title : header.description;
    if (!field.empty()) throw Error(ErrorKind::input, key + " is given twice", where);
    field = *value;
    if (key == "base") header.base_line = line;
}

}  // namespace

bool has_variant_header(std::string_view text) {
    return trimmed(take_line(text)) == VariantHeader::first_line;
}

bool allows_pieces(std::string_view text) {
    while (is_comment(text.substr(0, text.find('\n')))) {
        const HeaderLine line = header_line(take_line(text));
        if (line.key == "pieces" && line.value) return *line.value == "yes";
    }
    return false;
}

std::string at_line(const fs::path& file, std::size_t line) {
    return fmt::format("{}:{}", file.string(), line);
}

VariantHeader read_variant_header(std::string_view text, const fs::path& file) {
    if (!has_variant_header(text))
        throw Error(ErrorKind::input, fmt::format("the first line must be \"{}\"", VariantHeader::first_line),
                    at_line(file, 1));
    VariantHeader header;
    take_line(text);
    std::size_t end = 0;  // line of the comment that ends the header; 0: none
    for (std::size_t line = 2; is_comment(text.substr(0, text.find('\n'))); ++line) {
        const std::string_view one = take_line(text);
        const std::string said(trimmed(trimmed(one).substr(2)));
        if (has_key(one)) {
            if (end > 0)
                throw Error(
                    ErrorKind::input,
                    fmt::format("\"{}\" has no effect, because the comment in line {} ends the header", said,
                                end),
                    at_line(file, line), "move it before that comment, or put an empty line before it");
            take(header, one, line, at_line(file, line));
        } else if (end == 0 && is_mistyped(one)) {
            throw Error(
                ErrorKind::input,
                fmt::format("expected a line that begins with base:, title:, description:, define: or "
                            "pieces:, found \"{}\"",
                            said),
                at_line(file, line), "an empty line ends the header");
        } else if (end == 0) {
            end = line;
        }
    }
    if (header.base.empty())
        throw Error(
            ErrorKind::input, "the header does not name the base", file.string(),
            "add a line such as \"// base: ID\", where ID is the variant that the kernel was copied from");
    return header;
}

std::string text_of(const VariantHeader& header) {
    std::string text = fmt::format("{}\n// base: {}\n", VariantHeader::first_line, header.base);
    if (!header.title.empty()) text += fmt::format("// title: {}\n", header.title);
    if (!header.description.empty()) text += fmt::format("// description: {}\n", header.description);
    for (const auto& [name, value] : header.defines) text += define_line(name, value) + "\n";
    if (header.pieces) text += "// pieces: yes\n";
    return text + "\n";
}

std::string_view without_header(std::string_view text) {
    if (!has_variant_header(text)) return text;
    const auto next = [&text] { return text.substr(0, text.find('\n')); };
    while (is_of_header(next())) take_line(text);
    while (!text.empty() && trimmed(next()).empty()) take_line(text);
    return text;
}

std::string with_define(std::string_view text, const std::string& name, const std::string& value) {
    std::string before, line;
    std::string_view rest = text;
    bool known = false;
    while (!known && is_of_header(rest.substr(0, rest.find('\n')))) {
        const std::string_view one = take_line(rest);
        const HeaderLine header = header_line(one);
        known = header.key == "define" && header.value && define_of(*header.value).first == name;
        if (!known) before += std::string(one) + "\n";
    }
    if (!value.empty()) line = define_line(name, value) + "\n";
    std::string all = before + line + std::string(rest);
    // A last line without a line end stays that way.
    if (!text.empty() && !text.ends_with('\n') && all.ends_with('\n')) all.pop_back();
    return all;
}

}  // namespace ks
