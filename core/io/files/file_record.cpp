#include "core/io/files/file_record.h"

#include <cstddef>
#include <system_error>

#include "core/base/hash.h"
#include "core/io/files/file_bytes.h"
#include "core/io/files/file_stamp.h"

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
    const auto state = state_of(file);
    if (!state || !state->regular) return std::nullopt;
    FileRecord record;
    record.file = whole_name(file);
    record.bytes = state->bytes;
    record.modified = state->modified();
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
