#pragma once

#include <string>
#include <vector>

namespace ks::io {

/// The name of a file for display next to `others`: without its folders, "scan.h5"; if another file has the
/// same name, with as many folders as distinguish the two, "b/scan.h5". If `others` contain the path of the
/// file itself, it does not count. Accesses no file.
std::string distinct_name(const std::string& file, const std::vector<std::string>& others);

}  // namespace ks::io
