#include "core/io/files/file_states.h"

#include <sys/stat.h>

#include "core/base/error.h"

namespace ks {

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
    if (const std::optional<State> state = state_of(file, grows)) add(*state);
}

void FileStates::add(const FileStates& others) {
    for (const State& state : others.states_) add(state);
}

std::vector<std::filesystem::path> FileStates::files() const {
    std::vector<std::filesystem::path> names;
    for (const State& state : states_) names.push_back(state.file);
    return names;
}

std::optional<std::filesystem::path> FileStates::changed() const {
    for (const State& before : states_) {
        const std::optional<State> now = state_of(before.file, before.grows);
        const bool same = now && now->device == before.device && now->inode == before.inode &&
                          (before.grows || (now->bytes == before.bytes && now->seconds == before.seconds &&
                                            now->nanoseconds == before.nanoseconds));
        if (!same) return before.file;
    }
    return std::nullopt;
}

void FileStates::require_unchanged() const {
    if (const auto file = changed())
        throw Error(ErrorKind::input, "the file changed while it was being read", file->string(),
                    "run again once no program is writing to it");
}

}  // namespace ks
