#pragma once

#include <filesystem>
#include <string>

namespace ks::io {

/// Called by every reader before it opens a file: opening a pipe would block until another program
/// writes to it. Throws ks::Error(input) naming the file: no such file, a directory ("expected an HDF5
/// file, found a directory"), a pipe, a socket or a device ("the file is a pipe, expected a regular
/// file"), no read permission.
/// @param expected "an HDF5 file"
void require_regular(const std::filesystem::path& file, const std::string& expected);

/// Throws ks::Error(input) for a name with bytes that are not UTF-8. The window asks it of all names that are
/// found in a folder: its own names are texts, by which such a file could not be found again.
void require_utf8_name(const std::filesystem::path& file);

/// The kind of a special file: "a pipe", "a socket", "a device"; empty for regular files, directories
/// and missing files.
std::string special_kind(const std::filesystem::path& file);

}  // namespace ks::io
