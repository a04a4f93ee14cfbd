#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace ks::io {

/// A file that a project names, as it was when the project was written.
struct NamedFile {
    std::string relative;  ///< relative to the project's folder; empty if they only share the root
    std::string absolute;
    std::uint64_t bytes = 0;
    std::int64_t modified = 0;  ///< nanoseconds since 1970
    std::string hash;           ///< of the size and the first and last 64 KiB; empty: the file was not there
    bool operator==(const NamedFile&) const = default;
};

/// The record of a file or a series (see record_of_all()) for a project in `folder`. Reads both ends of each
/// file.
NamedFile named_file(const std::filesystem::path& file, const std::filesystem::path& folder);
nlohmann::json to_json(const NamedFile& file);
/// Throws nlohmann::json::exception and ks::Error(input) for what to_json() does not write.
NamedFile named_file_from(const nlohmann::json& json);

/// Where a named file is, after following links.
enum class FilePlace {
    inside,  ///< in the folder of the project or in one of its folders
    above,   ///< by a relative name that leaves the folder: "../data.h5"
    absolute
};
enum class FileFate { there, gone, other_kind };

struct FoundFile {
    std::filesystem::path file;  ///< absolute; a link keeps its name
    FilePlace place = FilePlace::inside;
    FileFate fate = FileFate::gone;
    std::filesystem::path target;  ///< the file to which links lead now
};

/// Where the file is now: by its relative name, else by its absolute one. Opens nothing: files outside the
/// project's folder are only read after the user agreed.
FoundFile find_named(const NamedFile& named, const std::filesystem::path& folder);
/// Whether the file differs from what it was when the project was written: another size, or another time and
/// other content at its ends. Reads both ends.
bool is_changed(const NamedFile& named, const std::filesystem::path& file);

/// The targets of existing files outside the project's folder, each once. They are read only if the user
/// agrees.
std::vector<std::filesystem::path> files_outside(const std::vector<FoundFile>& files);

}  // namespace ks::io
