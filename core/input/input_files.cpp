#include "core/input/input_files.h"

#include <fmt/format.h>

#include <deque>
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

/// See way_to(): files of a series lead nowhere else.
std::optional<std::string> way_in_series(const fs::path& name, const fs::path& file) {
    try {
        for (const fs::path& one : files_named(name))
            if (is_same_file(one, file)) return std::string();
    } catch (const Error&) {
        // Reading the series will report why it fails.
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> way_to(const std::string& name, const fs::path& file) {
    const fs::path start = DataName::parse(name).file;
    std::error_code failure;
    if (is_series(start)) return way_in_series(start, file);
    if (!fs::exists(start, failure) || !fs::exists(file, failure)) return std::nullopt;
    if (fs::equivalent(start, file, failure)) return std::string();
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
            if (fs::equivalent(*found, file, failure)) return through;
            if (known.insert(fs::weakly_canonical(*found, failure)).second)
                open.emplace_back(*found, through);
        }
    }
    return std::nullopt;
}

void require_not_read(const std::string& by, const fs::path& output,
                      const std::map<std::string, std::string>& inputs) {
    std::error_code failure;
    if (!fs::exists(output, failure)) return;
    for (const auto& [role, name] : inputs) {
        if (name.empty()) continue;
        const std::optional<std::string> way = way_to(name, output);
        if (!way) continue;
        std::string message = fmt::format("{} would replace a file that is read as {}", by, role);
        if (!way->empty()) message += fmt::format(", because {} leads to it", *way);
        throw Error(ErrorKind::input, message, output.string(), "choose another name");
    }
}

void require_not_read(const std::string& by, const fs::path& output, const Request& request) {
    std::map<std::string, std::string> inputs;
    for (const auto& [role, input] : request.inputs) inputs[role] = input.name;
    require_not_read(by, output, inputs);
}

}  // namespace ks::io
