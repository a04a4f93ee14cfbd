#include "core/record/moved_inputs.h"

#include <algorithm>
#include <iterator>
#include <system_error>

#include "core/base/error.h"
#include "core/io/files/data_name.h"
#include "core/io/series/name_pattern.h"
#include "core/io/series/series.h"
#include "core/run/repeats/repeats.h"

namespace ks {
namespace {

namespace fs = std::filesystem;

/// Whether an absolute path may be what the run called `end`.
bool ends_in(const fs::path& whole, const fs::path& end) {
    const auto parts = std::distance(end.begin(), end.end()), all = std::distance(whole.begin(), whole.end());
    return parts > 0 && parts <= all &&
           std::equal(end.begin(), end.end(), std::next(whole.begin(), all - parts));
}

/// Whether a path that was recorded is that of a name, which may be relative.
bool is_path_of(const fs::path& recorded, const fs::path& name) {
    const fs::path normal = name.lexically_normal();
    return name.is_absolute() ? recorded == normal : ends_in(recorded, normal);
}
/// Whether the record is that of the file.
bool is_name_of(const FileRecord& record, const fs::path& file) {
    return is_path_of(fs::path(record.file).lexically_normal(), file);
}
/// Whether the record is that of a file of a series named by a pattern.
bool is_in_pattern(const FileRecord& record, const fs::path& name) {
    const auto pattern = io::NamePattern::parse(name.filename().string());
    const fs::path recorded = fs::path(record.file).lexically_normal();
    return pattern && pattern->matches(recorded.filename().string()) &&
           (!name.has_parent_path() || is_path_of(recorded.parent_path(), name.parent_path()));
}
/// Whether the record is that of a file of the series in a folder.
bool names_folder(const FileRecord& record, const fs::path& folder) {
    const fs::path normal = folder.lexically_normal();
    const fs::path name = normal.has_filename() ? normal : normal.parent_path();
    const fs::path recorded = fs::path(record.file).lexically_normal();
    return io::counts_in_folder(recorded.filename().string()) && is_path_of(recorded.parent_path(), name);
}

/// Where the file was when the run read it; a series where its files were.
fs::path place_then(const Run& run, const io::DataName& input) {
    const std::vector<const FileRecord*> records = records_of_input(run, input.file.string());
    if (records.empty()) return input.file;
    const fs::path file = records.front()->file;
    if (is_name_of(*records.front(), input.file)) return file;
    return names_folder(*records.front(), input.file) ? file.parent_path()
                                                      : file.parent_path() / input.file.filename();
}

/// Whether an existing file or series may be the one of an input.
/// @param records of the input
bool may_be(const std::vector<const FileRecord*>& records, const fs::path& file) {
    std::error_code failure;
    if (!io::is_series(file))
        return fs::exists(file, failure) && (records.empty() || is_copy_of(*records.front(), file));
    try {
        const std::vector<fs::path> files = io::files_named(file);
        if (records.empty()) return true;
        std::map<std::string, const FileRecord*> by_name;
        for (const FileRecord* record : records) by_name[fs::path(record->file).filename().string()] = record;
        return files.size() == by_name.size() && std::ranges::all_of(files, [&by_name](const fs::path& one) {
                   const auto found = by_name.find(one.filename().string());
                   return found != by_name.end() && is_copy_of(*found->second, one);
               });
    } catch (const Error&) {
        return false;
    }
}

/// The present name of the run's input; empty: it has not moved.
std::string moved_name(const Run& run, const std::string& name, const MovedFiles& moved) {
    for (const auto& [then, now] : moved.files)
        if (!then.empty() && (name == then || name.starts_with(then + "::")))
            return now + name.substr(then.size());
    const io::DataName input = io::DataName::parse(name);
    const fs::path then = place_then(run, input);
    if (!then.is_absolute()) return {};
    for (const MovedFiles::Folder& folder : moved.folders)
        if (const auto now = place_now(then, folder); now && may_be(records_of_input(run, name), *now))
            return io::DataName{*now, input.object}.to_string();
    return {};
}

/// Repeats have moved as inputs do, and together with an input of the run that was in their folder.
std::vector<RepeatRow> moved_repeats(const Run& run, const Request& present, const MovedFiles& moved) {
    MovedFiles all = moved;
    for (const auto& [role, input] : run.request.inputs) {
        if (present.inputs.at(role).name == input.name) continue;
        const fs::path then = place_then(run, io::DataName::parse(input.name)),
                       now = io::DataName::parse(present.inputs.at(role).name).file;
        if (then.is_absolute() && then != now && then.filename() == now.filename())
            all.folders.push_back({then.parent_path(), now.parent_path()});
    }
    std::vector<RepeatRow> rows = repeats_of(run);
    for (RepeatRow& row : rows)
        if (const std::string name = moved_name(run, row.name, all); !name.empty()) row.name = name;
    return rows;
}

/// Candidate places: with as many of its former parent folders as possible, down to none.
std::vector<fs::path> places_beside(const fs::path& then, const fs::path& run_file) {
    const fs::path folder = fs::absolute(run_file).lexically_normal().parent_path();
    const fs::path below = then.lexically_normal().relative_path();
    std::vector<fs::path> places;
    for (const fs::path& home : {folder, folder.parent_path()})
        for (auto first = below.begin(); first != below.end(); ++first) {
            fs::path rest;
            for (auto part = first; part != below.end(); ++part) rest /= *part;
            places.push_back(home / rest);
        }
    return places;
}

/// Where a name leads: a relative one to the folder of the run, to where its file was then, or to the working
/// folder.
std::vector<fs::path> places_of_name(const fs::path& name, const fs::path& then, const fs::path& run_file) {
    if (name.is_absolute()) return {name};
    const fs::path folder = fs::absolute(run_file).lexically_normal().parent_path();
    std::vector<fs::path> places{(folder / name).lexically_normal()};
    if (then.is_absolute()) places.push_back(then);
    places.push_back(name);
    return places;
}

Error not_there(const std::string& name, const std::string& role, const std::string& more = {}) {
    return {ErrorKind::input, "the input \"" + role + "\" of the run does not exist" + more, name,
            "give its path with --input " + role + "=FILE"};
}

}  // namespace

std::vector<const FileRecord*> records_of_input(const Run& run, const std::string& name) {
    const fs::path file = io::DataName::parse(name).file;
    std::vector<const FileRecord*> found;
    for (const FileRecord& record : run.files)
        if (!record.hash.empty() && is_name_of(record, file)) return {&record};
    for (const FileRecord& record : run.files)
        if (!record.hash.empty() && (is_in_pattern(record, file) || names_folder(record, file)))
            found.push_back(&record);
    return found;
}

bool is_copy_of(const FileRecord& record, const fs::path& file) {
    const FileRecord now = io::record_of(file);
    return now.bytes == record.bytes && now.hash == record.hash;
}

bool may_be_input(const Run& run, const std::string& name, const fs::path& now) {
    return may_be(records_of_input(run, name), now);
}

std::optional<fs::path> place_now(const fs::path& file, const MovedFiles::Folder& folder) {
    const fs::path below = file.lexically_normal().lexically_relative(folder.then.lexically_normal());
    if (below.empty() || *below.begin() == ".." || below == ".") return std::nullopt;
    return folder.now / below;
}

std::shared_ptr<const Run> with_moved_inputs(const std::shared_ptr<const Run>& run, const MovedFiles& moved) {
    std::shared_ptr<Run> other;
    for (const auto& [role, input] : run->request.inputs) {
        if (input.values) continue;
        const std::string name = moved_name(*run, input.name, moved);
        if (name.empty() || name == input.name) continue;
        if (!other) other = std::make_shared<Run>(*run);
        other->request.inputs[role].name = name;
    }
    if (repeats_of(*run).empty()) return other ? other : run;
    // They move without it, too, if the request's repeat is still in its place.
    std::vector<RepeatRow> rows = moved_repeats(*run, other ? other->request : run->request, moved);
    if (!std::ranges::equal(rows, repeats_of(*run), {}, &RepeatRow::name, &RepeatRow::name)) {
        if (!other) other = std::make_shared<Run>(*run);
        set_repeats(other->result, rows);
    }
    return other ? other : run;
}

std::string present_input(const Run& run, const std::string& role, const fs::path& run_file) {
    return present_name(run, run.request.inputs.at(role).name, role, run_file);
}

std::string present_name(const Run& run, const std::string& name, const std::string& role,
                         const fs::path& run_file) {
    const io::DataName named = io::DataName::parse(name);
    const std::vector<const FileRecord*> records = records_of_input(run, name);
    const fs::path then = place_then(run, named);
    const std::vector<fs::path> places = places_of_name(named.file, then, run_file);
    const auto at = [&](const fs::path& file) {
        std::error_code failure;
        const bool is_named = file == named.file || fs::equivalent(file, named.file, failure);
        return is_named ? name : io::DataName{file, named.object}.to_string();
    };
    for (const fs::path& file : places)
        if (may_be(records, file)) return at(file);
    fs::path changed;
    for (const fs::path& file : places_beside(then, run_file)) {
        if (may_be(records, file)) return io::DataName{file, named.object}.to_string();
        if (changed.empty() && io::is_there(file)) changed = file;
    }
    // The comparison of results reports that the file has changed.
    for (const fs::path& file : places)
        if (io::is_there(file)) return at(file);
    throw not_there(name, role,
                    changed.empty() ? "" : ", and " + changed.string() + " has different content");
}

void require_there(const std::string& name, const std::string& role) {
    if (!io::is_there(io::DataName::parse(name).file)) throw not_there(name, role);
}

}  // namespace ks
