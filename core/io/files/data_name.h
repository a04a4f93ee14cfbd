#pragma once

#include <filesystem>
#include <string>

namespace ks::io {

/// A file with an optional object in it: "FILE" or "FILE::/path/in/file".
struct DataName {
    std::filesystem::path file;
    std::string object;  ///< empty: not given
    /// Splits at a "::". Names of folders and files may contain it, too: if the whole name exists, it is the
    /// file; otherwise the file ends at the last "::" before which a file exists, else at the last "::/",
    /// else at the last "::". Occurrences within the name of an existing folder do not count.
    static DataName parse(const std::string& name);
    std::string to_string() const;
};

/// The suffix of a file name in lower case: ".h5"; empty if it has no dot.
std::string suffix_of(const std::filesystem::path& file);

}  // namespace ks::io
