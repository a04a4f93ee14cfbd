#include "gpu/runtime/driver_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <vector>

namespace ks::gpu {
namespace {

std::string from_environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

constexpr const char* cannot_write = "the driver did not compile the kernel, because it cannot write to ";

constexpr std::size_t block_bytes = std::size_t{1} << 16;
/// So many times the bytes are free: a block is enough to tell whether files can be written.
constexpr std::size_t plenty = 16;

/// 0, or the error number.
int write_some(int file, std::size_t bytes) {
    // Only what is written counts: a quota or a limit for the size of files leaves space on the disk.
    const std::vector<char> block(std::min(bytes, block_bytes));
    while (bytes > 0) {
        const ssize_t put = ::write(file, block.data(), std::min(bytes, block.size()));
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return put < 0 ? errno : ENOSPC;
        bytes -= static_cast<std::size_t>(put);
    }
    return 0;
}

}  // namespace

std::filesystem::path pocl_cache_folder() {
    if (const std::string own = from_environment(pocl_cache_variable); !own.empty()) return own;
    if (const std::string xdg = from_environment("XDG_CACHE_HOME"); !xdg.empty())
        return std::filesystem::path(xdg) / "pocl" / "kcache";
    if (const std::string home = from_environment("HOME"); !home.empty())
        return std::filesystem::path(home) / ".cache" / "pocl" / "kcache";
    return "/tmp/pocl/kcache";
}

std::string why_not_writable(const std::filesystem::path& folder, std::size_t bytes) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return failed.message();
    std::string pattern = (folder / "kernelscope-XXXXXX").string();
    const int file = ::mkostemp(pattern.data(), O_CLOEXEC);
    if (file < 0) return std::generic_category().message(errno);
    struct statvfs disk {};
    const bool has_plenty =
        ::fstatvfs(file, &disk) == 0 && disk.f_bavail > plenty * bytes / std::max(disk.f_frsize, 1UL);
    int error = write_some(file, has_plenty ? std::min(bytes, block_bytes) : bytes);
    // A file system in a network may report only now that its disk is full.
    if (::close(file) != 0 && error == 0) error = errno;
    ::unlink(pattern.c_str());
    return error == 0 ? std::string() : std::generic_category().message(error);
}

Error driver_cannot_write(const std::filesystem::path& folder, const std::string& why,
                          const std::string& source_file) {
    return {ErrorKind::run, fmt::format("{}{} ({})", cannot_write, folder.string(), why), source_file,
            fmt::format("free some space there, or set {} to a folder on another disk, and start the program "
                        "again",
                        pocl_cache_variable)};
}

bool says_that_driver_cannot_write(const Error& error) {
    return error.kind() == ErrorKind::run && error.message().starts_with(cannot_write);
}

}  // namespace ks::gpu
