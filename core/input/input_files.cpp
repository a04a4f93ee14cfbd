#include "core/input/input_files.h"

#include <fmt/format.h>

#include <cstdlib>
#include <deque>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/virtual_mapping.h"
#include "core/io/open_frames.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

/// Files as objects of a file name them, and where HDF5 looks for them.
enum class Kind { external_link, virtual_source, raw };
struct Named {
    std::string file, by;  ///< by: the object's path
    Kind kind;
};

const char* prefix_variable(Kind kind) {
    switch (kind) {
        case Kind::external_link:
            return "HDF5_EXT_PREFIX";
        case Kind::virtual_source:
            return "HDF5_VDS_PREFIX";
        case Kind::raw:
            break;
    }
    return "HDF5_EXTFILE_PREFIX";
}

/// The first of the places where HDF5 looks that has such a file.
std::optional<fs::path> find(const Named& named, const fs::path& master) {
    const fs::path written = named.file;
    const fs::path relative = written.is_absolute() ? written.filename() : written;
    std::error_code ignored;
    const fs::path folder = fs::absolute(master, ignored).parent_path();
    std::vector<fs::path> places;
    if (written.is_absolute()) places.push_back(written);
    if (const char* prefixes = std::getenv(prefix_variable(named.kind))) {
        std::istringstream in(prefixes);
        for (std::string prefix; std::getline(in, prefix, ':');) {
            if (prefix.starts_with("${ORIGIN}")) prefix = folder.string() + prefix.substr(9);
            places.push_back(fs::path(prefix) / relative);
        }
    }
    if (named.kind != Kind::raw) {
        places.push_back(folder / relative);
        places.push_back(fs::weakly_canonical(master, ignored).parent_path() / relative);
    }
    places.push_back(relative);
    for (const fs::path& place : places)
        if (fs::exists(place, ignored)) return place;
    return std::nullopt;
}

void add_files_of_dataset(hid_t dataset, const std::string& path, std::vector<Named>& all) {
    const h5::Handle properties(H5Dget_create_plist(dataset));
    if (!properties.valid()) return;
    for (int i = 0; i < H5Pget_external_count(properties); ++i) {
        std::string name(4096, '\0');
        off_t offset = 0;
        hsize_t size = 0;
        const auto index = static_cast<unsigned>(i);
        if (H5Pget_external(properties, index, name.size() - 1, name.data(), &offset, &size) < 0) continue;
        all.push_back({name.c_str(), path, Kind::raw});
    }
    if (H5Pget_layout(properties) != H5D_VIRTUAL) return;
    for (const VirtualMapping& mapping : virtual_mappings(properties, h5::shape_of(dataset)))
        if (mapping.file != ".") all.push_back({mapping.file, path, Kind::virtual_source});
}

extern "C" herr_t add_files_of_link(hid_t group, const char* name, const H5L_info_t* link, void* list) try {
    auto& all = *static_cast<std::vector<Named>*>(list);
    const std::string path = std::string("/") + name;
    if (link->type == H5L_TYPE_EXTERNAL) {
        if (const auto target = h5::target_of(group, name); target && target->file)
            all.push_back({*target->file, path, Kind::external_link});
    } else if (link->type == H5L_TYPE_HARD) {
        const h5::Handle object(H5Oopen(group, name, H5P_DEFAULT));
        if (object.valid() && h5::is_dataset(object)) add_files_of_dataset(object, path, all);
    }
    return 0;
} catch (const std::exception&) {
    return -1;
}

/// All files that the objects of an HDF5 file name; none of another file.
std::vector<Named> named_in(const fs::path& file) {
    std::vector<Named> all;
    const h5::Lock lock(kept_name(file.string()));
    if (H5Fis_hdf5(file.c_str()) <= 0) return all;
    try {
        const h5::Handle opened = h5::open_file(file);
        H5Lvisit(opened, H5_INDEX_NAME, H5_ITER_NATIVE, add_files_of_link, &all);
    } catch (const Error&) {
        // Who reads it will tell why it cannot be read.
    }
    return all;
}

}  // namespace

std::optional<std::string> way_to(const std::string& name, const fs::path& file) {
    const fs::path start = DataName::parse(name).file;
    std::error_code failure;
    if (!fs::exists(start, failure) || !fs::exists(file, failure)) return std::nullopt;
    if (fs::equivalent(start, file, failure)) return std::string();
    // Files to look into, and the path in the first one that leads to them.
    std::deque<std::pair<fs::path, std::string>> open{{start, {}}};
    std::set<fs::path> known{fs::weakly_canonical(start, failure)};
    while (!open.empty()) {
        const auto [master, way] = std::move(open.front());
        open.pop_front();
        for (const Named& named : named_in(master)) {
            const std::optional<fs::path> found = find(named, master);
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
        if (!way->empty()) message += fmt::format(", since {} leads to it", *way);
        throw Error(ErrorKind::input, message, output.string(), "choose another name");
    }
}

void require_not_read(const std::string& by, const fs::path& output, const Request& request) {
    std::map<std::string, std::string> inputs;
    for (const auto& [role, input] : request.inputs) inputs[role] = input.name;
    require_not_read(by, output, inputs);
}

}  // namespace ks::io
