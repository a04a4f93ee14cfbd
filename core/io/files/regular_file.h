#pragma once

#include <filesystem>
#include <string>

namespace ks::io {

/// What every reader asks before it opens a file: opening a pipe waits for who writes into it, for ever.
/// Throws ks::Error(input) naming the file: no such file, a directory ("expected an HDF5 file, found a
/// directory"), a pipe, a socket or a device ("the file is a pipe, expected a regular file"), no permission
/// to read.
/// @param expected "an HDF5 file"
void require_regular(const std::filesystem::path& file, const std::string& expected);

/// What stands where a regular file may be: "a pipe", "a socket", "a device"; empty for files, directories
/// and nothing.
std::string special_kind(const std::filesystem::path& file);

}  // namespace ks::io
