#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/io/files/followed_files.h"
#include "core/io/files/regular_file.h"
#include "core/io/hdf5/filters.h"
#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/hdf5_links.h"
#include "core/io/hdf5/named/named_files.h"

namespace ks::io::h5 {
namespace fs = std::filesystem;
namespace {

/// For links that lead to each other, an error names at most this many, the limit of HDF5.
constexpr std::size_t most_links = 16;

Handle open_linked(const Handle& file, const std::string& file_name, const std::string& path,
                   std::size_t links);

/// True once a file has been opened without a lock; guarded by the Lock.
bool without_lock = false;

Error not_there(const fs::path& file, std::string message, std::string hint = {}) {
    return Error(ErrorKind::input, std::move(message), file.string(), std::move(hint));
}

bool tells(const std::string& failure, const char* words) {
    return failure.find(words) != std::string::npos;
}

/// HDF5's message for a lock that it could not get, with the system's error number.
bool lock_failed(const std::string& failure) {
    return tells(failure, "unable to lock file");
}
bool lock_is_held(const std::string& failure) {
    return lock_failed(failure) && (tells(failure, fmt::format("errno = {},", EAGAIN).c_str()) ||
                                    tells(failure, fmt::format("errno = {},", EWOULDBLOCK).c_str()));
}

#if H5_VERSION_GE(1, 12, 1) || (H5_VERS_MAJOR == 1 && H5_VERS_MINOR == 10 && H5_VERS_RELEASE >= 7)
void lock_files(hid_t access, bool on) {
    H5Pset_file_locking(access, on ? 1 : 0, 1);
}
#else
void lock_files(hid_t, bool) {}
#endif

/// Why the object last passed to follow() was not opened, if that was a matter of what may be read; guarded
/// by the Lock.
std::optional<Refusal> refusal;

/// Called by HDF5 before it follows any external link on its way to an object.
extern "C" herr_t may_follow_link(const char* master, const char*, const char* file, const char*, unsigned*,
                                  hid_t, void*) try {
    refusal = why_not_opened(NameKind::external_link, file, master);
    return refusal ? -1 : 0;
} catch (const std::exception&) {
    return -1;
}

/// How the file behind an external link is opened; without flags, like the file with the link.
hid_t link_access(std::optional<unsigned> flags, bool with_lock) {
    const hid_t list = H5Pcreate(H5P_LINK_ACCESS);
    if (flags) H5Pset_elink_acc_flags(list, *flags);
    H5Pset_elink_cb(list, may_follow_link, nullptr);
    const Handle file(H5Pcreate(H5P_FILE_ACCESS));
    lock_files(file, with_lock);
    if (!with_lock) H5Pset_elink_fapl(list, file);
    return list;
}

/// A file, or why it did not open. HDF5 forgets its failure on its next call, even on closing
/// a property list.
struct Attempt {
    Handle file;
    std::string failure;
};
Attempt attempt(const fs::path& file, Reading reading, bool with_lock) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS));
    if (!with_lock) lock_files(access, false);
    const unsigned flags = H5F_ACC_RDONLY | (reading == Reading::swmr ? H5F_ACC_SWMR_READ : 0U);
    Handle opened(H5Fopen(file.c_str(), flags, access));
    std::string failure = opened.valid() ? "" : last_failure();
    return {std::move(opened), std::move(failure)};
}

/// Translates HDF5's message `why` into an error about the file.
Error unopened(const fs::path& file, const std::string& why) {
    std::error_code failure;
    if (lock_is_held(why))
        return not_there(file, "another program has the HDF5 file open for writing",
                         "wait until that program closes the file");
    if (lock_failed(why))
        return not_there(file, "the HDF5 file cannot be locked: " + why, "set HDF5_USE_FILE_LOCKING=FALSE");
    if (tells(why, "flag not the same"))
        return not_there(file,
                         "another program is still writing a part of the HDF5 file, but the file is already "
                         "open here in the mode for finished files",
                         "close the file here first");
    if (tells(why, "truncated"))
        return not_there(
            file,
            fmt::format("the HDF5 file is truncated: it has only {} bytes", fs::file_size(file, failure)),
            "copy it again");
    if (tells(why, "already open for"))
        return not_there(file, "the HDF5 file was not closed by the program that wrote it",
                         "if no program has it open any more, \"h5clear -s FILE\" of hdf5-tools repairs it");
    return not_there(file, "the HDF5 file is damaged or truncated: " + why);
}

/// The folder of the file that contains an object.
fs::path folder_of(hid_t object) {
    std::string name(4096, '\0');
    const ssize_t length = H5Fget_name(object, name.data(), name.size());
    name.resize(length > 0 ? std::min(name.size() - 1, static_cast<std::size_t>(length)) : 0);
    return fs::path(name).parent_path();
}

/// Why the link `name` of `group` cannot be followed, after HDF5 failed with `why`.
/// @param links number of links that were followed to get there
Error dangling(hid_t group, const std::string& name, const std::string& why, const std::string& where,
               std::size_t links) {
    const std::optional<LinkTarget> target = target_of(group, name);
    if (!target) return Error(ErrorKind::input, "the object is damaged: " + why, where);
    const std::string shown = target->to_string();
    if (tells(why, "too many links") || links == most_links)
        return Error(
            ErrorKind::input,
            fmt::format("the link leads to {}, and from there through more than {} links", shown, most_links),
            where, "check for links that lead to each other");
    if (!target->file)
        return Error(ErrorKind::input, "the link leads to " + shown + ", which does not exist", where);
    const fs::path file = folder_of(group) / *target->file;
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return Error(
            ErrorKind::input,
            fmt::format("the external link leads to {}, but the file {} is missing", shown, *target->file),
            where, "copy the missing file next to the file that contains the link");
    std::string cause;
    try {
        const Handle opened = open_file(file);
        open_linked(opened, file.string(), target->object, links + 1);
        cause = why;
    } catch (const Error& error) {
        cause = error.message();
    }
    return Error(ErrorKind::input,
                 fmt::format("the external link leads to {}, which cannot be opened: {}", shown, cause),
                 where);
}

/// open_object() for a path reached through `links` links.
Handle open_linked(const Handle& file, const std::string& file_name, const std::string& path,
                   std::size_t links) {
    const Lock lock;
    Handle at(H5Oopen(file, "/", H5P_DEFAULT));
    if (!at.valid())
        throw Error(ErrorKind::input, "the HDF5 file has no readable root: " + last_failure(), file_name);
    std::string done;
    std::size_t begin = 0;
    while (begin < path.size()) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string part = path.substr(begin, end - begin);
        begin = end + 1;
        if (part.empty()) continue;
        const std::string where = file_name + "::" + done + "/" + part;
        if (!is_group(at))
            throw Error(ErrorKind::input, "there is no such object: " + done + " is a dataset", where);
        if (H5Lexists(at, part.c_str(), H5P_DEFAULT) <= 0) {
            std::vector<std::string> there = names_in(at);
            const std::string group = done.empty() ? "/" : done;
            throw Error(ErrorKind::input, "there is no such object", where,
                        there.empty() ? group + " is empty" : group + " contains " + listed(there));
        }
        Handle next = follow(at, part);
        if (!next.valid() && refusal) throw NotFollowed(*refusal, where);
        if (!next.valid()) throw dangling(at, part, last_failure(), where, links);
        at = std::move(next);
        done += "/" + part;
    }
    return at;
}

}  // namespace

std::string LinkTarget::to_string() const {
    return file ? *file + "::" + object : object;
}

bool has_no_locks(const fs::path& file) {
    if (const char* set = std::getenv("HDF5_USE_FILE_LOCKING"); set != nullptr && std::string(set) == "FALSE")
        return false;
    const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return false;
    const bool locked = ::flock(opened, LOCK_SH | LOCK_NB) == 0;
    // HDF5 itself does without if the call does not exist
    const bool refused = !locked && errno != EWOULDBLOCK && errno != EINTR && errno != ENOSYS;
    ::close(opened);
    return refused;
}

bool is_swmr(hid_t object) {
    const Lock lock;
    const Handle file(H5Iget_file_id(object));
    unsigned intent = 0;
    return file.valid() && H5Fget_intent(file, &intent) >= 0 && (intent & H5F_ACC_SWMR_READ) != 0;
}

Handle open_file(const fs::path& file, Reading reading) {
    require_regular(file, "an HDF5 file");
    std::error_code failure;
    if (fs::file_size(file, failure) == 0)
        throw not_there(file, "expected an HDF5 file, found an empty file");
    const Lock lock(kept_name(file.string()));
    add_plugin_folder();
    add_zstd_filter();
    if (H5Fis_hdf5(file.c_str()) == 0) throw not_there(file, "not an HDF5 file");
    bool with_lock = true;
    while (true) {
        auto [opened, why] = attempt(file, reading, with_lock);
        without_lock = without_lock || (opened.valid() && !with_lock);
        if (opened.valid()) return std::move(opened);
        if (with_lock && lock_failed(why) && !lock_is_held(why))
            with_lock = false;  // the file system has no locks
        else if (reading == Reading::ordinary && tells(why, "already open for write"))
            reading = Reading::swmr;
        else
            throw unopened(file, why);
    }
}

Handle follow(hid_t group, const std::string& name) {
    const Lock lock;
    // HDF5 opens a linked file in the mode of the file with the link, but a file that is still being written
    // can only be opened for SWMR reading. These lists are never closed: closing one would make HDF5 forget
    // why the link cannot be followed.
    static const hid_t usual = link_access(std::nullopt, true);
    static const hid_t swmr = link_access(H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, true);
    static const hid_t no_lock = link_access(H5F_ACC_RDONLY, false);
    refusal.reset();
    Handle object;
    for (const hid_t access : {usual, swmr, no_lock}) {
        if (access == no_lock && !without_lock) break;
        object = Handle(H5Oopen(group, name.c_str(), access));
        if (object.valid() || refusal) break;
    }
    if (!object.valid() || !is_dataset(object)) return object;
    refusal = why_not_used(object);
    return refusal ? Handle() : std::move(object);
}

Handle open_object(const Handle& file, const std::string& file_name, const std::string& path) {
    return open_linked(file, file_name, path, 0);
}

Handle open_dataset(const Handle& file, const std::string& file_name, const std::string& path) {
    const Lock lock;
    Handle object = open_object(file, file_name, path);
    if (!is_dataset(object))
        throw Error(ErrorKind::input, "expected a dataset, found a group", file_name + "::" + path);
    return object;
}

std::optional<LinkTarget> target_of(hid_t group, const std::string& name) {
    const Lock lock;
    H5L_info_t info;
    if (H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT) < 0 || info.type == H5L_TYPE_HARD)
        return std::nullopt;
    std::string value(info.u.val_size + 1, '\0');
    if (H5Lget_val(group, name.c_str(), value.data(), value.size(), H5P_DEFAULT) < 0) return std::nullopt;
    if (info.type != H5L_TYPE_EXTERNAL) return LinkTarget{std::nullopt, value.c_str()};
    const char *file = nullptr, *object = nullptr;
    unsigned flags = 0;
    if (H5Lunpack_elink_val(value.data(), info.u.val_size, &flags, &file, &object) < 0) return std::nullopt;
    std::string inside = object;
    // "//data" is a common way to write "/data"
    while (inside.starts_with("//")) inside.erase(0, 1);
    return LinkTarget{file, inside};
}

}  // namespace ks::io::h5
