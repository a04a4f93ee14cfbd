#include "core/io/files/file_record.h"

#include <sys/stat.h>

#include <cstddef>
#include <system_error>

#include "core/base/hash.h"
#include "core/io/files/file_bytes.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t end_bytes = std::size_t{64} << 10;

std::string ends_hash(const fs::path& file, std::uint64_t bytes) {
    const std::string head = peek_bytes(file, 0, end_bytes);
    const std::string tail =
        bytes > end_bytes ? peek_bytes(file, bytes - end_bytes, end_bytes) : std::string();
    return hash_text(hash_of(tail, hash_of(head, bytes)));
}

std::string whole_name(const fs::path& file) {
    std::error_code failure;
    const fs::path whole = fs::absolute(file, failure);
    return failure ? file.string() : whole.string();
}

}  // namespace

std::optional<FileRecord> record_without_hash(const fs::path& file) {
    struct stat info = {};
    if (::stat(file.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
    FileRecord record;
    record.file = whole_name(file);
    record.bytes = static_cast<std::uint64_t>(info.st_size);
    record.modified = std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
    return record;
}

FileRecord record_of(const fs::path& file) {
    const std::optional<FileRecord> found = record_without_hash(file);
    FileRecord record = found.value_or(FileRecord());
    record.file = whole_name(file);
    if (found) record.hash = ends_hash(file, record.bytes);
    return record;
}

bool is_same_content(const FileRecord& one, const FileRecord& other) {
    return one.bytes == other.bytes && one.modified == other.modified && one.hash == other.hash;
}

}  // namespace ks::io
