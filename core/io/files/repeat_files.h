#pragma once

#include <string>
#include <vector>

namespace ks::io {

/// The data names of repeats, each of a separate file "FILE" or "FILE::/path": as given, and for a folder, or
/// a file name with * or ?, the regular files there that are not hidden, in the order of their names (numbers
/// in them by value). A name of an existing file is never a pattern. Throws ks::Error(input) if a folder or a
/// pattern gives no file, if two names are the same, or if there are fewer than two.
std::vector<std::string> repeats_named(const std::vector<std::string>& given);

}  // namespace ks::io
