// A disk that fills up, for LD_PRELOAD: below the folder FULL_DISK_FOLDER, files together grow by at most
// FULL_DISK_BYTES; then write and its kin say ENOSPC, after a last piece that still fits, as a file system
// does. Where FULL_DISK_REPORT names a file, the end of the process writes there by how much they grew.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace {

std::mutex guard;
std::int64_t used = 0;

std::int64_t capacity() {
    const char* given = std::getenv("FULL_DISK_BYTES");
    return given == nullptr ? INT64_MAX : std::atoll(given);
}

bool is_below(int number) {
    const char* folder = std::getenv("FULL_DISK_FOLDER");
    if (folder == nullptr) return false;
    char link[64], path[PATH_MAX];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", number);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    const std::size_t size = std::strlen(folder);
    return std::strncmp(path, folder, size) == 0 && path[size] == '/';
}

/// How many of `size` bytes at `at` (-1: at the file's position) fit; 0 only where none does.
std::size_t room(int number, std::size_t size, off_t at) {
    const int kept = errno;
    struct stat file = {};
    if (size == 0 || !is_below(number) || fstat(number, &file) != 0) {
        errno = kept;
        return size;
    }
    // Not for other files: a process that is forked meanwhile would wait for ever.
    const std::lock_guard lock(guard);
    if (at < 0) at = lseek(number, 0, SEEK_CUR);
    if (at < 0) at = file.st_size;
    errno = kept;
    const std::int64_t replaced =
        std::clamp<std::int64_t>(file.st_size - at, 0, static_cast<std::int64_t>(size));
    const std::int64_t more = static_cast<std::int64_t>(size) - replaced;
    const std::int64_t fits = std::clamp<std::int64_t>(capacity() - used, 0, more);
    used += fits;
    return static_cast<std::size_t>(replaced + fits);
}

struct Report {
    ~Report() {
        const char* name = std::getenv("FULL_DISK_REPORT");
        std::FILE* file = name == nullptr ? nullptr : std::fopen(name, "w");
        if (file == nullptr) return;
        std::fprintf(file, "%lld\n", static_cast<long long>(used));
        std::fclose(file);
    }
} report;

template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

ssize_t full() {
    errno = ENOSPC;
    return -1;
}

}  // namespace

extern "C" {

ssize_t write(int number, const void* from, size_t size) {
    static auto* const next = real<ssize_t(int, const void*, size_t)>("write");
    const std::size_t fits = room(number, size, -1);
    return fits == 0 && size > 0 ? full() : next(number, from, fits);
}

ssize_t pwrite64(int number, const void* from, size_t size, off64_t at) {
    static auto* const next = real<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
    const std::size_t fits = room(number, size, at);
    return fits == 0 && size > 0 ? full() : next(number, from, fits, at);
}
ssize_t pwrite(int number, const void* from, size_t size, off_t at) {
    return pwrite64(number, from, size, at);
}

ssize_t writev(int number, const iovec* parts, int count) {
    ssize_t done = 0;
    for (int i = 0; i < count; ++i) {
        const ssize_t put = write(number, parts[i].iov_base, parts[i].iov_len);
        if (put < 0) return done > 0 ? done : put;
        done += put;
        if (static_cast<size_t>(put) < parts[i].iov_len) break;
    }
    return done;
}

int posix_fallocate(int number, off_t at, off_t size) {
    static auto* const next = real<int(int, off_t, off_t)>("posix_fallocate");
    return room(number, static_cast<size_t>(size), at) < static_cast<size_t>(size) ? ENOSPC
                                                                                   : next(number, at, size);
}

}  // extern "C"
