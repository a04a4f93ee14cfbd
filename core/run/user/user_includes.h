#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "core/run/user/user_variant.h"

namespace ks {

/// The text of a variant with its own included files in the place of their lines, and `#line` where a text
/// begins or goes on; without such files it is the same text. `#include "x.cl"` is looked for beside the file
/// that says so, in the folder of the analysis, and in `folder`; lines `#include "gpu/..."` mean files of the
/// program and stay. Throws ks::Error(input) naming file and line: no such file, one that lies outside
/// `folder`, files that include each other without a guard, a directive that names a file otherwise (<..>, a
/// macro, #import without quotes, #embed). Within #if and the like such a fault becomes an #error in the
/// text. What inline assembly reads (.incbin) is not looked at.
/// @param folder of the user's variants @param looked_for takes the files that were read, and those that were
/// not there
std::string with_own_includes(const UserVariant& variant, const std::filesystem::path& folder,
                              std::set<std::filesystem::path>& looked_for);

}  // namespace ks
