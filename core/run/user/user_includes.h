#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

/// Where a user's kernel may include files from.
struct IncludePlaces {
    std::filesystem::path within;  ///< no file outside this folder is read, not even through a link
    std::vector<std::filesystem::path> folders;       ///< searched after the folder of the including file
    std::map<std::string, std::string> defines = {};  ///< with which the text is compiled, as far as known
};

/// A text without the byte-order mark of UTF-8 with which some editors begin a file: not all compilers accept
/// it.
std::string_view without_byte_order_mark(std::string_view text);

/// By its byte-order mark.
bool is_utf16(std::string_view bytes);
/// Throws ks::Error(input) if these bytes are no text that a compiler could read: they contain null bytes, as
/// UTF-16 does.
/// @param file that the error names
void require_text(std::string_view bytes, const std::string& file);

/// The text of a kernel in which each `#include` is replaced by its file, even within conditions, which only
/// the compiler evaluates. The compiler then finds no directive that could read a file. `#line` marks where a
/// text begins or continues. A text without such directives is returned unchanged,
/// except for its byte-order mark.
///
/// `"FILE"`, `<FILE>` and macros that expand to one of them are searched next to the including file, then in
/// the other folders. `gpu/...` is a built-in file, and its line stays. `#pragma once` becomes a definition
/// that is tested, `__has_include` 0 or 1. Throws ks::Error(input) naming file and line: a file that is not
/// found, is outside `within`, is a pipe or device, or is over 4 MiB; over 16 MiB in total; conditions or
/// comments that continue after the end of a file; files that include each other without a guard; a macro
/// with several definitions; #import, #include_next and #embed; texts whose included files cannot be
/// determined. Within #if and the like, an error in a directive becomes an #error in the text.
/// @param looked_for receives the files read, and those not found
std::string with_own_includes(const std::string& text, const std::filesystem::path& file,
                              const IncludePlaces& places, std::set<std::filesystem::path>& looked_for);

/// The text of a kernel file that replaces that of a variant; it may include files from its folder. Throws
/// ks::Error(input) as with_own_includes(), and if the file is empty.
std::string read_kernel_source(const std::filesystem::path& file,
                               const std::map<std::string, std::string>& defines);

/// That file and the files it includes, as far as they exist. Does not throw for faults in the texts.
std::set<std::filesystem::path> files_of_kernel_source(const std::filesystem::path& file,
                                                       const std::map<std::string, std::string>& defines);

}  // namespace ks
