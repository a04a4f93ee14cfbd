#include "core/run/user/user_includes.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/trimmed.h"
#include "core/io/files/file_text.h"
#include "core/run/user/directive_scan.h"
#include "core/run/user/include_macros.h"
#include "core/run/user/line_map.h"
#include "core/run/user/user_variant_folder.h"

namespace ks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_whole = 16 << 20;
constexpr std::size_t deepest_file = 64, most_files = 4096, most_within_itself = 4;
constexpr std::string_view has_include = "__has_include";

/// Whether `file` lies in `folder`, both without "..".
bool is_below(const fs::path& file, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

fs::path full(const fs::path& file) {
    std::error_code failed;
    const fs::path made = fs::absolute(file, failed);
    const fs::path plain = (failed ? file : made).lexically_normal();
    return plain.has_filename() ? plain : plain.parent_path();
}

/// The same after resolving all links.
bool is_really_below(const fs::path& file, const fs::path& folder) {
    std::error_code failed;
    const fs::path inner = fs::canonical(file, failed);
    if (failed) return false;
    const fs::path outer = fs::canonical(folder, failed);
    return !failed && is_below(inner, outer);
}

std::string leading_name(std::string_view text) {
    return {text.begin(), std::ranges::find_if_not(text, is_name_letter)};
}

bool is_of_program(const std::string& path) {
    return path.starts_with("gpu/");
}

/// A text and its directives.
struct ScannedFile {
    std::string text;
    DirectiveScan scan;
};

class Includer {
  public:
    Includer(const IncludePlaces& places, std::set<fs::path>& looked_for)
        : places_(places), within_(full(places.within)), looked_for_(looked_for), macros_(places.defines) {}

    /// Adds the text of the kernel itself.
    void add_kernel(std::string_view text, const fs::path& file) {
        const ScannedFile scanned = scan_of(text, file);
        open_.push_back({file, false, guard_of(scanned.scan)});
        add(scanned);
    }
    /// Whether the text differs from that of the kernel.
    bool changed() const { return changed_; }
    std::string take() { return std::move(out_); }

  private:
    struct Open {
        fs::path file;
        bool once;          ///< it has #pragma once
        std::string guard;  ///< the name of its include guard; empty: none
        bool reads_again_nothing() const { return once || !guard.empty(); }
    };
    /// The branches of conditions (#if, #elif and #else, numbered) that enclose a line. Include guards do not
    /// count: after the line that includes such a file, its text has been read in any case.
    using Branches = std::vector<std::size_t>;

    [[noreturn]] static void refuse(const FileLine& at, const std::string& message,
                                    const std::string& hint = {}) {
        throw Error(ErrorKind::input, message, fmt::format("{}:{}", at.file, at.line), hint);
    }

    static ScannedFile scan_of(std::string_view text, const fs::path& file) {
        require_text(text, file.string());
        ScannedFile scanned{unified_line_ends(text), {}};
        scanned.scan = directives_in(scanned.text);
        if (const auto unclear = unclear_in(scanned.text, scanned.scan))
            refuse({file.string(), unclear->line}, unclear->why);
        return scanned;
    }

    /// Updates the conditions. @param guards whether the directive belongs to the guard of its file
    void follow(const Directive& directive, bool guards) {
        if (guards) return;
        const std::string& word = directive.word;
        const bool ends = word == "endif" || word.starts_with("el");
        if (ends && !branches_.empty()) branches_.pop_back();
        if (opens_condition(directive) || word.starts_with("el")) branches_.push_back(++last_branch_);
    }

    /// Appends the text of the open file.
    /// @param guarded whether the guard of the file does not count as a condition
    void add(const ScannedFile& scanned, bool guarded = false, std::size_t once = 0) {
        const std::string file = open_.back().file.string();
        const std::vector<std::string_view> lines = lines_in(scanned.text);
        std::size_t at = 0;
        const auto copy_to = [&](std::size_t end) {
            for (; at < std::min(end, lines.size()); ++at) out_.append(lines[at]).append("\n");
        };
        for (const Directive& directive : scanned.scan.directives) {
            copy_to(directive.line - 1);
            follow(directive, guarded && (&directive == &scanned.scan.directives.front() ||
                                          &directive == &scanned.scan.directives.back()));
            const FileLine here{file, directive.line};
            if (const auto instead = other_text(directive, here, once)) {
                out_ += *instead;
                at += directive.lines;
                const FileLine next{file, at + 1};
                // Only an included file leaves nothing to stand for its directive.
                out_ += (instead->empty() ? include_end(next) : line_directive(next)) + "\n";
                changed_ = true;
            }
        }
        copy_to(lines.size());
        if (scanned.scan.open_line && open_.size() > 1) out_ += '\n';
    }

    /// The replacement of a directive; nothing where it stays.
    /// @param once number that identifies #pragma once of the file
    std::optional<std::string> other_text(const Directive& directive, const FileLine& here,
                                          std::size_t once) {
        const std::size_t before = out_.size();
        try {
            if (reads_a_file(directive)) return included(directive, here);
            if (says_once(directive) && once > 0) return fmt::format("#define {}\n", name_of_once(once));
            note_macro(directive);
            return with_known_files(directive, here);
        } catch (const Error& error) {
            if (branches_.empty()) throw;
            out_.resize(before);
            const std::string fault = fmt::format("#error \"{}\"\n", in_message(error.message()));
            // A condition remains a condition for the surrounding lines.
            return directive.word == "if" || directive.word == "elif"
                       ? fmt::format("#{} 1\n{}", directive.word, fault)
                       : fault;
        }
    }

    static std::string name_of_once(std::size_t once) { return fmt::format("KERNELSCOPE_ONCE_{}", once); }

    void note_macro(const Directive& directive) {
        const std::string name = leading_name(directive.rest);
        if (directive.word == "define") {
            macros_.define(directive.rest);
            const auto guards = guards_.find(name);
            if (guards != guards_.end() && guards->second != open_.back().file) shared_guards_.insert(name);
        } else if (directive.word == "undef") {
            macros_.undefine(directive.rest, branches_.empty());
            shared_guards_.insert(name);
            std::erase_if(seen_, [&name](const auto& one) { return one.second.guard == name; });
            for (Open& one : open_)
                if (one.guard == name) one.guard.clear();
        }
    }

    /// The file that a text such as `"lib.h"`, `<lib.h>` or `LIB` names, and the condition of a macro.
    struct Named {
        std::string path, condition;
    };
    Named named(const std::string& rest, const FileLine& here) const {
        if (const auto path = named_file(rest)) return {*path, {}};
        const IncludeMacros::Expanded expanded = macros_.expanded(rest);
        if (!expanded.why_not.empty())
            refuse(here,
                   fmt::format("the file named by \"{}\" cannot be determined: {}", printable(rest),
                               expanded.why_not),
                   "name the file directly");
        if (const auto path = named_file(expanded.text)) return {*path, expanded.condition};
        refuse(here, fmt::format("expected the name of a file to include, found \"{}\"", printable(rest)),
               "put the name in quotes, or define the macro before this line");
    }

    std::optional<std::string> included(const Directive& directive, const FileLine& here) {
        if (directive.word != "include")
            refuse(here, fmt::format("#{} {} is not supported", directive.word, printable(directive.rest)),
                   "use #include; to include a file only once, put an include guard or #pragma once into it");
        const Named name = named(directive.rest, here);
        if (!name.condition.empty())
            out_ += fmt::format("#if {}\n#error \"'{}' is not '{}' here\"\n#endif\n", name.condition,
                                in_message(directive.rest), in_message(name.path));
        if (is_of_program(name.path)) {
            std::string line = fmt::format("#include \"{}\"\n", name.path);
            // The usual spelling is left unchanged.
            const bool usual = directive.rest == fmt::format("\"{}\"", name.path) && directive.lines == 1;
            return usual ? std::nullopt : std::optional(std::move(line));
        }
        const std::optional<fs::path> file = found(name.path, here);
        if (!file)
            refuse(here, fmt::format("included file not found: \"{}\"", printable(name.path)),
                   "files are looked for next to the including file and in " + places_.within.string() +
                       "; the names of built-in files start with gpu/");
        out_ += include_begin(here, printable(directive.rest)) + "\n";
        put(*file, here);
        return std::string();
    }

    static std::string in_message(std::string_view text) {
        std::string shown = printable(text);
        std::ranges::replace(shown, '"', '\'');
        return shown;
    }

    void put(const fs::path& file, const FileLine& here) {
        if (gives_nothing(file, here)) return;
        const ScannedFile& scanned = text_of(file, here);
        if (++files_ > most_files || open_.size() > deepest_file)
            refuse(here, fmt::format("more than {} files are included, or they are nested more than {} deep",
                                     most_files, deepest_file));
        if (out_.size() + scanned.text.size() > largest_whole)
            refuse(here,
                   fmt::format("the kernel with its included files is longer than {} bytes", largest_whole));
        const bool may_be_once = std::ranges::any_of(scanned.scan.directives, says_once);
        const bool once = is_read_once(scanned.scan);
        const std::size_t number = may_be_once ? once_.try_emplace(file, once_.size() + 1).first->second : 0;
        const std::string guard = guard_of(scanned.scan);
        const bool guarded = is_guard_of(file, guard);
        if (may_be_once) out_ += fmt::format("#ifndef {}\n", name_of_once(number));
        if (may_be_once && !once) branches_.push_back(++last_branch_);
        out_ += line_directive({file.string(), 1}) + "\n";
        open_.push_back({file, once, guard});
        add(scanned, guarded, number);
        const bool is_read = once || (guarded && !open_.back().guard.empty());
        open_.pop_back();
        if (may_be_once && !once) branches_.pop_back();
        if (may_be_once) out_ += "#endif\n";
        if (is_read) seen_.emplace(file, Seen{once ? std::string() : guard, branches_});
    }

    /// Whether a name guards this file and nothing else defines it: otherwise it is an ordinary condition.
    bool is_guard_of(const fs::path& file, const std::string& name) {
        if (name.empty() || shared_guards_.contains(name)) return false;
        if (!macros_.knows(name)) guards_.insert_or_assign(name, file);
        const auto known = guards_.find(name);
        return known != guards_.end() && known->second == file;
    }

    /// Whether a file is certain to have been read, or to be in the process of being read, when the compiler
    /// reaches this line, and is not read twice.
    bool gives_nothing(const fs::path& file, const FileLine& here) const {
        const auto is_same = [name = full(file)](const Open& one) { return full(one.file) == name; };
        const auto within_itself = std::ranges::count_if(open_, is_same);
        if (within_itself > 0 && std::ranges::find_if(open_, is_same)->reads_again_nothing()) return true;
        if (static_cast<std::size_t>(within_itself) > most_within_itself)
            refuse(here, fmt::format("files include each other endlessly: \"{}\"", file.string()),
                   "add an include guard: #ifndef NAME, #define NAME, ... #endif around the whole file");
        const auto [first, last] = seen_.equal_range(file);
        return std::any_of(first, last, [this](const auto& one) {
            const Branches& around = one.second.branches;
            return around.size() <= branches_.size() &&
                   std::equal(around.begin(), around.end(), branches_.begin());
        });
    }

    /// Nothing where there is no such file.
    std::optional<fs::path> found(const std::string& path, const FileLine& here) {
        std::vector<fs::path> folders{open_.back().file.parent_path()};
        folders.insert(folders.end(), places_.folders.begin(), places_.folders.end());
        bool may_be_there = false;
        for (const fs::path& folder : folders) {
            const fs::path file = (folder / path).lexically_normal();
            if (!is_below(full(file), within_)) continue;
            may_be_there = true;
            looked_for_.insert(full(file));
            std::error_code failed;
            if (!fs::exists(file, failed)) continue;
            if (!is_really_below(file, within_))
                refuse(
                    here,
                    fmt::format("a link leads out of {}: \"{}\"", places_.within.string(), printable(path)),
                    "copy the file into that folder");
            return file;
        }
        if (!may_be_there)
            refuse(here,
                   fmt::format("included files must be in {}, found \"{}\"", places_.within.string(),
                               printable(path)),
                   "copy the file into that folder");
        return std::nullopt;
    }

    /// Each file is read once.
    const ScannedFile& text_of(const fs::path& file, const FileLine& here) {
        if (const auto known = read_.find(file); known != read_.end()) return known->second;
        const std::string read = io::small_text(file, "a kernel's source", io::largest_kernel);
        ScannedFile scanned = scan_of(without_byte_order_mark(read), file);
        if (scanned.scan.open_comment)
            refuse(here, fmt::format("\"{}\" has a comment that is not closed", file.string()));
        if (!conditions_are_closed(scanned.scan))
            refuse(here, fmt::format("the #if and #endif of \"{}\" do not match", file.string()));
        return read_.emplace(file, std::move(scanned)).first->second;
    }

    /// A directive that tests for files, with the results inserted; nothing: it does not.
    std::optional<std::string> with_known_files(const Directive& directive, const FileLine& here) {
        std::string_view rest = directive.rest;
        if (rest.find("__has_") == std::string_view::npos) return std::nullopt;
        std::string made = fmt::format("#{} ", directive.word);
        bool asks = false;
        for (std::size_t at = rest.find("__has_"); at != std::string_view::npos; at = rest.find("__has_")) {
            std::size_t end = at;
            while (end < rest.size() && is_name_letter(rest[end])) ++end;
            const std::string_view word = rest.substr(at, end - at);
            made += rest.substr(0, at);
            rest.remove_prefix(end);
            const bool of_files = word.starts_with(has_include) || word == "__has_embed";
            const std::string_view behind = trimmed(rest);
            if (!of_files || !behind.starts_with('(')) {
                made += word;
                if (of_files && directive.word == "define") refuse_question(word, here);
                continue;
            }
            if (word != has_include || (directive.word != "if" && directive.word != "elif"))
                refuse_question(word, here);
            made += answer(behind.substr(1), rest, here);
            asks = true;
        }
        if (!asks) return std::nullopt;
        return made + std::string(rest) + "\n";
    }
    [[noreturn]] static void refuse_question(std::string_view word, const FileLine& here) {
        refuse(here, fmt::format("{} is only supported in #if and #elif, with a file name", word),
               "write #if __has_include(\"FILE\")");
    }
    /// @param argument after the parenthesis @param rest set to the text after the closing one
    std::string answer(std::string_view argument, std::string_view& rest, const FileLine& here) {
        const std::string_view inner = trimmed(argument);
        const std::size_t name_end = inner.starts_with('<')   ? inner.find('>')
                                     : inner.starts_with('"') ? inner.find('"', 1)
                                                              : 0;
        const std::size_t end = name_end == std::string_view::npos ? name_end : inner.find(')', name_end);
        if (end == std::string_view::npos) refuse_question(has_include, here);
        const Named name = named(std::string(inner.substr(0, end)), here);
        if (!name.condition.empty()) refuse_question(has_include, here);
        rest = inner.substr(end + 1);
        return is_of_program(name.path) || found(name.path, here) ? "1" : "0";
    }

    const IncludePlaces& places_;
    const fs::path within_;
    std::set<fs::path>& looked_for_;
    IncludeMacros macros_;
    /// Where a file was read that has no effect when it is read again.
    struct Seen {
        std::string guard;  ///< empty: it has #pragma once
        Branches branches;
    };

    std::vector<Open> open_;  ///< the current file, after those that include it
    Branches branches_;
    std::size_t last_branch_ = 0;
    std::multimap<fs::path, Seen> seen_;
    std::map<std::string, fs::path> guards_;  ///< guard names, with the file of each
    std::set<std::string> shared_guards_;     ///< names also defined or undefined elsewhere
    std::map<fs::path, ScannedFile> read_;
    std::map<fs::path, std::size_t> once_;
    std::size_t files_ = 0;
    std::string out_;
    bool changed_ = false;
};

std::string read_with_includes(const fs::path& file, const std::map<std::string, std::string>& defines,
                               std::set<fs::path>& looked_for) {
    const std::string text = io::small_text(file, "a kernel's source", io::largest_kernel);
    if (text.empty())
        throw Error(ErrorKind::input, "expected a kernel source, found an empty file", file.string());
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    // A file in the folder of the user's variants is the same kernel whether given as a file or as a variant.
    const fs::path variants = user_variants_folder();
    if (!variants.empty() && is_below(full(file), full(variants)) && is_really_below(file, variants))
        return with_own_includes(text, file, {variants, {folder, variants}, defines}, looked_for);
    return with_own_includes(text, file, {folder, {folder}, defines}, looked_for);
}

}  // namespace

void require_text(std::string_view bytes, const std::string& file) {
    if (is_utf16(bytes))
        throw Error(ErrorKind::input, "expected text in UTF-8, found UTF-16", file,
                    "save it in UTF-8 with another editor");
    if (const std::size_t zero = bytes.find('\0'); zero != std::string_view::npos)
        throw Error(ErrorKind::input, fmt::format("expected text, found a null byte at offset {}", zero),
                    file);
}

bool is_utf16(std::string_view bytes) {
    return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    return text;
}

std::string with_own_includes(const std::string& text, const fs::path& file, const IncludePlaces& places,
                              std::set<fs::path>& looked_for) {
    Includer includer(places, looked_for);
    const std::string_view kernel = without_byte_order_mark(text);
    includer.add_kernel(kernel, file);
    return includer.changed() ? includer.take() : std::string(kernel);
}

std::string read_kernel_source(const fs::path& file, const std::map<std::string, std::string>& defines) {
    std::set<fs::path> looked_for;
    return read_with_includes(file, defines, looked_for);
}

std::set<fs::path> files_of_kernel_source(const fs::path& file,
                                          const std::map<std::string, std::string>& defines) {
    std::set<fs::path> files{file};
    try {
        read_with_includes(file, defines, files);
    } catch (const Error&) {
        // The files read so far are known.
    }
    std::erase_if(files, [](const fs::path& one) {
        std::error_code failure;
        return !fs::exists(one, failure);
    });
    return files;
}

}  // namespace ks
