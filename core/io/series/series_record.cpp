#include "core/io/series/series_record.h"

#include <algorithm>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/io/series/series.h"

namespace ks::io {
namespace fs = std::filesystem;

FileRecord record_of_all(const fs::path& name) {
    if (!is_series(name)) return record_of(name);
    std::error_code failure;
    FileRecord all;
    all.file = fs::absolute(name, failure).string();
    std::string hashes;
    try {
        for (const fs::path& file : files_named(name)) {
            const FileRecord one = record_of(file);
            all.bytes += one.bytes;
            all.modified = std::max(all.modified, one.modified);
            hashes += fmt::format("{}|{}\n", file.filename().string(), one.hash);
        }
    } catch (const Error&) {
        return all;  // opening the series will report why
    }
    all.hash = hash_text(hash_of(hashes));
    return all;
}

}  // namespace ks::io
