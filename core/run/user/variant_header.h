#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace ks {

/// The header of the file of a user's variant:
///
///   // kernelscope variant
///   // base: cooperative
///   // title: Tiles of 32 rows
///   // description: Fewer groups, each with more rows.
///   // define: TILE=32
///   // pieces: yes
///
/// The header ends at the first line that is not such a comment; other comments may follow it directly.
/// `base` is required, `define` may be repeated.
struct VariantHeader {
    std::string base;         ///< id of the shipped variant whose launch code is used
    std::string title;        ///< may be empty
    std::string description;  ///< may be empty
    std::map<std::string, std::string> defines;
    /// Long launches may be split by global offset, as those of shipped kernels are. In each piece groups are
    /// numbered from 0, so get_global_id() = get_group_id() * get_local_size() + get_local_id() need not
    /// hold. Otherwise launches are not split.
    bool pieces = false;

    /// Line numbers in the header, from 1: of `base`, and of each define.
    std::size_t base_line = 0;
    std::map<std::string, std::size_t> define_lines = {};

    static constexpr const char* first_line = "// kernelscope variant";
};

/// Whether the comment at the start of a kernel's text has a line `// pieces: yes`.
bool allows_pieces(std::string_view text);

/// Whether a text starts with the header of a variant.
bool has_variant_header(std::string_view text);

/// Throws ks::Error(input) naming file and line; also where a value would be ignored without a word: for a
/// key that looks mistyped, and for one after a comment that ends the header.
VariantHeader read_variant_header(std::string_view text, const std::filesystem::path& file);

/// "FILE:12".
std::string at_line(const std::filesystem::path& file, std::size_t line);

/// The header as text, followed by an empty line.
std::string text_of(const VariantHeader& header);

/// A text without its header and the empty lines after it; unchanged if it has none.
std::string_view without_header(std::string_view text);

/// The text of a variant after a define was set in its header, `// define: NAME=VALUE`. The line is changed,
/// or added at the end of the header; if `value` is empty, it is removed.
std::string with_define(std::string_view text, const std::string& name, const std::string& value);

}  // namespace ks
