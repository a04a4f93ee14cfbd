#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ks {

/// A function that calls itself, by itself or by others, which OpenCL C does not allow. Compilers may take
/// it, refuse it, or never end.
struct Recursion {
    std::string function;
    std::size_t line = 1;  ///< of the call, from 1
};

/// The first of a text of OpenCL C. Macros are not expanded, and of functions with several definitions
/// nothing is said.
std::optional<Recursion> recursion_in(std::string_view text);

/// Arrays in private memory, which each work-item has for itself.
struct PrivateArrays {
    std::uint64_t bytes = 0;  ///< of the function with the most
    std::string largest;      ///< name of its largest one
    std::size_t line = 1;     ///< of that, from 1
};

/// Those of a text of OpenCL C whose sizes are whole numbers; nothing where there are none.
/// @param defines values of names beside those that the text defines
std::optional<PrivateArrays> private_arrays_in(std::string_view text,
                                               const std::map<std::string, std::string>& defines);

/// Whether a text of OpenCL C, its macros included, names vectors of 8 or 16 elements, or may do so by names
/// that its macros put together (##). Comments do not count.
bool uses_wide_vectors(std::string_view text);

}  // namespace ks
