#include "core/io/files/followed_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/printable.h"
#include "core/io/files/regular_file.h"
#include "core/io/files/trust_list.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr const char* trusted_folders = "KERNELSCOPE_TRUSTED_FOLDERS";
constexpr const char* folder_kind = "folders";

/// A name and the file that contains it. A master file with a thousand sources is opened several times, so
/// the same names are requested again and again.
using Asked = std::pair<fs::path::string_type, fs::path::string_type>;
using Identities = std::pair<std::optional<FileIdentity>, std::optional<FileIdentity>>;

/// What was followed and what was not.
struct Followed {
    std::mutex guard;
    bool everything = false, for_window = false;
    std::map<fs::path, std::set<fs::path>> led_by;  ///< the files that named each file
    std::map<Asked, Identities> within;             ///< names that led to a file in the same folder
    std::vector<NamedElsewhere> refused;
};
Followed& followed() {
    static Followed all;
    return all;
}

fs::path without_links(const fs::path& path) {
    std::error_code failure;
    fs::path made = fs::weakly_canonical(fs::absolute(path, failure), failure);
    return failure ? path.lexically_normal() : made;
}

/// In the root folder only files directly in it count.
bool lies_in(const fs::path& file, const fs::path& folder) {
    if (folder == folder.root_path()) return file.parent_path() == folder;
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

/// The folders of a file by its name and with links resolved, and those of the files that led to it.
void add_folders(const fs::path& file, const Followed& all, std::set<fs::path>& seen,
                 std::vector<fs::path>& folders) {
    const fs::path real = without_links(file);
    if (!seen.insert(real).second) return;
    folders.push_back(real.parent_path());
    std::error_code failure;
    folders.push_back(without_links(fs::absolute(file, failure).parent_path()));
    const auto by = all.led_by.find(real);
    if (by == all.led_by.end()) return;
    for (const fs::path& one : by->second) add_folders(one, all, seen, folders);
}

std::string pair_of(const NamedElsewhere& name) {
    return name.from.parent_path().string() + '\0' + name.named.parent_path().string();
}

bool is_in_trusted_folder(const fs::path& file) {
    const char* const set = std::getenv(trusted_folders);
    if (set == nullptr) return false;
    std::istringstream in(set);
    for (std::string folder; std::getline(in, folder, ':');)
        if (!folder.empty() && lies_in(file, without_links(folder))) return true;
    return false;
}

std::string hint_to_trust(const std::vector<std::string>& leaves, const fs::path& from, bool for_window) {
    const std::string them = joined(leaves);
    return for_window
               ? fmt::format("open {} again, and answer Yes if you trust {}", from.filename().string(), them)
               : fmt::format("use --trust if you trust {0}, or add the folder of {0} to {1}", them,
                             trusted_folders);
}

bool lies_within(const NamedElsewhere& name, const fs::path& from, const Followed& all) {
    std::set<fs::path> seen;
    std::vector<fs::path> folders;
    add_folders(from, all, seen, folders);
    return std::ranges::any_of(folders, [&](const fs::path& folder) { return lies_in(name.named, folder); });
}

}  // namespace

std::optional<FileIdentity> identity_of(const fs::path& file) {
    struct stat info = {};
    if (::stat(file.c_str(), &info) != 0) return std::nullopt;
    return FileIdentity{info.st_dev, info.st_ino, info.st_ctim.tv_sec, info.st_ctim.tv_nsec};
}

std::optional<Refusal> why_not_followed(const fs::path& named, const fs::path& from) {
    const Asked asked{named.native(), from.native()};
    const Identities now{identity_of(named), identity_of(from)};
    if (!now.first) return std::nullopt;
    Followed& all = followed();
    {
        const std::lock_guard lock(all.guard);
        const auto known = all.within.find(asked);
        if (known != all.within.end() && known->second == now) return std::nullopt;
    }
    if (const std::string kind = special_kind(named); !kind.empty())
        return Refusal{fmt::format("{} is {}, not a regular file", named.string(), kind),
                       "copy the data to a regular file and open that file"};
    const NamedElsewhere name{without_links(named), without_links(from)};
    const std::lock_guard lock(all.guard);
    const bool within = lies_within(name, from, all);
    if (within) all.within.insert_or_assign(asked, now);
    if (within || all.everything || is_in_trusted_folder(name.named) ||
        user_trust().has(folder_kind, pair_of(name))) {
        if (name.named != name.from) all.led_by[name.named].insert(name.from);
        return std::nullopt;
    }
    if (std::ranges::find(all.refused, name) == all.refused.end()) all.refused.push_back(name);
    const std::vector<std::string> leaf{name.named.filename().string()};
    return Refusal{fmt::format("{} is outside the folder of {} and was not read", name.named.string(),
                               name.from.string()),
                   hint_to_trust(leaf, name.from, all.for_window), leaf};
}

std::optional<Refusal> why_not_followed(const std::vector<fs::path>& named, const fs::path& from) {
    std::vector<Refusal> all;
    for (const fs::path& one : named)
        if (auto why = why_not_followed(one, from)) all.push_back(std::move(*why));
    if (all.empty()) return std::nullopt;
    Refusal made = all.front();
    for (std::size_t i = 1; i < all.size(); ++i) {
        made.why += "; " + all[i].why;
        made.untrusted.insert(made.untrusted.end(), all[i].untrusted.begin(), all[i].untrusted.end());
    }
    if (all.size() > 1 && !made.untrusted.empty()) {
        const bool for_window = [] {
            const std::lock_guard lock(followed().guard);
            return followed().for_window;
        }();
        made.hint = hint_to_trust(made.untrusted, without_links(from), for_window);
    }
    return made;
}

void require_followed(const fs::path& named, const fs::path& from, const std::string& where) {
    if (const auto why = why_not_followed(named, from)) throw NotFollowed(*why, where);
}

void follow_all_names() {
    Followed& all = followed();
    const std::lock_guard lock(all.guard);
    all.everything = true;
}

void advise_for_window() {
    Followed& all = followed();
    const std::lock_guard lock(all.guard);
    all.for_window = true;
}

bool follows_all_names() {
    Followed& all = followed();
    const std::lock_guard lock(all.guard);
    return all.everything;
}

void allow_following(const NamedElsewhere& name) {
    user_trust().add(folder_kind, pair_of(name));
}

std::vector<NamedElsewhere> take_not_followed() {
    Followed& all = followed();
    const std::lock_guard lock(all.guard);
    return std::exchange(all.refused, {});
}

std::vector<fs::path> followed_from(const fs::path& file) {
    Followed& all = followed();
    const std::lock_guard lock(all.guard);
    std::set<fs::path> reached{without_links(file)};
    for (bool grows = true; grows;) {
        grows = false;
        for (const auto& [named, by] : all.led_by)
            if (!reached.contains(named) &&
                std::ranges::any_of(by, [&](const fs::path& one) { return reached.contains(one); }))
                grows = reached.insert(named).second || grows;
    }
    reached.erase(without_links(file));
    return {reached.begin(), reached.end()};
}

}  // namespace ks::io
