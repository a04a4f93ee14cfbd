#include "core/record/moved_inputs.h"

#include <algorithm>
#include <iterator>
#include <system_error>

#include "core/base/error.h"
#include "core/io/files/data_name.h"

namespace ks {
namespace {

namespace fs = std::filesystem;

bool ends_in(const fs::path& whole, const fs::path& end) {
    const auto parts = std::distance(end.begin(), end.end()), all = std::distance(whole.begin(), whole.end());
    return parts > 0 && parts <= all &&
           std::equal(end.begin(), end.end(), std::next(whole.begin(), all - parts));
}

/// Where the file was when the run read it.
fs::path place_then(const Run& run, const io::DataName& input) {
    const FileRecord* const record = record_of_input(run, input.file.string());
    return record != nullptr ? fs::path(record->file) : input.file;
}

/// Whether an existing file may be the one of an input.
bool may_be(const FileRecord* record, const fs::path& file) {
    std::error_code failure;
    return fs::exists(file, failure) && (record == nullptr || is_copy_of(*record, file));
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
        if (const auto now = place_now(then, folder); now && may_be(record_of_input(run, name), *now))
            return io::DataName{*now, input.object}.to_string();
    return {};
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

Error not_there(const std::string& name, const std::string& role, const std::string& more = {}) {
    return {ErrorKind::input, "the run's input " + role + " does not exist" + more, name,
            "give its place: --input " + role + "=FILE"};
}

}  // namespace

const FileRecord* record_of_input(const Run& run, const std::string& name) {
    const fs::path file = io::DataName::parse(name).file.lexically_normal();
    const auto is_it = [&file](const FileRecord& record) {
        const fs::path recorded = fs::path(record.file).lexically_normal();
        return !record.hash.empty() && (file.is_absolute() ? recorded == file : ends_in(recorded, file));
    };
    const auto found = std::ranges::find_if(run.files, is_it);
    return found == run.files.end() ? nullptr : &*found;
}

bool is_copy_of(const FileRecord& record, const fs::path& file) {
    const FileRecord now = io::record_of(file);
    return now.bytes == record.bytes && now.hash == record.hash;
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
    return other ? other : run;
}

std::string present_input(const Run& run, const std::string& role, const fs::path& run_file) {
    const std::string& name = run.request.inputs.at(role).name;
    const io::DataName named = io::DataName::parse(name);
    const FileRecord* const record = record_of_input(run, name);
    if (may_be(record, named.file)) return name;
    std::error_code failure;
    fs::path changed;
    for (const fs::path& file : places_beside(place_then(run, named), run_file)) {
        if (may_be(record, file)) return io::DataName{file, named.object}.to_string();
        if (changed.empty() && fs::exists(file, failure)) changed = file;
    }
    // The comparison of results reports that the file has changed.
    if (fs::exists(named.file, failure)) return name;
    throw not_there(name, role,
                    changed.empty() ? "" : ", and " + changed.string() + " has different content");
}

void require_there(const std::string& name, const std::string& role) {
    if (std::error_code failure; !fs::exists(io::DataName::parse(name).file, failure))
        throw not_there(name, role);
}

}  // namespace ks
