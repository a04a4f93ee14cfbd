#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace ks {

/// What the file of a user's variant begins with:
///
///   // kernelscope variant
///   // base: cooperative
///   // title: Tiles of 32 rows
///   // description: Fewer groups, each with more rows.
///   // define: TILE=32
///   // pieces: yes
///
/// The header ends at the first line that is no such comment. `base` must be there, `define` may be repeated.
struct VariantHeader {
    std::string base;         ///< id of the shipped variant whose launch runs it
    std::string title;        ///< may be empty
    std::string description;  ///< may be empty
    std::map<std::string, std::string> defines;
    /// Long launches may be cut through the global offset, as those of shipped kernels are. In a piece groups
    /// are numbered from 0 again, so get_global_id() = get_group_id() * get_local_size() + get_local_id()
    /// need not hold. Otherwise each launch is a whole.
    bool pieces = false;

    /// Lines of the header, from 1: of `base`, and of each define.
    std::size_t base_line = 0;
    std::map<std::string, std::size_t> define_lines = {};

    static constexpr const char* first_line = "// kernelscope variant";
};

/// Whether the comment that a kernel's text begins with has a line `// pieces: yes`.
bool allows_pieces(std::string_view text);

/// Whether a text begins as the file of a variant does.
bool has_variant_header(std::string_view text);

/// Throws ks::Error(input) naming file and line.
VariantHeader read_variant_header(std::string_view text, const std::filesystem::path& file);

/// "FILE:12".
std::string at_line(const std::filesystem::path& file, std::size_t line);

/// The header as text, with the empty line behind it.
std::string text_of(const VariantHeader& header);

/// A text without its header and the empty lines behind that; as it is where it has none.
std::string_view without_header(std::string_view text);

/// The text of a variant with a value of a define in its header, `// define: NAME=VALUE`: the line is
/// changed, added behind the last one of the header, or removed where `value` is empty.
std::string with_define(std::string_view text, const std::string& name, const std::string& value);

}  // namespace ks
