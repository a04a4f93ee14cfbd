#pragma once

#include <filesystem>
#include <string>

namespace ks::io {

/// Size, modification time and identity of a file as text: changes when the file does. Empty if there is
/// no such file.
std::string file_state(const std::filesystem::path& file);

/// The same, preceded by the file's full path, for cache keys; only the path if there is no such file.
std::string file_stamp(const std::filesystem::path& file);

}  // namespace ks::io
