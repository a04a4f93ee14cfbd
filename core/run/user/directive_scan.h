#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

/// A preprocessor directive, in any spelling: `# include`, `%:include`, with comments or line breaks in it.
struct Directive {
    std::size_t line = 1;   ///< where it starts, from 1
    std::size_t lines = 1;  ///< number of lines
    std::string word;       ///< "include"; empty for `#` alone
    std::string rest;       ///< after the word, comments replaced by spaces

    bool operator==(const Directive&) const = default;
};

/// A text after the first phases of a C compiler: lines ending in '\' are joined, comments are spaces, and
/// strings hide both.
struct DirectiveScan {
    std::vector<Directive> directives;
    std::optional<std::size_t> first_code,
        last_code;              ///< first and last line that is neither a directive nor empty
    bool open_comment = false;  ///< the text ends within a comment
    bool open_line = false;     ///< the last line ends in '\'
    /// The line of an #error or #warning in which a comment starts that continues on the next line. Compilers
    /// treat this differently.
    std::optional<std::size_t> open_message;
    bool assembles_files = false;     ///< inline assembly with .incbin or .include
    bool pragma_reads_files = false;  ///< `_Pragma("GCC dependency ...")`, also in a macro
};

enum class Trigraphs { are_text, are_characters };

/// @param text with lines ending in '\n' only, as from unified_line_ends()
DirectiveScan directives_in(std::string_view text, Trigraphs trigraphs = Trigraphs::are_text);

/// A text with '\n' instead of "\r\n" and '\r', which compilers also accept as line ends.
std::string unified_line_ends(std::string_view text);

/// Whether a compiler would open a file for the directive: #include, #import, #include_next, #embed etc.
bool reads_a_file(const Directive& directive);

/// FILE in `"FILE"` or `<FILE>`, ignoring what follows; nothing for other texts.
std::optional<std::string> named_file(std::string_view rest);

/// The reason, and the line, why the files read by a compiler cannot be determined; nothing: they can.
struct Unclear {
    std::size_t line;
    std::string why;
};
std::optional<Unclear> unclear_in(std::string_view text, const DirectiveScan& scan);

/// Whether each #if has its #endif in the same text.
bool conditions_are_closed(const DirectiveScan& scan);

/// NAME if a whole file is enclosed in `#ifndef NAME` directly followed by `#define NAME`, so that reading
/// it again has no effect; empty otherwise.
std::string guard_of(const DirectiveScan& scan);
/// Whether a file has `#pragma once` outside conditions.
bool is_read_once(const DirectiveScan& scan);
/// `#pragma once`
bool says_once(const Directive& directive);
/// #if, #ifdef and #ifndef.
bool opens_condition(const Directive& directive);

}  // namespace ks
