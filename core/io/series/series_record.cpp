#include "core/io/series/series_record.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/io/series/name_pattern.h"

namespace ks::io {
namespace fs = std::filesystem;

namespace {

/// Without its folders.
std::string_view leaf_of(std::string_view file) {
    return file.substr(file.rfind('/') + 1);  // also without a folder: npos + 1 is 0
}

/// A list of files to which one after the other is added, in any order: the window compares long lists often.
class ListRecord {
  public:
    explicit ListRecord(const fs::path& name) { all_.file = name.string(); }

    void add(const FileRecord& one) {
        all_.bytes += one.bytes;
        all_.modified = std::max(all_.modified, one.modified);
        sum_ += hash_of(leaf_of(one.file), one.bytes);
        ++files_;
    }
    FileRecord record() const {
        FileRecord made = all_;
        if (files_ > 0) made.hash = hash_text(sum_ + files_);
        return made;
    }

  private:
    FileRecord all_;
    std::uint64_t sum_ = 0, files_ = 0;
};

}  // namespace

FileRecord record_of_list(const Series& series) {
    std::error_code failure;
    ListRecord list(fs::absolute(series.name, failure));
    for (const NumberedFile& one : series.files)
        if (const std::optional<FileRecord> record = record_without_hash(one.file)) list.add(*record);
    return list.record();
}

std::map<fs::path, FileRecord> recorded_lists(const fs::path& name, const std::vector<FileRecord>& files) {
    const auto pattern = NamePattern::parse(name.filename().string());
    std::map<std::string_view, ListRecord> lists;
    for (const FileRecord& one : files) {
        const std::string_view file = one.file, leaf = leaf_of(file);
        if (one.hash.empty() || !pattern || !pattern->matches(leaf)) continue;
        const std::string_view folder = file.substr(0, file.size() - leaf.size());
        auto list = lists.find(folder);
        if (list == lists.end()) list = lists.emplace(folder, fs::path(folder) / name.filename()).first;
        list->second.add(one);
    }
    std::map<fs::path, FileRecord> records;
    for (const auto& [folder, list] : lists) records.emplace(fs::path(folder).parent_path(), list.record());
    return records;
}

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
