#include "core/io/files/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/hash.h"
#include "core/io/files/same_file.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

std::string reason() {
    return std::strerror(errno);
}

Error exists_already(const fs::path& path) {
    return Error(ErrorKind::input, "the file already exists", path.string(),
                 "allow overwriting, or choose another name");
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

void sync_folder(const fs::path& folder) {
    const int number = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (number < 0) return;
    // Some file systems do not support it; the file itself is safely on disk by now.
    (void)::fsync(number);
    ::close(number);
}

/// The temporary files of this process.
struct Unfinished {
    std::timed_mutex guard;
    std::set<fs::path> files;
};
Unfinished& unfinished() {
    static auto* const the_one = new Unfinished;  // outlives every thread
    return *the_one;
}

/// The prefix of a file's temporary files; "PROCESS-NUMBER.part" follows.
std::string beginning_for(const fs::path& path) {
    constexpr std::size_t longest = 180, kept = 120;  // names have at most 255 bytes
    const std::string name = path.filename().string();
    if (name.size() <= longest) return ".kernelscope-" + name + "-";
    return fmt::format(".kernelscope-{}-{}-", name.substr(0, kept), hash_text(hash_of(name)));
}

bool is_number(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_temporary(std::string_view name, std::string_view beginning) {
    constexpr std::string_view ending = ".part";
    if (!name.starts_with(beginning) || !name.ends_with(ending)) return false;
    name.remove_prefix(beginning.size());
    if (name.size() < ending.size()) return false;
    name.remove_suffix(ending.size());
    const std::size_t dash = name.find('-');
    return dash != std::string_view::npos && is_number(name.substr(0, dash)) &&
           is_number(name.substr(dash + 1));
}

/// Locks the whole file as long as it is open. Such a lock belongs to the open file, not to the process, and
/// is of a kind that HDF5 does not use. @return false on failure (errno)
bool lock_whole(int number) {
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return ::fcntl(number, F_OFD_SETLK, &whole) == 0;
}

/// Removes temporary files of killed processes: a live process holds a lock.
void remove_left(const fs::path& path) {
    const std::string beginning = beginning_for(path);
    std::error_code failure;
    for (fs::directory_iterator at(folder_of(path), failure), end; !failure && at != end;
         at.increment(failure)) {
        if (!is_temporary(at->path().filename().string(), beginning)) continue;
        const int number = ::open(at->path().c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (number < 0) continue;
        if (lock_whole(number)) ::unlink(at->path().c_str());
        ::close(number);
    }
}

}  // namespace

Error not_written(const fs::path& shown, int reason) {
    struct Row {
        int reason;
        const char* text;
    };
    static constexpr Row rows[] = {{ENOSPC, "no space left on the device"},
                                   {EDQUOT, "the disk quota is exceeded"},
                                   {EFBIG, "it would exceed the maximum file size"},
                                   {EIO, "the device reported an input/output error"},
                                   {EROFS, "the file system is read-only"}};
    std::string text = std::strerror(reason);
    for (const Row& row : rows)
        if (row.reason == reason) text = row.text;
    return Error(ErrorKind::run, "the file could not be written: " + text, shown.string());
}

AtomicFile::AtomicFile(fs::path path, bool overwrite)
    : shown_(path), path_(std::move(path)), overwrite_(overwrite) {
    std::error_code failure;
    if (path_.filename().empty())
        throw Error(ErrorKind::input, "expected the name of a file to write", shown_.string());
    // A link remains a link: its target is written or replaced.
    path_ = end_of_links(path_);
    const fs::path folder = folder_of(path_);
    const fs::file_status parent = fs::status(folder, failure);
    if (!fs::exists(parent))
        throw Error(ErrorKind::input, "the folder " + folder.string() + " does not exist", shown_.string());
    if (!fs::is_directory(parent))
        throw Error(ErrorKind::input, folder.string() + " is not a folder", shown_.string());
    const fs::file_status there = fs::status(path_, failure);
    if (fs::exists(there)) {
        if (!fs::is_regular_file(there))
            throw Error(ErrorKind::input,
                        fs::is_directory(there) ? "expected the name of a file to write, found a folder"
                                                : "expected a regular file to write, found something else",
                        shown_.string());
        if (!overwrite_) throw exists_already(shown_);
    }
    remove_left(path_);
    create_temporary();
    struct stat old = {};
    if (fs::exists(there) && ::stat(path_.c_str(), &old) == 0) (void)!::fchmod(number_, old.st_mode & 07777);
}

void AtomicFile::create_temporary() {
    static std::atomic<unsigned> next{0};
    const fs::path folder = folder_of(path_);
    const std::string beginning = beginning_for(path_);
    const std::lock_guard lock(unfinished().guard);
    for (;;) {
        temporary_ = folder / fmt::format("{}{}-{}.part", beginning, ::getpid(), next++);
        number_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (number_ < 0 && errno == EEXIST) continue;  // left by an earlier process with this number
        if (number_ < 0) {
            if (errno == ENOSPC || errno == EDQUOT || errno == EIO) throw not_written(shown_, errno);
            const std::string why = reason();
            throw Error(ErrorKind::input, "the folder " + folder.string() + " cannot be written to: " + why,
                        shown_.string());
        }
        // Before it was locked, another process may have removed it as left over.
        struct stat made = {};
        const bool lost = !lock_whole(number_) && (errno == EAGAIN || errno == EACCES);
        if (!lost && ::fstat(number_, &made) == 0 && made.st_nlink > 0) break;
        ::close(number_);
    }
    unfinished().files.insert(temporary_);
}

AtomicFile::~AtomicFile() {
    const std::lock_guard lock(unfinished().guard);
    if (number_ >= 0) ::close(number_);
    if (!committed_) ::unlink(temporary_.c_str());
    unfinished().files.erase(temporary_);
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(number_, bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) throw not_written(shown_, put < 0 ? errno : ENOSPC);
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
}

void AtomicFile::commit() {
    commit(Progress());
}

void AtomicFile::commit(const Progress& progress) {
    if (committed_) throw Error(ErrorKind::run, "the file was committed twice", path_.string());
    if (::fsync(number_) != 0) throw not_written(shown_, errno);
    progress.check();  // syncing may have taken a while
    const bool moved =
        overwrite_ ? ::rename(temporary_.c_str(), path_.c_str()) == 0 : rename_new(temporary_, path_);
    if (!moved) {
        if (errno == EEXIST) throw exists_already(path_);
        if (errno == ENOSPC || errno == EDQUOT || errno == EIO) throw not_written(shown_, errno);
        throw Error(ErrorKind::run, "the finished file cannot be renamed: " + reason(), path_.string());
    }
    committed_ = true;
    ::close(std::exchange(number_, -1));
    sync_folder(folder_of(path_));
}

void remove_unfinished() {
    // The thread that holds it may be the one that hangs or crashed.
    constexpr std::chrono::milliseconds patience{200};
    const std::unique_lock lock(unfinished().guard, patience);
    for (const fs::path& file : unfinished().files) ::unlink(file.c_str());
}

void require_writable(const fs::path& path, bool overwrite) {
    const AtomicFile probe(path, overwrite);
}

void write_text(const fs::path& path, std::string_view text, bool overwrite) {
    Progress quiet;
    write_text(path, text, overwrite, quiet);
}

void write_text(const fs::path& path, std::string_view text, bool overwrite, Progress& progress) {
    constexpr std::size_t piece = std::size_t{8} << 20;
    AtomicFile file(path, overwrite);
    for (; !text.empty() && !progress.cancelled(); text.remove_prefix(std::min(piece, text.size())))
        file.write(text.substr(0, piece));
    progress.check();
    file.commit(progress);
}

}  // namespace ks::io
