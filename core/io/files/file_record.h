#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/fields.h"

namespace ks {

/// A regular file as it was at some time, by which one that takes its place is known, also where that is
/// older or of the same size. No two files are the same because their records are: only their ends are read.
struct FileRecord {
    std::string file;  ///< absolute
    std::uint64_t bytes = 0;
    std::int64_t modified = 0;  ///< nanoseconds since 1970
    std::string hash;           ///< of the size and the first and last 64 KiB; empty: there was no such file
    bool operator==(const FileRecord&) const = default;
};

void fields(auto& visit, ConstOr<FileRecord> auto& record) {
    visit("file", record.file);
    visit("bytes", record.bytes);
    visit("modified", record.modified);
    visit("hash", record.hash);
}

namespace io {

/// Of a file now. Reads its two ends.
FileRecord record_of(const std::filesystem::path& file);
/// Size, time and hash of another record are the same, whatever its name.
bool is_same_content(const FileRecord& one, const FileRecord& other);

}  // namespace io
}  // namespace ks
