#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

/// A line of the preprocessor, in any spelling: `# include`, `%:include`, with comments or a line break
/// within.
struct Directive {
    std::size_t line = 1;   ///< where it begins, from 1
    std::size_t lines = 1;  ///< that it takes
    std::string word;       ///< "include"; empty for `#` alone
    std::string rest;       ///< behind the word, comments as blanks

    bool operator==(const Directive&) const = default;
};

/// What the first phases of a C compiler make of a text: lines that end in '\' go on, comments are blanks,
/// strings hide both.
struct DirectiveScan {
    std::vector<Directive> directives;
    std::optional<std::size_t> first_code, last_code;  ///< lines that are neither directives nor empty
    bool open_comment = false;                         ///< the text ends within a comment
    bool open_line = false;                            ///< its last line ends in '\'
    /// Of an #error or #warning in which a comment begins that goes on behind it: compilers differ there.
    std::optional<std::size_t> open_message;
    bool assembles_files = false;     ///< inline assembly with .incbin or .include
    bool pragma_reads_files = false;  ///< `_Pragma("GCC dependency ...")`, also by a macro
};

enum class Trigraphs { are_text, are_characters };

/// @param text its lines end with '\n' alone, as unified_line_ends() makes them
DirectiveScan directives_in(std::string_view text, Trigraphs trigraphs = Trigraphs::are_text);

/// A text with '\n' in the place of "\r\n" and '\r', which compilers take for the end of a line, too.
std::string unified_line_ends(std::string_view text);

/// Whether a compiler would open a file for it: #include, #import, #include_next, #embed and so on.
bool reads_a_file(const Directive& directive);

/// FILE of `"FILE"` or `<FILE>`, whatever follows; nothing where there is something else.
std::optional<std::string> named_file(std::string_view rest);

/// Why nobody can tell which files a compiler reads for a text, and the line; nothing: one can.
struct Unclear {
    std::size_t line;
    std::string why;
};
std::optional<Unclear> unclear_in(std::string_view text, const DirectiveScan& scan);

/// Whether each #if has its #endif in the same text.
bool conditions_are_closed(const DirectiveScan& scan);

/// NAME where all of a file lies within `#ifndef NAME` with `#define NAME` right behind it, so that reading
/// it again gives nothing; empty where it does not.
std::string guard_of(const DirectiveScan& scan);
/// Whether a file says `#pragma once` outside of conditions.
bool is_read_once(const DirectiveScan& scan);
/// `#pragma once`
bool says_once(const Directive& directive);
/// #if, #ifdef and #ifndef.
bool opens_condition(const Directive& directive);

}  // namespace ks
