#include "core/io/files/file_stamp.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <system_error>

namespace ks::io {
namespace fs = std::filesystem;

std::optional<FileState> state_of(const fs::path& file) {
    struct stat info = {};
    if (::stat(file.c_str(), &info) != 0) return std::nullopt;
    return FileState{
        static_cast<std::uint64_t>(info.st_dev),         static_cast<std::uint64_t>(info.st_ino),
        static_cast<std::uint64_t>(info.st_size),        static_cast<std::int64_t>(info.st_mtim.tv_sec),
        static_cast<std::int64_t>(info.st_mtim.tv_nsec), S_ISREG(info.st_mode)};
}

std::string file_state(const fs::path& file) {
    const auto state = state_of(file);
    if (!state) return {};
    return fmt::format("{}@{}.{:09} of {}:{}", state->bytes, state->seconds, state->nanoseconds,
                       state->device, state->inode);
}

std::string file_stamp(const fs::path& file) {
    std::error_code ignored;
    return fs::weakly_canonical(file, ignored).string() + "|" + file_state(file);
}

}  // namespace ks::io
