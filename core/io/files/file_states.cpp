#include "core/io/files/file_states.h"

#include <sys/stat.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/io/series/series.h"

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

std::optional<FileStates::State> FileStates::state_of(const std::filesystem::path& file, bool grows) {
    struct stat info = {};
    if (::stat(file.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
    return State{file,
                 static_cast<std::uint64_t>(info.st_dev),
                 static_cast<std::uint64_t>(info.st_ino),
                 static_cast<std::uint64_t>(info.st_size),
                 static_cast<std::int64_t>(info.st_mtim.tv_sec),
                 static_cast<std::int64_t>(info.st_mtim.tv_nsec),
                 grows};
}

void FileStates::add(const State& state) {
    // By path: if another file has taken its place meanwhile, that counts as a change.
    const auto [known, is_new] = index_.try_emplace(state.file.native(), states_.size());
    if (is_new)
        states_.push_back(state);
    else
        states_[known->second].grows = states_[known->second].grows || state.grows;
}

void FileStates::add(const std::filesystem::path& file, bool grows) {
    if (const std::optional<State> state = state_of(file, grows))
        add(*state);
    else if (io::is_series(file))
        add(Series{file, listed(file)});
}

void FileStates::add(const Series& series) {
    if (std::ranges::find(series_, series.name, &Series::name) == series_.end()) series_.push_back(series);
}

void FileStates::add(const FileStates& others) {
    for (const State& state : others.states_) add(state);
    for (const Series& series : others.series_) add(series);
}

std::vector<std::filesystem::path> FileStates::files() const {
    std::vector<std::filesystem::path> names;
    for (const State& state : states_) names.push_back(state.file);
    return names;
}

std::optional<std::filesystem::path> FileStates::changed_file() const {
    for (const State& before : states_) {
        const std::optional<State> now = state_of(before.file, before.grows);
        const bool same = now && now->device == before.device && now->inode == before.inode &&
                          (before.grows || (now->bytes == before.bytes && now->seconds == before.seconds &&
                                            now->nanoseconds == before.nanoseconds));
        if (!same) return before.file;
    }
    return std::nullopt;
}

std::optional<std::filesystem::path> FileStates::changed() const {
    if (auto file = changed_file()) return file;
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
