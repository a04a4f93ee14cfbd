#include "core/run/user/text_defines.h"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/run/user/condition_value.h"
#include "core/run/user/define_words.h"
#include "core/run/user/variant_header.h"

namespace ks {
namespace {

/// The name at the start of a text; removes it.
std::string take_name(std::string_view& text) {
    const auto end = std::ranges::find_if_not(text, is_name_letter);
    std::string name(text.begin(), end);
    text.remove_prefix(name.size());
    return name;
}

/// A logical line without its comments. @param open whether a comment from earlier lines continues; updated
/// for the following line
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

/// Whether compilers or devices may define the name.
bool is_of_compiler(std::string_view name) {
    constexpr std::array<std::string_view, 17> prefixes{
        "_",    "cl_",   "CL_",   "CLK_",   "CHAR_", "SCHAR_", "UCHAR_", "SHRT_", "USHRT_",
        "INT_", "UINT_", "LONG_", "ULONG_", "HALF_", "FLT_",   "DBL_",   "M_"};
    constexpr std::array<std::string_view, 7> names{"MAXFLOAT", "HUGE_VAL", "HUGE_VALF", "INFINITY",
                                                    "NAN",      "NULL",     "unix"};
    return std::ranges::any_of(prefixes, [name](std::string_view one) { return name.starts_with(one); }) ||
           std::ranges::find(names, name) != names.end();
}

struct DefineLine {
    std::string name;
    TextDefine define;
    std::size_t line;   ///< in the text, from 0
    std::size_t lines;  ///< more than 1 if lines end in '\\'
};

/// Reads the directives of a text line by line and collects its defines.
class DefineReader {
  public:
    explicit DefineReader(HostDefines host) : host_(std::move(host)) {}

    void take(std::string_view line, std::size_t number) {
        if (const auto next = line_directive_of(line); next && lines_ == 0) {
            if (!next->file.empty()) place_.file = next->file;
            place_.line = next->line;
            return;
        }
        const bool goes_on = line.ends_with('\\');
        joined_ += goes_on ? line.substr(0, line.size() - 1) : line;
        ++lines_;
        if (goes_on) return;
        const std::string code = without_comments(std::exchange(joined_, {}), in_comment_);
        if (const auto directive = directive_of(code)) take(*directive, number + 1 - lines_);
        place_.line += std::exchange(lines_, 0);
    }
    /// All defines without arguments, also those that the compiler does not read.
    std::vector<DefineLine> found;
    /// Those that it reads or may read.
    std::map<std::string, TextDefine> defines;

  private:
    /// Whether the compiler reads the lines of a branch; `why` if that is not known.
    struct Reads {
        bool yes = true;
        std::optional<std::string> why = {};
    };
    /// An open condition.
    struct Condition {
        std::string guarded = {};  ///< the branch is read if this name is undefined; empty: another condition
        std::string if_else = {};  ///< the same for #else
        bool guards_file = false;  ///< against being read twice
        Reads reads = {};          ///< this branch
        bool done = false;         ///< an earlier branch was read
        std::optional<std::string> maybe_done = {};  ///< why it is not known
    };

    void take(const DirectiveText& directive, std::size_t number) {
        const std::string& word = directive.word;
        if (word == "if" || word == "ifdef" || word == "ifndef") {
            conditions_.push_back(
                {guarded_name(directive).value_or(""), tested_name(directive), false, value_of(directive)});
        } else if (word == "elif" || word == "else") {
            if (!conditions_.empty()) next_branch(directive);
        } else if (word == "endif") {
            if (!conditions_.empty()) conditions_.pop_back();
        } else if (word == "define") {
            define(directive, number);
        } else if (word == "undef") {
            undefine(directive);
        }
    }

    /// NAME in `#ifdef NAME`; its #else is a guard.
    static std::string tested_name(const DirectiveText& directive) {
        std::string_view rest = trimmed(directive.rest);
        return directive.word == "ifdef" ? take_name(rest) : std::string();
    }

    void next_branch(const DirectiveText& directive) {
        Condition& condition = conditions_.back();
        if (condition.reads.why)
            condition.maybe_done = condition.reads.why;
        else
            condition.done = condition.done || condition.reads.yes;
        condition.guarded = directive.word == "else" ? condition.if_else : std::string();
        condition.if_else.clear();
        condition.guards_file = false;
        if (condition.done) {
            condition.reads = {false};
            return;
        }
        condition.reads = directive.word == "else" ? Reads{true} : value_of(directive);
        if (condition.maybe_done && (condition.reads.yes || condition.reads.why))
            condition.reads.why = condition.maybe_done;
    }

    Reads value_of(const DirectiveText& directive) const {
        const auto state_of = [this](const std::string& name) { return state(name); };
        std::string_view rest = trimmed(directive.rest);
        if (directive.word == "ifdef" || directive.word == "ifndef") {
            const MacroState known = state(take_name(rest));
            return {known.defined == (directive.word == "ifdef"),
                    known.defined ? std::nullopt : known.unclear};
        }
        const ConditionValue value = condition_value(rest, state_of);
        if (!value.number) return {true, value.why_not};
        return {*value.number != 0};
    }

    MacroState state(const std::string& name) const {
        const auto in_text = defines.find(name);
        const auto given = host_.given.find(name);
        const bool undefined = undefined_.contains(name);
        if (with_arguments_.contains(name))
            return {true, {}, "it depends on " + name + ", a macro with arguments"};
        if (in_text == defines.end() && undefined) return {};
        if (given != host_.given.end()) return {true, given->second};
        if (in_text != defines.end() && in_text->second.unclear) return {.unclear = in_text->second.unclear};
        if (host_.open.contains(name) && (in_text == defines.end() || in_text->second.guarded))
            return {in_text != defines.end(), {}, "it depends on " + name + ", which the launch sets"};
        if (in_text != defines.end()) return {true, texts_.at(name)};
        if (is_of_compiler(name))
            return {.unclear = "it depends on " + name + ", which only the compiler knows"};
        return {};
    }

    /// Whether the compiler reads a line that defines `name`: in `#ifndef NAME` as if no option gave it.
    Reads reads(const std::string& name) const {
        Reads all;
        for (const Condition& condition : conditions_) {
            if (condition.guards_file) continue;
            Reads one = condition.reads;
            if (!name.empty() && condition.guarded == name) {
                const auto known = defines.find(name);
                one = known == defines.end() ? Reads{true} : Reads{false, known->second.unclear};
            }
            if (!one.why && !one.yes) return {false};
            if (one.why && !all.why) all.why = one.why;
        }
        return all;
    }

    void define(const DirectiveText& directive, std::size_t number) {
        std::string_view rest = trimmed(directive.rest);
        const std::string name = take_name(rest);
        if (name.empty()) return;
        // After `#ifndef LIB`, `#define LIB` the defines count, since every included file has such a guard.
        if (!conditions_.empty() && conditions_.back().guarded == name && trimmed(rest).empty() &&
            !defines.contains(name))
            conditions_.back().guards_file = true;
        const Reads read = reads(name);
        if (rest.starts_with('(')) {
            if (read.yes) with_arguments_.insert(name);
            return;
        }
        std::size_t others = 0;
        bool guarded = false;
        for (const Condition& condition : conditions_) {
            if (condition.guards_file) continue;
            if (condition.guarded == name)
                guarded = true;
            else
                ++others;
        }
        TextDefine made{plain_value(rest), place_, guarded && !undefined_.contains(name), others > 0,
                        read.why};
        if (const auto maybe = maybe_undefined_.find(name); guarded && !made.unclear)
            if (maybe != maybe_undefined_.end()) made.unclear = maybe->second;
        found.push_back({name, made, number, lines_});
        if (!read.yes) return;
        if (!made.unclear) maybe_undefined_.erase(name);
        with_arguments_.erase(name);
        texts_.insert_or_assign(name, rest);
        defines.insert_or_assign(name, std::move(made));
    }

    void undefine(const DirectiveText& directive) {
        std::string_view rest = trimmed(directive.rest);
        const std::string name = take_name(rest);
        const Reads read = reads("");
        if (!read.yes) return;
        if (read.why) {
            maybe_undefined_[name] = *read.why;
            if (const auto known = defines.find(name); known != defines.end())
                known->second.unclear = read.why;
            return;
        }
        defines.erase(name);
        with_arguments_.erase(name);
        maybe_undefined_.erase(name);
        undefined_.insert(name);
    }

    HostDefines host_;
    FileLine place_;
    std::vector<Condition> conditions_;
    std::map<std::string, std::string> texts_;  ///< of `defines`, as conditions expand them
    std::set<std::string> with_arguments_;      ///< names of macros
    std::set<std::string> undefined_;           ///< names for which an option has no effect any more
    std::map<std::string, std::string> maybe_undefined_;  ///< by name, with the reason
    std::string joined_;                                  ///< the physical lines of a logical line
    std::size_t lines_ = 0;                               ///< their number
    bool in_comment_ = false;
};

struct ReadDefines {
    std::vector<DefineLine> found;
    std::map<std::string, TextDefine> defines;
};

/// Each run of a user's kernel asks for the same few texts several times, and reading one takes as long as a
/// short run. Those that were read last are kept: they depend on the text and the host's definitions alone.
std::shared_ptr<const ReadDefines> read_defines(std::string_view text, const HostDefines& host) {
    struct Known {
        std::string text;
        HostDefines host;
        std::shared_ptr<const ReadDefines> read;
    };
    constexpr std::size_t most = 64;
    static std::mutex guard;
    static std::deque<Known> known;
    {
        const std::lock_guard lock(guard);
        const auto found = std::ranges::find_if(
            known, [&](const Known& one) { return one.text == text && one.host == host; });
        if (found != known.end()) return found->read;
    }
    const std::vector<std::string_view> lines = lines_in(text);
    DefineReader reader(host);
    for (std::size_t i = 0; i < lines.size(); ++i) reader.take(lines[i], i);
    auto read =
        std::make_shared<const ReadDefines>(ReadDefines{std::move(reader.found), std::move(reader.defines)});
    const std::lock_guard lock(guard);
    if (known.size() == most) known.pop_front();
    known.push_back({std::string(text), host, read});
    return read;
}

}  // namespace

const DefineSpec* define_in_text(const std::vector<DefineSpec>& of_variant, std::string_view name) {
    const auto found = std::ranges::find_if(of_variant, [name](const DefineSpec& define) {
        return define.program_file.empty() && name_in_program(define) == name;
    });
    return found == of_variant.end() ? nullptr : &*found;
}

std::map<std::string, std::string> values_in_text(const std::vector<DefineSpec>& of_variant,
                                                  const std::map<std::string, std::string>& values) {
    std::map<std::string, std::string> in_text;
    for (const auto& [name, value] : values) {
        const auto define = std::ranges::find(of_variant, name, &DefineSpec::name);
        if (define == of_variant.end())
            in_text.emplace(name, value);
        else if (define->program_file.empty())
            in_text.insert_or_assign(name_in_program(*define), value_in_program(*define, value));
    }
    return in_text;
}

HostDefines host_defines(const std::vector<DefineSpec>& of_variant,
                         const std::map<std::string, std::string>& given) {
    HostDefines host{values_in_text(of_variant, given)};
    for (const DefineSpec& define : of_variant)
        if (define.program_file.empty() && !is_own_define(define)) host.open.insert(name_in_program(define));
    return host;
}

std::map<std::string, TextDefine> text_defines(std::string_view text, const HostDefines& host) {
    return read_defines(text, host)->defines;
}

bool has_conditional_define(std::string_view text, const std::set<std::string>& names) {
    const auto read = read_defines(text, {});
    return std::ranges::any_of(read->found, [&names](const DefineLine& one) {
        return one.define.conditional && !one.define.guarded && names.contains(one.name);
    });
}

std::map<std::string, TextDefine> chosen_defines(std::string_view edited, std::string_view shipped,
                                                 const HostDefines& host) {
    const std::map<std::string, TextDefine> before = text_defines(shipped, host);
    std::map<std::string, TextDefine> chosen = text_defines(edited, host);
    std::erase_if(chosen, [&before](const auto& define) {
        const TextDefine& now = define.second;
        const auto same = before.find(define.first);
        if (same == before.end()) return false;
        const TextDefine& then = same->second;
        const bool as_before = now.guarded || (now.conditional && then.conditional && !then.guarded);
        return as_before && then.value == now.value && then.unclear.has_value() == now.unclear.has_value();
    });
    return chosen;
}

void require_clear(const std::string& name, const TextDefine& define, const HostDefines& host,
                   const std::string& file) {
    if (!define.unclear || host.given.contains(name)) return;
    throw Error(
        ErrorKind::input,
        fmt::format("only the compiler can tell whether the condition around #define {} is true: {}", name,
                    *define.unclear),
        at_line(define.place.file.empty() ? file : define.place.file, define.place.line),
        fmt::format("define {0} outside of #if, or remove the #define of {0} and set it with --define "
                    "or in the header",
                    name));
}

std::string with_given_defines(std::string_view text, const std::map<std::string, std::string>& given) {
    if (given.empty()) return std::string(text);
    std::map<std::size_t, std::string> instead;
    const auto read = read_defines(text, HostDefines{given});
    for (const DefineLine& one : read->found)
        if (const auto value = given.find(one.name);
            !one.define.guarded && value != given.end() && value->second != one.define.value) {
            instead[one.line] = "#define " + one.name + " " + value->second;
            for (std::size_t i = 1; i < one.lines; ++i) instead[one.line + i] = "";
        }
    if (instead.empty()) return std::string(text);
    const std::vector<std::string_view> lines = lines_in(text);
    std::string all;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto other = instead.find(i);
        all.append(other == instead.end() ? lines[i] : std::string_view(other->second)).append("\n");
    }
    if (!text.ends_with('\n')) all.pop_back();
    return all;
}

}  // namespace ks
