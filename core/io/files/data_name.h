#pragma once

#include <filesystem>
#include <string>

namespace ks::io {

/// A file with an optional object in it: "FILE" or "FILE::/path/in/file".
struct DataName {
    std::filesystem::path file;
    std::string object;  ///< empty: not given
    /// Splits at a "::", of which names of folders and files may hold some too: a name that exists is the
    /// file; else the file ends at the last "::" where one exists, else at the last "::/", else at the last
    /// "::". None of them counts that an existing folder has in its name.
    static DataName parse(const std::string& name);
    std::string to_string() const;
};

/// What the name of a file ends in, in small letters: ".h5"; empty where it has no dot.
std::string suffix_of(const std::filesystem::path& file);

}  // namespace ks::io
