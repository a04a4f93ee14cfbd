#include "core/judge/source_causes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "core/base/trimmed.h"
#include "core/run/user/text_defines.h"

namespace ks {
namespace {

struct CodeToken {
    std::string_view text;
    std::size_t line;
};

/// The end of a comment, literal or preprocessor line that starts at `at`; `at` itself where there is code.
std::size_t behind_no_code(std::string_view text, std::size_t at, bool line_begins) {
    const auto until = [&](std::string_view end) {
        const std::size_t found = text.find(end, at + 1);
        return found == std::string_view::npos ? text.size() : found + end.size();
    };
    if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
    if (text.substr(at, 2) == "/*") return until("*/");
    if (text[at] == '"' || text[at] == '\'') {
        std::size_t end = at + 1;
        while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
        return std::min(end + 1, text.size());
    }
    if (text[at] != '#' || !line_begins) return at;
    std::size_t end = std::min(text.find('\n', at), text.size());
    while (end < text.size() && text[end - 1] == '\\') end = std::min(text.find('\n', end + 1), text.size());
    return end;
}

std::vector<CodeToken> tokens_of(std::string_view text) {
    std::vector<CodeToken> tokens;
    std::size_t line = 1;
    bool line_begins = true;
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t end = behind_no_code(text, at, line_begins); end > at) {
            line += static_cast<std::size_t>(std::ranges::count(text.substr(at, end - at), '\n'));
            at = end;
        } else if (text[at] == '\n' || std::isspace(static_cast<unsigned char>(text[at])) != 0) {
            if (text[at] == '\n') {
                ++line;
                line_begins = true;
            }
            ++at;
        } else {
            std::size_t stop = at + 1;
            if (is_name_letter(text[at]))
                while (stop < text.size() && is_name_letter(text[stop])) ++stop;
            tokens.push_back({text.substr(at, stop - at), line});
            line_begins = false;
            at = stop;
        }
    }
    return tokens;
}

/// The index after the bracket that closes the one at `at`.
std::size_t behind_bracket(const std::vector<CodeToken>& tokens, std::size_t at) {
    const std::string_view opens = tokens[at].text, closes = opens == "(" ? ")" : opens == "[" ? "]" : "}";
    std::size_t depth = 0;
    for (; at < tokens.size(); ++at) {
        if (tokens[at].text == opens) ++depth;
        if (tokens[at].text == closes && --depth == 0) return at + 1;
    }
    return at;
}

struct CodeFunction {
    std::string_view name;
    std::size_t begin, end;  ///< its body, as token indices
};

std::vector<CodeFunction> functions_of(const std::vector<CodeToken>& tokens) {
    std::vector<CodeFunction> functions;
    std::string_view name;
    for (std::size_t i = 0; i < tokens.size();) {
        const bool opens = i + 1 < tokens.size() && tokens[i + 1].text == "(";
        if (opens && is_name_letter(tokens[i].text.front())) {
            if (tokens[i].text != "__attribute__") name = tokens[i].text;
            i = behind_bracket(tokens, i + 1);
        } else if (tokens[i].text == "{") {
            const std::size_t end = behind_bracket(tokens, i);
            if (!name.empty()) functions.push_back({std::exchange(name, {}), i, end});
            i = end;
        } else {
            if (tokens[i].text == ";" || tokens[i].text == "=") name = {};
            ++i;
        }
    }
    return functions;
}

/// Value of a constant expression of + - * / << >> and brackets, with macros.
class ConstantValue {
  public:
    explicit ConstantValue(const std::map<std::string, std::string>& defines, int depth = 0)
        : defines_(defines), depth_(depth) {}
    std::optional<std::int64_t> of(const std::vector<CodeToken>& tokens) {
        tokens_ = &tokens;
        at_ = 0;
        const auto value = binary(0);
        return at_ == tokens.size() ? value : std::nullopt;
    }

  private:
    bool next_is(std::string_view text) {
        if (at_ >= tokens_->size() || (*tokens_)[at_].text != text) return false;
        ++at_;
        return true;
    }
    /// Level 0: shifts, 1: sums, 2: products.
    std::optional<std::int64_t> binary(int level) {
        if (level == 3) return single();
        auto value = binary(level + 1);
        while (value) {
            const std::size_t before = at_;
            std::string_view sign;
            if (level == 0) {
                for (const std::string_view shift : {"<", ">"})
                    if (next_is(shift)) sign = next_is(shift) ? shift : std::string_view();
            } else {
                for (const std::string_view one : level == 1 ? std::array{"+", "-"} : std::array{"*", "/"})
                    if (sign.empty() && next_is(one)) sign = one;
            }
            if (sign.empty()) {
                at_ = before;
                return value;
            }
            const auto right = binary(level + 1);
            if (!right) return std::nullopt;
            value = joined(*value, sign, *right);
        }
        return value;
    }
    static std::optional<std::int64_t> joined(std::int64_t a, std::string_view sign, std::int64_t b) {
        constexpr std::int64_t most = std::int64_t{1} << 40;
        if (a < 0 || b < 0 || a > most || b > most) return std::nullopt;
        if (sign == "+") return a + b;
        if (sign == "-") return a - b;
        if (sign == "*") return b != 0 && a > most / b ? std::nullopt : std::optional(a * b);
        if (sign == "/") return b == 0 ? std::nullopt : std::optional(a / b);
        if (b > 40) return std::nullopt;
        return sign == ">" ? std::optional(a >> b) : a > (most >> b) ? std::nullopt : std::optional(a << b);
    }
    std::optional<std::int64_t> single() {
        if (next_is("(")) {
            const auto value = binary(0);
            return next_is(")") ? value : std::nullopt;
        }
        if (at_ >= tokens_->size()) return std::nullopt;
        const std::string_view text = (*tokens_)[at_++].text;
        if (std::isdigit(static_cast<unsigned char>(text.front())) != 0) {
            const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
            std::int64_t value = 0;
            const auto [end, status] = std::from_chars(text.data() + (is_hex ? 2 : 0),
                                                       text.data() + text.size(), value, is_hex ? 16 : 10);
            const std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
            return status == std::errc() && suffix.find_first_not_of("uUlL") == std::string_view::npos
                       ? std::optional(value)
                       : std::nullopt;
        }
        const auto define = defines_.find(std::string(text));
        constexpr int deepest = 8;
        if (define == defines_.end() || depth_ == deepest) return std::nullopt;
        return ConstantValue(defines_, depth_ + 1).of(tokens_of(define->second));
    }

    const std::map<std::string, std::string>& defines_;
    int depth_;
    const std::vector<CodeToken>* tokens_ = nullptr;
    std::size_t at_ = 0;
};

/// Size in bytes of an OpenCL C type; 0: unknown type.
std::uint64_t bytes_of_type(std::string_view type) {
    struct Named {
        std::string_view name;
        std::uint64_t bytes;
    };
    static constexpr std::array scalars{
        Named{"char", 1},  Named{"uchar", 1},  Named{"bool", 1},  Named{"short", 2}, Named{"ushort", 2},
        Named{"half", 2},  Named{"int", 4},    Named{"uint", 4},  Named{"float", 4}, Named{"long", 8},
        Named{"ulong", 8}, Named{"double", 8}, Named{"size_t", 8}};
    for (const auto& [name, bytes] : scalars) {
        if (type == name) return bytes;
        if (!type.starts_with(name)) continue;
        const std::string_view lanes = type.substr(name.size());
        for (const auto& [text, count] : {std::pair{"2", 2U}, {"3", 4U}, {"4", 4U}, {"8", 8U}, {"16", 16U}})
            if (lanes == text) return bytes * count;
    }
    return 0;
}

/// An array that a statement declares in private memory: name, bytes, line.
struct DeclaredArray {
    std::string_view name;
    std::uint64_t bytes;
    std::size_t line;
};

std::vector<DeclaredArray> arrays_in(const std::vector<CodeToken>& statement,
                                     const std::map<std::string, std::string>& defines) {
    static const std::set<std::string_view> before{"const", "volatile", "private", "__private", "unsigned"};
    std::size_t at = 0;
    while (at < statement.size() && before.contains(statement[at].text)) ++at;
    const std::uint64_t bytes = at < statement.size() ? bytes_of_type(statement[at].text) : 0;
    std::vector<DeclaredArray> all;
    if (bytes == 0) return all;
    bool declares = true;
    for (++at; at < statement.size(); ++at) {
        const std::string_view text = statement[at].text;
        if (text == "(" || text == "{") {
            at = behind_bracket(statement, at) - 1;
            continue;
        }
        if (text == ",") declares = true;
        if (text == "=") declares = false;
        if (!declares || !is_name_letter(text.front()) || at + 1 >= statement.size() ||
            statement[at + 1].text != "[")
            continue;
        DeclaredArray array{text, bytes, statement[at].line};
        while (at + 1 < statement.size() && statement[at + 1].text == "[") {
            const std::size_t end = behind_bracket(statement, at + 1);
            const std::vector<CodeToken> length(statement.begin() + static_cast<std::ptrdiff_t>(at + 2),
                                                statement.begin() + static_cast<std::ptrdiff_t>(end - 1));
            array.bytes *= static_cast<std::uint64_t>(ConstantValue(defines).of(length).value_or(0));
            at = end - 1;
        }
        if (array.bytes > 0) all.push_back(array);
    }
    return all;
}

constexpr std::array element_types{"char", "short", "int", "long", "half", "float", "double"};

/// "float8", "convert_uint16_sat", "vload8"; not "uint8_t".
bool names_wide_vector(std::string_view word) {
    const auto is_wide = [](std::string_view lanes) {
        const std::size_t digits = lanes.starts_with("16") ? 2 : lanes.starts_with('8') ? 1 : 0;
        const std::string_view rest = lanes.substr(digits);
        return digits > 0 && rest != "_t" && (rest.empty() || rest.front() == '_');
    };
    for (const std::string_view access : {"vload", "vstore"})
        if (word.starts_with(access) && is_wide(word.substr(access.size()))) return true;
    for (const std::string_view type : element_types)
        for (std::size_t at = word.find(type); at != std::string_view::npos; at = word.find(type, at + 1)) {
            const std::size_t begin = at > 0 && word[at - 1] == 'u' ? at - 1 : at;
            if ((begin == 0 || word[begin - 1] == '_') && is_wide(word.substr(at + type.size()))) return true;
        }
    return false;
}

}  // namespace

std::optional<Recursion> recursion_in(std::string_view text) {
    const std::vector<CodeToken> tokens = tokens_of(text);
    const std::vector<CodeFunction> functions = functions_of(tokens);
    std::map<std::string_view, std::vector<const CodeFunction*>> by_name;
    for (const CodeFunction& function : functions) by_name[function.name].push_back(&function);
    std::set<std::string_view> under_way, done;
    const std::function<std::optional<Recursion>(const CodeFunction&)> follow =
        [&](const CodeFunction& function) -> std::optional<Recursion> {
        under_way.insert(function.name);
        for (std::size_t i = function.begin; i + 1 < function.end; ++i) {
            const auto called = by_name.find(tokens[i].text);
            if (called == by_name.end() || called->second.size() != 1 || tokens[i + 1].text != "(") continue;
            if (under_way.contains(called->first))
                return Recursion{std::string(called->first), tokens[i].line};
            if (done.contains(called->first)) continue;
            if (auto found = follow(*called->second.front())) return found;
        }
        under_way.erase(function.name);
        done.insert(function.name);
        return std::nullopt;
    };
    for (const auto& [name, same] : by_name)
        if (same.size() == 1 && !done.contains(name))
            if (auto found = follow(*same.front())) return found;
    return std::nullopt;
}

std::optional<PrivateArrays> private_arrays_in(std::string_view text,
                                               const std::map<std::string, std::string>& defines) {
    std::map<std::string, std::string> values = defines;
    for (const auto& [name, define] : text_defines(text, {defines}))
        if (!define.unclear) values.try_emplace(name, define.value);
    const std::vector<CodeToken> tokens = tokens_of(text);
    std::optional<PrivateArrays> most;
    for (const CodeFunction& function : functions_of(tokens)) {
        PrivateArrays of_function;
        std::uint64_t largest = 0;
        std::vector<CodeToken> statement;
        for (std::size_t i = function.begin; i < function.end; ++i) {
            const std::string_view token = tokens[i].text;
            if (token != ";" && token != "{" && token != "}") {
                statement.push_back(tokens[i]);
                continue;
            }
            for (const DeclaredArray& array : arrays_in(statement, values)) {
                of_function.bytes += array.bytes;
                if (array.bytes <= largest) continue;
                largest = array.bytes;
                of_function.largest = array.name;
                of_function.line = array.line;
            }
            statement.clear();
        }
        if (of_function.bytes > 0 && (!most || of_function.bytes > most->bytes)) most = of_function;
    }
    return most;
}

namespace {

/// All names of a text, those in directives too, without those in comments, strings and names of files.
std::set<std::string, std::less<>> names_in(std::string_view text) {
    std::set<std::string, std::less<>> names;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '"') {  // at most to the end of the line
            at = std::min(text.find_first_of("\"\n", at + 1), text.size() - 1) + 1;
            continue;
        }
        const std::size_t end = text[at] == '/' ? behind_no_code(text, at, false) : at;
        std::size_t stop = std::max(at, end);
        while (end == at && stop < text.size() && is_name_letter(text[stop])) ++stop;
        if (end == at && stop > at) names.emplace(text.substr(at, stop - at));
        at = std::max(stop, at + 1);
    }
    return names;
}

/// The name in `#define NAME`; empty: the line is another one.
std::string_view defined_in(std::string_view line) {
    constexpr std::string_view directive = "define";
    line = trimmed(line);
    if (!line.starts_with('#')) return {};
    line = trimmed(line.substr(1));
    if (!line.starts_with(directive)) return {};
    line = trimmed(line.substr(directive.size()));
    std::size_t end = 0;
    while (end < line.size() && is_name_letter(line[end])) ++end;
    return line.substr(0, end);
}

}  // namespace

std::set<std::string> declared_names(std::string_view text) {
    static const std::set<std::string_view> behind_names{"(", "=", "[", ";", ",", "{"},
        no_names{"__attribute__", "struct", "union", "enum"};
    std::set<std::string> names;
    for (const std::string& line : lines_of(text))
        if (const std::string_view name = defined_in(line); !name.empty()) names.emplace(name);
    const std::vector<CodeToken> tokens = tokens_of(text);
    for (std::size_t i = 0; i + 1 < tokens.size();) {
        const std::string_view token = tokens[i].text;
        if (token == "(" || token == "{") {
            const std::size_t end = behind_bracket(tokens, i);
            const bool of_enum = token == "{" && ((i > 0 && tokens[i - 1].text == "enum") ||
                                                  (i > 1 && tokens[i - 2].text == "enum"));
            for (; i < end; ++i)
                if (const char first = tokens[i].text.front();
                    of_enum && is_name_letter(first) && std::isdigit(static_cast<unsigned char>(first)) == 0)
                    names.emplace(tokens[i].text);
            continue;
        }
        if (is_name_letter(token.front()) && behind_names.contains(tokens[i + 1].text) &&
            !no_names.contains(token))
            names.emplace(token);
        ++i;
    }
    return names;
}

std::string used_text(const ResolvedSource& source) {
    std::string used;
    std::map<std::string, std::string> files;  // those that are included and not yet used
    for (const SourceLine& line : source.lines)
        if (!line.include) (line.depth == 0 ? used : files[line.place.file]) += line.text + "\n";
    const auto is_used = [](const std::string& file, const auto& by) {
        const std::set<std::string> declared = declared_names(file);
        return declared.empty() ||
               std::ranges::any_of(declared, [&](const std::string& name) { return by.contains(name); });
    };
    auto names = names_in(used);
    // A text without a kernel of its own is what it includes, and names that are put together may be any.
    const bool uses_all =
        (!names.contains("kernel") && !names.contains("__kernel")) || used.find("##") != std::string::npos;
    for (;;) {
        const auto found = std::ranges::find_if(
            files, [&](const auto& file) { return uses_all || is_used(file.second, names); });
        if (found == files.end()) return used;
        names.merge(names_in(found->second));
        used += found->second;
        files.erase(found);
    }
}

bool uses_wide_vectors(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t end = behind_no_code(text, at, false); end > at) {
            at = end;
            continue;
        }
        std::size_t stop = at;
        while (stop < text.size() && is_name_letter(text[stop])) ++stop;
        if (text.substr(at, 2) == "##" || names_wide_vector(text.substr(at, stop - at))) return true;
        at = std::max(stop, at + 1);
    }
    return false;
}

}  // namespace ks
