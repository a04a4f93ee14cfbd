#include "core/io/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "core/run/error.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

std::string reason() {
    return std::strerror(errno);
}

Error exists_already(const fs::path& path) {
    return Error(ErrorKind::input, "the file exists already", path.string(),
                 "allow it to be overwritten, or choose another name");
}

/// Writes the file's or folder's data to the disk. @return false on failure (errno)
bool sync(const fs::path& path, int flags) {
    const int number = ::open(path.c_str(), flags | O_CLOEXEC);
    if (number < 0) return false;
    const bool done = ::fsync(number) == 0;
    const int kept = errno;
    ::close(number);
    errno = kept;
    return done;
}

/// Renames without replacing. @return false on failure (errno; EEXIST where `to` exists)
bool rename_new(const fs::path& from, const fs::path& to) {
#ifdef RENAME_NOREPLACE
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
    if (errno != ENOSYS && errno != EINVAL) return false;
#endif
    if (::link(from.c_str(), to.c_str()) != 0) return false;
    ::unlink(from.c_str());
    return true;
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

}  // namespace

AtomicFile::AtomicFile(fs::path path, bool overwrite) : path_(std::move(path)), overwrite_(overwrite) {
    std::error_code failure;
    if (path_.filename().empty())
        throw Error(ErrorKind::input, "expected the name of a file to write", path_.string());
    const fs::path folder = folder_of(path_);
    const fs::file_status parent = fs::status(folder, failure);
    if (!fs::exists(parent))
        throw Error(ErrorKind::input, "the folder " + folder.string() + " does not exist", path_.string());
    if (!fs::is_directory(parent))
        throw Error(ErrorKind::input, folder.string() + " is not a folder", path_.string());
    const fs::file_status there = fs::status(path_, failure);
    if (fs::exists(there)) {
        if (!fs::is_regular_file(there))
            throw Error(ErrorKind::input,
                        fs::is_directory(there) ? "expected the name of a file to write, found a folder"
                                                : "expected a regular file to write, found something else",
                        path_.string());
        if (!overwrite_) throw exists_already(path_);
        // A link keeps being a link: what it leads to is replaced.
        if (fs::is_symlink(fs::symlink_status(path_, failure))) path_ = fs::canonical(path_, failure);
    }
    static std::atomic<unsigned> next{0};
    temporary_ = folder_of(path_) / fmt::format(".kernelscope-{}-{}.part", ::getpid(), next++);
    const int number = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number < 0) {
        const std::string why = reason();
        throw Error(ErrorKind::input, "the folder " + folder.string() + " cannot be written to: " + why,
                    path_.string());
    }
    struct stat old = {};
    if (fs::exists(there) && ::stat(path_.c_str(), &old) == 0) (void)!::fchmod(number, old.st_mode & 07777);
    ::close(number);
}

AtomicFile::~AtomicFile() {
    if (!committed_) ::unlink(temporary_.c_str());
}

void AtomicFile::commit() {
    commit(Progress());
}

void AtomicFile::commit(const Progress& progress) {
    if (committed_) throw Error(ErrorKind::run, "the file was committed twice", path_.string());
    if (!sync(temporary_, O_RDONLY))
        throw Error(ErrorKind::run, "the file cannot be written to the disk: " + reason(), path_.string());
    progress.check();  // syncing may have taken long
    const bool moved =
        overwrite_ ? ::rename(temporary_.c_str(), path_.c_str()) == 0 : rename_new(temporary_, path_);
    if (!moved) {
        if (errno == EEXIST) throw exists_already(path_);
        throw Error(ErrorKind::run, "the finished file cannot be given its name: " + reason(),
                    path_.string());
    }
    committed_ = true;
    // Some file systems cannot sync a folder; the file itself is safe by now.
    (void)sync(folder_of(path_), O_RDONLY | O_DIRECTORY);
}

void require_writable(const fs::path& path, bool overwrite) {
    const AtomicFile probe(path, overwrite);
}

void write_text(const fs::path& path, const std::string& text, bool overwrite) {
    Progress quiet;
    write_text(path, text, overwrite, quiet);
}

void write_text(const fs::path& path, const std::string& text, bool overwrite, Progress& progress) {
    constexpr std::size_t piece = std::size_t{8} << 20;
    AtomicFile file(path, overwrite);
    std::FILE* out = std::fopen(file.temporary().c_str(), "wb");
    bool good = out != nullptr;
    for (std::size_t at = 0; good && at < text.size() && !progress.cancelled(); at += piece) {
        const std::size_t size = std::min(piece, text.size() - at);
        good = std::fwrite(text.data() + at, 1, size, out) == size;
    }
    if (out != nullptr) good = std::fclose(out) == 0 && good;
    if (!good) throw Error(ErrorKind::run, "writing failed: " + reason(), path.string());
    progress.check();
    file.commit(progress);
}

}  // namespace ks::io
