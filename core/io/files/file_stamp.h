#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace ks::io {

/// What changes when a file does, without reading it.
struct FileState {
    std::uint64_t device, inode, bytes;
    std::int64_t seconds, nanoseconds;  ///< modification time
    bool regular;                       ///< not a folder, pipe or the like
    /// The modification time in nanoseconds since 1970, as in a FileRecord.
    std::int64_t modified() const { return seconds * 1'000'000'000 + nanoseconds; }
    bool operator==(const FileState&) const = default;
};
/// Nothing if there is no such file.
std::optional<FileState> state_of(const std::filesystem::path& file);

/// Size, modification time and identity of a file as text: changes when the file does. Empty if there is
/// no such file.
std::string file_state(const std::filesystem::path& file);

/// The same, preceded by the file's full path, for cache keys; only the path if there is no such file.
std::string file_stamp(const std::filesystem::path& file);

}  // namespace ks::io
