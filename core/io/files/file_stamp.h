#pragma once

#include <filesystem>
#include <string>

namespace ks::io {

/// Size, time of modification and identity of a file as text: changes where the file does. Empty where there
/// is no such file.
std::string file_state(const std::filesystem::path& file);

/// The same behind the file's full path, for keys of caches; the path alone where there is no such file.
std::string file_stamp(const std::filesystem::path& file);

}  // namespace ks::io
