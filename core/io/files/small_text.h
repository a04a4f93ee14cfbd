#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace ks::io {

/// The whole text of a file that is read at once. Throws ks::Error(input) naming the file: as
/// require_regular() does, if it cannot be read, and if it has more than `largest` bytes.
/// @param expected "a kernel's source"
std::string small_text(const std::filesystem::path& file, const std::string& expected, std::size_t largest);

/// Size limits for a kernel's source, and for JSON reports and tables.
inline constexpr std::size_t largest_kernel = std::size_t{4} << 20;
inline constexpr std::size_t largest_report = std::size_t{64} << 20;

}  // namespace ks::io
