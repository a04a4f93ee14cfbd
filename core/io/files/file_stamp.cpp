#include "core/io/files/file_stamp.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <system_error>

namespace ks::io {
namespace fs = std::filesystem;

std::string file_state(const fs::path& file) {
    struct stat info = {};
    if (::stat(file.c_str(), &info) != 0) return {};
    return fmt::format("{}@{}.{:09} of {}:{}", info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
                       info.st_dev, info.st_ino);
}

std::string file_stamp(const fs::path& file) {
    std::error_code ignored;
    return fs::weakly_canonical(file, ignored).string() + "|" + file_state(file);
}

}  // namespace ks::io
