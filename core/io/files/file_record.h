#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/fields.h"

namespace ks {

/// Fingerprint of a regular file. It shows if another file has taken its place, even one that is older or has
/// the same size. Equal records do not prove equal files, since only both ends of a file are read.
struct FileRecord {
    std::string file;  ///< absolute
    std::uint64_t bytes = 0;
    std::int64_t modified = 0;  ///< nanoseconds since 1970
    std::string hash;           ///< of the size and the first and last 64 KiB; empty: there was no such file
    bool operator==(const FileRecord&) const = default;
};

KS_FIELDS(FileRecord, file, bytes, modified, hash)

namespace io {

/// The record of a file as it is now, without its hash; nothing if there is no such file. Does not read the
/// file.
std::optional<FileRecord> record_without_hash(const std::filesystem::path& file);
/// The record of a file as it is now. Reads both ends.
FileRecord record_of(const std::filesystem::path& file);
/// Whether size, time and hash are the same, regardless of the name.
bool is_same_content(const FileRecord& one, const FileRecord& other);

}  // namespace io
}  // namespace ks
