#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ks {

/// Where the files are that a kernel of the user's own may include.
struct IncludePlaces {
    std::filesystem::path within;  ///< no file outside of this folder is read, also not behind a link
    std::vector<std::filesystem::path> folders;  ///< behind that of the file that includes
    std::map<std::string, std::string> defines =
        {};  ///< that the text is compiled with, as far as they are known
};

/// The text of a kernel with the files that it includes in the place of their lines, whatever the conditions
/// around them say: those are the compiler's matter, for which no directive remains that could read a file.
/// `#line` says where a text begins or goes on; without such directives it is the same text.
///
/// `"FILE"`, `<FILE>` and macros that give one of them are looked for beside the file that says so, then in
/// the other folders. `gpu/...` is a file of the program, and its line stays. `#pragma once` becomes a
/// definition that is asked for, `__has_include` 0 or 1. Throws ks::Error(input) naming file and line: no
/// such file, one outside of `within`, a pipe or device, over 4 MiB, over 16 MiB in all, conditions or
/// comments that go on behind the end of a file, files that include each other without a guard, a macro of
/// several meanings, #import, #include_next, #embed, and texts of which it is not clear what they read.
/// Within #if and the like a fault of a directive becomes an #error in the text.
/// @param looked_for takes the files that were read, and those that were not there
std::string with_own_includes(const std::string& text, const std::filesystem::path& file,
                              const IncludePlaces& places, std::set<std::filesystem::path>& looked_for);

/// The text of a kernel file that takes the place of a variant's own, which may include what lies in its
/// folder. Throws ks::Error(input) as the former, and where the file is empty.
std::string read_kernel_source(const std::filesystem::path& file,
                               const std::map<std::string, std::string>& defines);

/// That file and those which it includes, as far as they are there. Throws nothing for what the texts are.
std::set<std::filesystem::path> files_of_kernel_source(const std::filesystem::path& file,
                                                       const std::map<std::string, std::string>& defines);

}  // namespace ks
