#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/kernels/resolved_source.h"

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

/// Names that OpenCL C source declares outside of functions: macros, whatever their conditions, functions,
/// types and variables. Macros are not expanded.
std::set<std::string> declared_names(std::string_view text);

/// The text of a kernel and of those included files from which it, or one of these, uses a declared name, or
/// which declare none. Names in comments do not count.
std::string used_text(const ResolvedSource& source);

/// Whether OpenCL C source, including its macros, uses vectors of 8 or 16 elements, or may do so through
/// names that its macros concatenate (##). Comments do not count.
bool uses_wide_vectors(std::string_view text);

}  // namespace ks
