#include "core/record/changed_files.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/printable.h"
#include "core/io/files/data_name.h"
#include "core/io/series/name_pattern.h"

namespace ks {
namespace {

namespace fs = std::filesystem;

struct ReadFile {
    const FileRecord* record;
    std::string leaf;

    auto content() const { return std::tie(record->bytes, record->modified, record->hash); }
    /// Without the time, which copies do not keep.
    auto bytes() const { return std::tie(record->bytes, record->hash); }
    auto whole() const { return std::tie(leaf, record->bytes, record->modified, record->hash); }
};
using ReadFiles = std::vector<ReadFile>;

ReadFiles read_files(const Run& run) {
    ReadFiles files;
    for (const FileRecord& one : run.files) files.push_back({&one, fs::path(one.file).filename().string()});
    return files;
}

/// Takes pairs of equal files out of both lists.
/// @param key a member function that gives what has to be equal
void take_equal(ReadFiles& before, ReadFiles& now, auto key) {
    const auto less = [key](const ReadFile& a, const ReadFile& b) { return (a.*key)() < (b.*key)(); };
    std::sort(before.begin(), before.end(), less);
    std::sort(now.begin(), now.end(), less);
    ReadFiles left_before, left_now;
    std::set_difference(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(left_before),
                        less);
    std::set_difference(now.begin(), now.end(), before.begin(), before.end(), std::back_inserter(left_now),
                        less);
    before = std::move(left_before);
    now = std::move(left_now);
}

std::set<std::string> leaves(const ReadFiles& files) {
    std::set<std::string> all;
    for (const ReadFile& one : files) all.insert(one.leaf);
    return all;
}

/// Moves the files whose name is one of these to the result.
ReadFiles take_named(ReadFiles& files, const std::set<std::string>& names) {
    const auto named = std::stable_partition(
        files.begin(), files.end(), [&names](const ReadFile& one) { return !names.contains(one.leaf); });
    ReadFiles taken(std::make_move_iterator(named), std::make_move_iterator(files.end()));
    files.erase(named, files.end());
    return taken;
}

/// Files by the way in which they have changed.
struct Members {
    std::vector<std::string> added, missing, other, touched;

    bool only_time() const { return added.empty() && missing.empty() && other.empty(); }

    std::string details() const {
        std::vector<std::string> parts;
        const auto add = [&parts](const char* one, const char* several, std::vector<std::string> names) {
            if (names.empty()) return;
            constexpr std::size_t most = 4;
            std::sort(names.begin(), names.end());
            parts.push_back(fmt::format("{} {}", names.size() == 1 ? one : several, listed(names, most)));
        };
        add("new file", "new files", added);
        add("missing file", "missing files", missing);
        add("other content in", "other content in", other);
        if (only_time()) add("other time of", "other times of", touched);
        return fmt::format("{}", fmt::join(parts, "; "));
    }
};

/// The series of a run's inputs, by role.
class SeriesOfInputs {
  public:
    explicit SeriesOfInputs(const Request& request) {
        for (const auto& [role, input] : request.inputs) {
            if (input.values || input.name.empty()) continue;
            fs::path name = io::DataName::parse(input.name).file;
            if (!name.has_filename()) name = name.parent_path();  // "folder/"
            series_.push_back({role, name, io::NamePattern::parse(name.filename().string())});
        }
    }

    /// The role whose series the file belongs to; nothing if it belongs to none.
    std::optional<std::string> role_of(const ReadFile& file) const {
        const auto own = std::ranges::find_if(series_, [&file](const One& one) {
            if (one.name.filename() == file.leaf) return false;
            return one.pattern ? one.pattern->matches(file.leaf)
                               : fs::path(file.record->file).parent_path().filename() == one.name.filename();
        });
        return own == series_.end() ? std::nullopt : std::optional(own->role);
    }
    std::string name_of(const std::string& role) const {
        const auto own = std::ranges::find(series_, role, &One::role);
        return own == series_.end() ? role : own->name.string();
    }

  private:
    struct One {
        std::string role;
        fs::path name;
        std::optional<io::NamePattern> pattern;
    };
    std::vector<One> series_;
};

/// The input of the earlier run that a file stands for in the later one, under another name; empty: none.
std::string former_input(const Run& before, const Run& now, const std::string& file) {
    for (const auto& [role, input] : now.request.inputs) {
        const auto then = before.request.inputs.find(role);
        if (input.values || then == before.request.inputs.end() || then->second.values) continue;
        const fs::path named = io::DataName::parse(input.name).file;
        const bool is_file = fs::path(file).lexically_normal() == named.lexically_normal() ||
                             (named.is_relative() && fs::path(file).filename() == named.filename());
        if (is_file && io::DataName::parse(then->second.name).file != named)
            return io::DataName::parse(then->second.name).file.string();
    }
    return {};
}

}  // namespace

std::vector<FileChange> changed_files(const Run& before, const Run& now) {
    if (before.files.empty()) return {};
    ReadFiles then = read_files(before), later = read_files(now);
    take_equal(then, later, &ReadFile::whole);
    const std::set<std::string> gone = leaves(then), come = leaves(later);
    const ReadFiles other = take_named(later, gone), other_then = take_named(then, come);
    take_equal(then, later, &ReadFile::content);

    const SeriesOfInputs series_then(before.request), series_now(now.request);
    std::map<std::string, Members> members;
    std::vector<FileChange> changes;
    std::set<std::string> of_before;
    for (const FileRecord& one : before.files) of_before.insert(one.file);
    const auto is_touched = [](const ReadFile& one, const ReadFiles& all, bool same_name) {
        return !one.record->hash.empty() && std::ranges::any_of(all, [&](const ReadFile& former) {
            return (!same_name || former.leaf == one.leaf) && former.bytes() == one.bytes();
        });
    };
    // A file that was no part of the earlier run has not changed: another one was used.
    const auto add = [&](const ReadFile& one, bool touched) {
        FileChange change{one.record->file};
        change.only_time = touched;
        if (!of_before.contains(change.name)) change.instead_of = former_input(before, now, change.name);
        changes.push_back(std::move(change));
    };
    for (const ReadFile& one : other) {
        const bool touched = is_touched(one, other_then, true);
        if (const auto role = series_now.role_of(one))
            (touched ? members[*role].touched : members[*role].other).push_back(one.leaf);
        else
            add(one, touched);
    }
    for (const ReadFile& one : later)
        if (const auto role = series_now.role_of(one))
            members[*role].added.push_back(one.leaf);
        else
            add(one, is_touched(one, then, false));
    for (const ReadFile& one : then)
        if (const auto role = series_then.role_of(one)) members[*role].missing.push_back(one.leaf);
    for (const auto& [role, some] : members) {
        FileChange change{series_now.name_of(role), some.details()};
        change.only_time = some.only_time();
        const std::string former = series_then.name_of(role);
        if (former != change.name) change.instead_of = former;
        changes.push_back(std::move(change));
    }
    return changes;
}

bool have_changed(const std::vector<FileChange>& changes) {
    return !std::ranges::all_of(changes, &FileChange::only_time);
}

std::string text_of(const std::vector<FileChange>& changes) {
    std::vector<std::string> texts;
    for (const FileChange& one : changes) {
        const char* const same = " was written since, but its size and hash are the same";
        std::string text = one.only_time     ? one.name + same
                           : !one.instead_of ? one.name + " has changed since"
                           : one.instead_of->empty()
                               ? "the run did not use " + one.name
                               : fmt::format("the run used {}, not {}", *one.instead_of, one.name);
        if (!one.details.empty()) text += " (" + one.details + ")";
        texts.push_back(std::move(text));
    }
    return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace ks
