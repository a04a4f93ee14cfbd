#include "core/run/user/variant_header.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

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

void take(VariantHeader& header, std::string_view text, std::size_t line, const std::string& where) {
    static constexpr std::array keys{"base", "title", "description", "define", "pieces"};
    const auto [key, value] = header_line(text);
    if (!value || std::ranges::find(keys, key) == keys.end())
        throw Error(ErrorKind::input,
                    fmt::format("expected a line that begins with base:, title:, description:, define: or "
                                "pieces:, found \"{}\"",
                                std::string(trimmed(trimmed(text).substr(2)))),
                    where, "an empty line ends the header");
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
    for (std::size_t line = 2; is_comment(text.substr(0, text.find('\n'))); ++line)
        take(header, take_line(text), line, at_line(file, line));
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
    while (is_comment(next())) take_line(text);
    while (!text.empty() && trimmed(next()).empty()) take_line(text);
    return text;
}

std::string with_define(std::string_view text, const std::string& name, const std::string& value) {
    std::string before, line;
    std::string_view rest = text;
    bool known = false;
    while (!known && is_comment(rest.substr(0, rest.find('\n')))) {
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
