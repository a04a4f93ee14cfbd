#pragma once

#include <string>
#include <vector>

namespace ks::io {

/// The name of a file for display next to `others`: without its folders, "scan.h5", or, where another file
/// has the same name, with as many of them as distinguish it, "b/scan.h5". A path among the others that is
/// its own does not count. Accesses no file.
std::string distinct_name(const std::string& file, const std::vector<std::string>& others);

}  // namespace ks::io
