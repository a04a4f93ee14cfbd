#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ks {

/// A function that calls itself, directly or indirectly, which OpenCL C does not allow. Compilers may accept
/// it, refuse it, or never end.
struct Recursion {
    std::string function;
    std::size_t line = 1;  ///< line of the call, from 1
};

/// The first recursion in OpenCL C source. Macros are not expanded, and functions with several
/// definitions are ignored.
std::optional<Recursion> recursion_in(std::string_view text);

/// Arrays in private memory, which exist per work-item.
struct PrivateArrays {
    std::uint64_t bytes = 0;  ///< total of the function with the most
    std::string largest;      ///< name of its largest array
    std::size_t line = 1;     ///< line of that array, from 1
};

/// The private arrays in OpenCL C source whose sizes are whole numbers; nothing if there are none.
/// @param defines values of names in addition to the defines of the text
std::optional<PrivateArrays> private_arrays_in(std::string_view text,
                                               const std::map<std::string, std::string>& defines);

/// Whether OpenCL C source, including its macros, uses vectors of 8 or 16 elements, or may do so through
/// names that its macros concatenate (##). Comments do not count.
bool uses_wide_vectors(std::string_view text);

}  // namespace ks
