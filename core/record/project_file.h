#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "core/base/array.h"

namespace ks::io {

/// The content of a project file (.ksproj): a JSON tree, and named arrays.
struct Project {
    nlohmann::json content = nlohmann::json::object();
    std::map<std::string, Array> arrays;
    bool operator==(const Project&) const = default;
};

/// Limits on what is read from a file, whatever it claims.
constexpr std::size_t largest_project_json = std::size_t{16} << 20;  ///< bytes of the JSON text
constexpr std::size_t largest_project_array = std::size_t{4} << 30;  ///< bytes of all arrays together
constexpr std::size_t most_project_arrays = 4096;
constexpr std::size_t highest_project_rank = 8;

/// Writes atomically; equal projects give equal bytes. Throws ks::Error(input) beyond the limits above and as
/// AtomicFile does. Invalid UTF-8 in the JSON is replaced (U+FFFD).
void write_project(const std::filesystem::path& file, const Project& project, bool overwrite);

/// Reads only this file, and allocates no more memory than the file has bytes for. Throws ks::Error(input):
/// not a project, a newer version, truncated, damaged (a checksum is wrong), beyond the limits above.
Project read_project(const std::filesystem::path& file);

/// Whether it is a regular file that starts like a project, even of another version or damaged.
bool is_project(const std::filesystem::path& file);

}  // namespace ks::io
