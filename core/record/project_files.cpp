#include "core/record/project_files.h"

#include <algorithm>
#include <system_error>

#include "core/base/error.h"
#include "core/io/series/series.h"
#include "core/io/series/series_record.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

fs::path resolved(const fs::path& path) {
    std::error_code failure;
    fs::path made = fs::weakly_canonical(fs::absolute(path, failure), failure);
    return failure ? path.lexically_normal() : made;
}

/// The absolute path without "..", through the links by which it was given. A link is what its name says,
/// wherever it leads later.
fs::path as_given(const fs::path& path) {
    std::error_code failure;
    const fs::path whole = fs::absolute(path, failure);
    fs::path plain = whole.lexically_normal();
    // ".." behind a link leaves the folder to which it leads.
    return failure || resolved(plain) != resolved(whole) ? resolved(path) : plain;
}

bool is_within(const fs::path& file, const fs::path& folder) {
    const auto [at, unused] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return at == folder.end();
}

FoundFile found_at(const fs::path& path, const fs::path& folder, FilePlace outside) {
    FoundFile found{as_given(path), outside, FileFate::gone, resolved(path)};
    if (is_within(found.target, resolved(folder))) found.place = FilePlace::inside;
    std::error_code failure;
    const fs::file_status status = fs::status(found.file, failure);
    if (is_series(found.file))
        found.fate = is_there(found.file) ? FileFate::there : FileFate::gone;
    else if (fs::exists(status))
        found.fate = fs::is_regular_file(status) ? FileFate::there : FileFate::other_kind;
    return found;
}

}  // namespace

NamedFile named_file(const fs::path& file, const fs::path& folder) {
    const fs::path whole = as_given(file), given = as_given(folder), from = resolved(folder);
    NamedFile named;
    named.absolute = whole.string();
    const auto second = [](const fs::path& path) {
        const fs::path below = path.relative_path();
        return below.empty() ? fs::path() : *below.begin();
    };
    if (is_within(whole, given))
        named.relative = whole.lexically_relative(given).generic_string();
    else if (whole.root_path() == from.root_path() && second(whole) == second(from))
        named.relative = whole.lexically_relative(from).generic_string();
    const FileRecord record = record_of_all(whole);
    named.bytes = record.bytes;
    named.modified = record.modified;
    named.hash = record.hash;
    return named;
}

nlohmann::json to_json(const NamedFile& file) {
    return {{"relative", file.relative},
            {"absolute", file.absolute},
            {"bytes", file.bytes},
            {"modified", file.modified},
            {"hash", file.hash}};
}

NamedFile named_file_from(const nlohmann::json& json) {
    NamedFile file{json.at("relative").get<std::string>(), json.at("absolute").get<std::string>(),
                   json.at("bytes").get<std::uint64_t>(), json.at("modified").get<std::int64_t>(),
                   json.at("hash").get<std::string>()};
    const auto has_zero = [](const std::string& text) { return text.find('\0') != std::string::npos; };
    if ((file.relative.empty() && file.absolute.empty()) || has_zero(file.relative) ||
        has_zero(file.absolute) || fs::path(file.relative).is_absolute() ||
        (!file.absolute.empty() && !fs::path(file.absolute).is_absolute()))
        throw Error(ErrorKind::input, "expected a file name");
    return file;
}

FoundFile find_named(const NamedFile& named, const fs::path& project_folder) {
    const fs::path folder = as_given(project_folder);
    FoundFile beside;
    if (!named.relative.empty()) {
        beside = found_at(folder / named.relative, folder, FilePlace::above);
        if (beside.fate != FileFate::gone || named.absolute.empty()) return beside;
    }
    FoundFile whole = found_at(named.absolute, folder, FilePlace::absolute);
    // If it exists nowhere, the place relative to the project is the best one to search.
    return whole.fate == FileFate::gone && !named.relative.empty() ? beside : whole;
}

bool is_changed(const NamedFile& named, const fs::path& file) {
    if (named.hash.empty()) return false;
    const FileRecord now = record_of_all(file);
    return now.bytes != named.bytes || (now.modified != named.modified && now.hash != named.hash);
}

std::vector<fs::path> files_outside(const std::vector<FoundFile>& files) {
    std::vector<fs::path> outside;
    for (const FoundFile& one : files)
        if (one.place != FilePlace::inside && one.fate == FileFate::there) outside.push_back(one.target);
    std::ranges::sort(outside);
    const auto [first, last] = std::ranges::unique(outside);
    outside.erase(first, last);
    return outside;
}

}  // namespace ks::io
