#include "core/input/input_files.h"

#include <fmt/format.h>

#include <deque>
#include <functional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/files/same_file.h"
#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/hdf5_format.h"
#include "core/io/hdf5/named/named_files.h"
#include "core/io/open_frames.h"
#include "core/io/series/series.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

/// A file named by an object of another file.
struct Named {
    std::string file, by;  ///< by: the object's path
    NameKind kind;
};

extern "C" herr_t add_files_of_link(hid_t group, const char* name, const H5L_info_t* link, void* list) try {
    auto& all = *static_cast<std::vector<Named>*>(list);
    const std::string path = std::string("/") + name;
    if (link->type == H5L_TYPE_EXTERNAL) {
        if (const auto target = h5::target_of(group, name); target && target->file)
            all.push_back({*target->file, path, NameKind::external_link});
    } else if (link->type == H5L_TYPE_HARD) {
        const h5::Handle object(H5Oopen(group, name, H5P_DEFAULT));
        if (object.valid() && h5::is_dataset(object))
            for_each_name(object, [&](NameKind kind, const std::string& file) {
                all.push_back({file, path, kind});
            });
    }
    return 0;
} catch (const std::exception&) {
    return -1;
}

/// All files that the objects of an HDF5 file refer to; none for other formats.
std::vector<Named> named_in(const fs::path& file) {
    std::vector<Named> all;
    if (std::error_code failure; !fs::is_regular_file(file, failure) || !is_hdf5(file)) return all;
    const h5::Lock lock(kept_name(file.string()));
    if (H5Fis_hdf5(file.c_str()) <= 0) return all;
    try {
        const h5::Handle opened = h5::open_file(file);
        H5Lvisit(opened, H5_INDEX_NAME, H5_ITER_NATIVE, add_files_of_link, &all);
    } catch (const Error&) {
        // Reading the file will report why it fails.
    }
    return all;
}

/// What for_each_file() calls with a file and the way to it, as of way_to(). False: no further file is
/// wanted.
using Visit = std::function<bool(const fs::path& file, const std::string& way)>;

/// Files of a series lead nowhere else.
void for_each_in_series(const fs::path& name, const Visit& visit) {
    try {
        for (const fs::path& one : files_named(name))
            if (!visit(one, {})) return;
    } catch (const Error&) {
        // Reading the series will report why it fails.
    }
}

/// Visits each existing file that reading an input leads to, the nearest first.
void for_each_file(const std::string& name, const Visit& visit) {
    const fs::path start = DataName::parse(name).file;
    std::error_code failure;
    if (is_series(start)) return for_each_in_series(start, visit);
    if (!fs::exists(start, failure) || !visit(start, {})) return;
    // Files still to be searched, and the path in the first file that leads to them.
    std::deque<std::pair<fs::path, std::string>> open{{start, {}}};
    std::set<fs::path> known{fs::weakly_canonical(start, failure)};
    while (!open.empty()) {
        const auto [master, way] = std::move(open.front());
        open.pop_front();
        for (const Named& named : named_in(master)) {
            const std::optional<fs::path> found = file_named(named.kind, named.file, master);
            if (!found) continue;
            const std::string through = way.empty() ? start.string() + "::" + named.by : way;
            if (!visit(*found, through)) return;
            if (known.insert(fs::weakly_canonical(*found, failure)).second)
                open.emplace_back(*found, through);
        }
    }
}

}  // namespace

std::optional<std::string> way_to(const std::string& name, const fs::path& file) {
    std::optional<std::string> found;
    std::error_code failure;
    if (!fs::exists(file, failure)) return found;
    const std::string key = file_key(file);
    for_each_file(name, [&](const fs::path& one, const std::string& way) {
        if (file_key(one) == key) found = way;
        return !found;
    });
    return found;
}

void FilesRead::find() const {
    files_.emplace();
    std::set<std::string> searched;
    for (const auto& [role, name] : names_) {
        if (name.empty()) continue;
        const std::string start = file_key(DataName::parse(name).file);
        // Several objects of one file, and a file under several names, are searched once.
        if (!searched.insert(start).second) continue;
        if (const auto met = files_->find(start); met != files_->end()) {
            // The name of a file says more than what leads to it.
            if (!met->second.way.empty()) met->second = {role, {}};
            continue;
        }
        for_each_file(name, [&, &role = role](const fs::path& file, const std::string& way) {
            files_->emplace(file_key(file), Use{role, way});
            return true;
        });
    }
}

void FilesRead::require_not(const std::string& by, const fs::path& output) const {
    std::error_code failure;
    if (!fs::exists(output, failure)) return;
    if (!files_) find();
    const auto found = files_->find(file_key(output));
    if (found == files_->end()) return;
    const Use& use = found->second;
    std::string message = fmt::format("{} would replace a file that is read as {}", by, use.role);
    if (!use.way.empty()) message += fmt::format(", because {} leads to it", use.way);
    throw Error(ErrorKind::input, message, output.string(), "choose another name");
}

void require_not_read(const std::string& by, const fs::path& output, const NamesRead& names) {
    FilesRead(names).require_not(by, output);
}

}  // namespace ks::io
