#pragma once

#include <filesystem>
#include <string>

namespace ks::io {

/// A file with an optional object in it: "FILE" or "FILE::/path/in/file".
struct DataName {
    std::filesystem::path file;
    std::string object;  ///< empty: not given
    /// Splits a name at a "::". Names of folders and files may contain "::", too. If a file has the whole
    /// name, that is the file. Otherwise the file ends at the last "::" before which a file exists, else at
    /// the last "::/", else at the last "::". A "::" within the name of an existing folder does not count.
    static DataName parse(const std::string& name);
    std::string to_string() const;
};

/// The suffix of a file name in lower case: ".h5"; empty if it has no dot.
std::string suffix_of(const std::filesystem::path& file);

}  // namespace ks::io
