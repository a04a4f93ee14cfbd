#include "core/kernels/inserted_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "core/base/trimmed.h"
#include "core/run/user/line_map.h"

namespace ks {
namespace {

bool is_space(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// The text with spaces instead of comments, strings and directives.
std::string code_of(std::string_view text) {
    std::string code(text);
    const auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < std::min(to, code.size()); ++i)
            if (code[i] != '\n') code[i] = ' ';
    };
    const auto end_of_line = [&](std::size_t from) {
        std::size_t end = code.find('\n', from);
        while (end != std::string::npos && end > 0 && code[end - 1] == '\\') end = code.find('\n', end + 1);
        return std::min(end, code.size());
    };
    bool starts_line = true;
    for (std::size_t i = 0; i < code.size(); ++i) {
        const std::string_view rest = std::string_view(code).substr(i);
        std::size_t end = i;
        if (rest.starts_with("//") || (rest.starts_with("#") && starts_line))
            end = end_of_line(i);
        else if (rest.starts_with("/*"))
            end = std::min(rest.find("*/", 2), rest.size() - 2) + i + 2;
        else if (rest.starts_with('"') || rest.starts_with('\''))
            for (end = i + 1; end < code.size() && code[end++] != rest[0];)
                if (code[end - 1] == '\\') ++end;
        if (end == i) {
            starts_line = code[i] == '\n' || (starts_line && is_space(code[i]));
            continue;
        }
        blank(i, end);
        i = end - 1;
    }
    return code;
}

/// Index of the first character from `at` that is no space; the size of the text if there is none.
std::size_t after_spaces(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(text[at])) ++at;
    return at;
}

}  // namespace

bool defines_function(std::string_view text, std::string_view name) {
    const std::string code = code_of(text);
    for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
        if (at > 0 && is_name_letter(code[at - 1])) continue;
        std::size_t next = after_spaces(code, at + name.size());
        if (next >= code.size() || code[next] != '(') continue;
        std::size_t open = 0;
        do {
            open += code[next] == '(' ? 1 : 0;
            open -= code[next] == ')' ? 1 : 0;
            ++next;
        } while (open > 0 && next < code.size());
        next = after_spaces(code, next);
        if (next < code.size() && code[next] == '{') return true;
    }
    return false;
}

std::string InsertedText::before(std::string_view source) const {
    std::string all;
    for (const Part& part : parts_) {
        if (!part.function.empty() && defines_function(source, part.function)) continue;
        all += part.text;
        if (!all.empty() && !all.ends_with('\n')) all += '\n';
    }
    return all;
}

std::vector<std::string> InsertedText::defined_by(std::string_view source) const {
    std::vector<std::string> names;
    for (const Part& part : parts_)
        if (!part.function.empty() && defines_function(source, part.function)) names.push_back(part.function);
    return names;
}

std::string name_of_text_before(const std::string& file) {
    return "text before " + file;
}

std::string text_behind(std::string_view inserted, const std::string& file, std::string_view source) {
    if (inserted.empty()) return std::string(source);
    std::string all = line_directive({name_of_text_before(file), 1}) + "\n";
    all += inserted;
    if (!all.ends_with('\n')) all += '\n';
    all += line_directive({file, 1}) + "\n";
    all += source;
    return all;
}

}  // namespace ks
