#include "core/io/hdf5/hdf5.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "core/base/error.h"

namespace ks::io::h5 {
namespace {

using Mutex = std::recursive_timed_mutex;

Mutex& mutex() {
    static auto* const the_one = new Mutex;  // outlives every thread
    return *the_one;
}

/// The file on which HDF5 hangs; null: it does not hang.
std::atomic<const char*> hangs_in{nullptr};

thread_local int times_held = 0;

[[noreturn]] void stop_for_ever() {
    for (;;) ::pause();
}

extern "C" herr_t collect_failure(unsigned, const H5E_error2_t* error, void* lines) {
    static_cast<std::vector<std::string>*>(lines)->push_back(error->desc != nullptr ? error->desc : "");
    return 0;
}

}  // namespace

Lock::Hold::Hold(const char* file) {
    constexpr std::chrono::milliseconds patience{250};
    const bool is_held = times_held > 0;
    while (hangs_in.load() == nullptr) {
        if (!mutex().try_lock() && !mutex().try_lock_for(patience)) continue;
        if (hangs_in.load() != nullptr) {
            mutex().unlock();
            break;
        }
        ++times_held;
        return;
    }
    // A call that hung and has returned, perhaps inside a callback of HDF5, which must not throw.
    if (is_held) stop_for_ever();
    const char* const bad = hangs_in.load();
    throw Error(
        ErrorKind::input,
        fmt::format("the file cannot be accessed: HDF5 hangs in {} and cannot read or write anything else "
                    "until the program is restarted",
                    bad),
        file == nullptr ? "" : file);
}

Lock::Hold::~Hold() {
    if (hangs_in.load() != nullptr) stop_for_ever();
    --times_held;
    mutex().unlock();
}

Lock::Lock(const char* file, const char* doing) : hold_(file), call_("HDF5", file, doing) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

void give_up(const char* file) {
    const char* none = nullptr;
    hangs_in.compare_exchange_strong(none, file == nullptr ? "a file" : file);
}

const char* given_up_in() noexcept {
    return hangs_in.load();
}

Handle::~Handle() {
    if (id_ < 0) return;
    try {
        const Lock lock;
        H5Idec_ref(id_);
    } catch (const Error&) {
        // HDF5 hangs: the identifier stays open until the process ends.
    }
}

Handle Handle::share() const {
    const Lock lock;
    if (id_ >= 0) H5Iinc_ref(id_);
    return Handle(id_);
}

std::string last_failure() {
    std::vector<std::string> lines;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect_failure, &lines);
    return lines.empty() ? std::string() : lines.front();
}

bool is_dataset(hid_t object) {
    const Lock lock;
    return H5Iget_type(object) == H5I_DATASET;
}

bool is_group(hid_t object) {
    const Lock lock;
    return H5Iget_type(object) == H5I_GROUP;
}

std::string file_of(hid_t object) {
    const Lock lock;
    const ssize_t length = H5Fget_name(object, nullptr, 0);
    if (length <= 0) return {};
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    H5Fget_name(object, name.data(), name.size());
    name.pop_back();
    return name;
}

std::optional<std::string> link_target(hid_t group, const std::string& name) {
    const std::optional<LinkTarget> target = target_of(group, name);
    return target ? std::optional(target->to_string()) : std::nullopt;
}

std::string object_id(hid_t object) {
    const Lock lock;
#if H5_VERSION_GE(1, 12, 0)
    H5O_info1_t info;
#else
    H5O_info_t info;
#endif
    if (H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0) return {};
    return fmt::format("{}:{}", info.fileno, info.addr);
}

bool exists(hid_t file, const std::string& path) {
    const Lock lock;
    Handle at(H5Oopen(file, "/", H5P_DEFAULT));
    for (std::size_t begin = path.find_first_not_of('/'); begin < path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string part = path.substr(begin, end - begin);
        if (!at.valid() || !is_group(at) || H5Lexists(at, part.c_str(), H5P_DEFAULT) <= 0) return false;
        begin = path.find_first_not_of('/', end);
        if (begin < path.size()) at = follow(at, part);
    }
    return true;
}

}  // namespace ks::io::h5
