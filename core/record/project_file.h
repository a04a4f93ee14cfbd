#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "core/base/array.h"

namespace ks::io {

/// What a project file (.ksproj) holds: a tree of JSON, and arrays by name beside it.
struct Project {
    nlohmann::json content = nlohmann::json::object();
    std::map<std::string, Array> arrays;
    bool operator==(const Project&) const = default;
};

/// Nothing larger is taken from a file, whatever it says of itself.
constexpr std::size_t largest_project_json = std::size_t{16} << 20;  ///< bytes of the JSON text
constexpr std::size_t largest_project_array = std::size_t{4} << 30;  ///< bytes of all arrays together
constexpr std::size_t most_project_arrays = 4096;
constexpr std::size_t highest_project_rank = 8;

/// Writes atomically; the same project gives the same bytes. Throws ks::Error(input) beyond the limits above
/// and as AtomicFile does. Text of the JSON that is no UTF-8 is replaced (U+FFFD).
void write_project(const std::filesystem::path& file, const Project& project, bool overwrite);

/// Reads this one file and no other, and takes no memory that the file has no bytes for. Throws
/// ks::Error(input): no project, one of a newer version, truncated, damaged (a checksum is wrong), beyond the
/// limits above.
Project read_project(const std::filesystem::path& file);

/// Whether a regular file begins as a project does, also as one of another version or a damaged one.
bool is_project(const std::filesystem::path& file);

}  // namespace ks::io
