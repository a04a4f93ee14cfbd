#pragma once

#include <filesystem>
#include <string>

namespace ks::io {

/// Where a path leads by links, also where nothing is at their end yet; the path itself where it is no link.
std::filesystem::path end_of_links(const std::filesystem::path& path);

/// The same text for all names of one file, whether it is there or not: links, hard links, relative names.
std::string file_key(const std::filesystem::path& path);

/// Whether two names are of one file; never of an empty name.
bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace ks::io
