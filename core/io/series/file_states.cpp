#include "core/io/series/file_states.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace ks {
namespace {

/// Of a series now; none if it cannot be listed: opening it reports why.
std::vector<std::filesystem::path> listed(const std::filesystem::path& series) {
    try {
        return io::files_named(series);
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

void FileStates::add(const State& state) {
    // By path: if another file has taken its place meanwhile, that counts as a change.
    const auto [known, is_new] = index_.try_emplace(state.file.native(), states_.size());
    if (is_new)
        states_.push_back(state);
    else
        states_[known->second].grows = states_[known->second].grows || state.grows;
}

void FileStates::add(const std::filesystem::path& file, bool grows) {
    if (const auto state = io::state_of(file); state && state->regular)
        add(State{file, *state, grows});
    else if (io::is_series(file))
        add(Series{file, listed(file)});
}

void FileStates::add(const io::Series& series) {
    std::vector<std::filesystem::path> files;
    for (const io::NumberedFile& one : series.files) files.push_back(one.file);
    add(Series{series.name, std::move(files)});
}

void FileStates::add_unusable(const std::filesystem::path& file) {
    if (io::state_of(file))
        add(file);
    else
        add_missing(file);
}

void FileStates::add_missing(const std::filesystem::path& file) {
    if (std::ranges::find(missing_, file) == missing_.end()) missing_.push_back(file);
}

void FileStates::add(const Series& series) {
    if (std::ranges::find(series_, series.name, &Series::name) == series_.end()) series_.push_back(series);
}

void FileStates::add(const FileStates& others) {
    for (const State& state : others.states_) add(state);
    for (const Series& series : others.series_) add(series);
    for (const std::filesystem::path& file : others.missing_) add_missing(file);
}

std::vector<std::filesystem::path> FileStates::files() const {
    std::vector<std::filesystem::path> names;
    for (const State& state : states_) names.push_back(state.file);
    return names;
}

const io::FileState* FileStates::find(const std::filesystem::path::string_type& file) const {
    const auto known = index_.find(file);
    return known == index_.end() ? nullptr : &states_[known->second].state;
}

std::optional<std::filesystem::path> FileStates::changed_file() const {
    for (const State& before : states_) {
        const auto now = io::state_of(before.file);
        const io::FileState& then = before.state;
        const bool same =
            before.grows ? now && now->device == then.device && now->inode == then.inode : now == then;
        if (!same) return before.file;
    }
    return std::nullopt;
}

std::optional<std::filesystem::path> FileStates::changed() const {
    if (auto file = changed_file()) return file;
    const auto come = std::ranges::find_if(
        missing_, [](const std::filesystem::path& file) { return io::state_of(file).has_value(); });
    if (come != missing_.end()) return *come;
    const auto other = std::ranges::find_if(
        series_, [](const Series& before) { return listed(before.name) != before.files; });
    return other == series_.end() ? std::nullopt : std::optional(other->name);
}

void FileStates::require_unchanged() const {
    if (const auto file = changed_file())
        throw Error(ErrorKind::input, "the file changed while it was being read", file->string(),
                    "run again once no program is writing to it");
}

}  // namespace ks
