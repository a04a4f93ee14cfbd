#include "core/io/files/same_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <system_error>

namespace ks::io {
namespace fs = std::filesystem;

fs::path end_of_links(const fs::path& path) {
    constexpr int most_links = 40;  // the limit of Linux
    fs::path end = path;
    std::error_code failure;
    for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(end, failure)); ++i) {
        const fs::path target = fs::read_symlink(end, failure);
        if (failure) return end;
        end = target.is_absolute() ? target : end.parent_path() / target;
    }
    return end;
}

std::string file_key(const fs::path& path) {
    struct stat info = {};
    if (::stat(path.c_str(), &info) == 0) return fmt::format("{}:{}", info.st_dev, info.st_ino);
    const fs::path end = end_of_links(path);
    const fs::path folder = end.has_parent_path() ? end.parent_path() : fs::path(".");
    if (::stat(folder.c_str(), &info) == 0)
        return fmt::format("{}:{}/{}", info.st_dev, info.st_ino, end.filename().string());
    std::error_code failure;
    return fs::weakly_canonical(end, failure).string();
}

bool is_same_file(const fs::path& one, const fs::path& other) {
    return !one.empty() && !other.empty() && file_key(one) == file_key(other);
}

}  // namespace ks::io
