#pragma once

#include <filesystem>
#include <string>

namespace ks::io {

/// The target of a chain of links, even if it does not exist yet; the path itself if it is not a link.
std::filesystem::path end_of_links(const std::filesystem::path& path);

/// The same text for all names of a file, whether it exists or not: links, hard links, relative names.
std::string file_key(const std::filesystem::path& path);

/// Whether two names refer to the same file; never true for an empty name.
bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace ks::io
