#include "core/io/hdf5.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <system_error>

#include "core/run/error.h"

namespace ks::io::h5 {
namespace fs = std::filesystem;
namespace {

std::recursive_mutex& mutex() {
    static std::recursive_mutex the_one;
    return the_one;
}

extern "C" herr_t collect_failure(unsigned, const H5E_error2_t* error, void* lines) {
    static_cast<std::vector<std::string>*>(lines)->push_back(error->desc != nullptr ? error->desc : "");
    return 0;
}

Error not_there(const fs::path& file, std::string message, std::string hint = {}) {
    return Error(ErrorKind::input, std::move(message), file.string(), std::move(hint));
}

/// Why the link `name` of `group` cannot be followed.
Error dangling(hid_t group, const std::string& name, const std::string& where) {
    const std::optional<std::string> target = link_target(group, name);
    if (!target) return Error(ErrorKind::input, "the object is damaged: " + last_failure(), where);
    const std::size_t at = target->find("::");
    if (at == std::string::npos)
        return Error(ErrorKind::input, "the link leads to " + *target + ", which does not exist", where);
    const fs::path file = target->substr(0, at);
    std::string master(1024, '\0');
    const ssize_t length = H5Fget_name(group, master.data(), master.size());
    master.resize(length > 0 ? std::min(master.size(), static_cast<std::size_t>(length)) : 0);
    std::error_code ignored;
    if (!fs::exists(fs::path(master).parent_path() / file, ignored))
        return Error(ErrorKind::input,
                     "the external link leads to " + *target + ", and the file " + file.string() +
                         " is missing",
                     where,
                     "put it into the folder of the file that links to it");
    return Error(ErrorKind::input, "the external link leads to " + *target + ", which cannot be opened",
                 where);
}

}  // namespace

Lock::Lock() : guard_(mutex()) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle::~Handle() {
    if (id_ < 0) return;
    const Lock lock;
    H5Idec_ref(id_);
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

Handle open_file(const fs::path& file) {
    std::error_code failure;
    const fs::file_status status = fs::status(file, failure);
    if (!fs::exists(status)) throw not_there(file, "no such file");
    if (fs::is_directory(status)) throw not_there(file, "expected an HDF5 file, found a directory");
    if (::access(file.c_str(), R_OK) != 0)
        throw not_there(file, "the file may not be read", "check its permissions");
    if (fs::is_regular_file(status) && fs::file_size(file, failure) == 0)
        throw not_there(file, "expected an HDF5 file, found an empty file");
    const Lock lock;
    if (H5Fis_hdf5(file.c_str()) <= 0) throw not_there(file, "expected an HDF5 file, found something else");
    Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    if (opened.valid()) return opened;
    const std::string why = last_failure();
    if (why.find("truncated") != std::string::npos)
        throw not_there(file,
                        fmt::format("the HDF5 file is truncated, only {} bytes are left of it",
                                    fs::file_size(file, failure)),
                        "copy it again");
    if (why.find("lock") != std::string::npos)
        throw not_there(file, "another program holds the HDF5 file for writing", "wait until it is closed");
    throw not_there(file, "the HDF5 file is damaged or truncated: " + why);
}

Handle open_object(const Handle& file, const std::string& file_name, const std::string& path) {
    const Lock lock;
    Handle at(H5Oopen(file, "/", H5P_DEFAULT));
    if (!at.valid()) throw Error(ErrorKind::input, "the HDF5 file has no readable root", file_name);
    std::string done;
    std::size_t begin = 0;
    while (begin < path.size()) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string part = path.substr(begin, end - begin);
        begin = end + 1;
        if (part.empty()) continue;
        const std::string where = file_name + "::" + done + "/" + part;
        if (!is_group(at))
            throw Error(ErrorKind::input, "there is no such object, because " + done + " is a dataset",
                        where);
        if (H5Lexists(at, part.c_str(), H5P_DEFAULT) <= 0) {
            std::vector<std::string> there = names_in(at);
            const std::string all = fmt::format("{}", fmt::join(there, ", "));
            const std::string group = done.empty() ? "/" : done;
            throw Error(ErrorKind::input, "there is no such object", where,
                        there.empty()
                            ? group + " is empty"
                            : group + " holds " + (all.size() > 300 ? all.substr(0, 300) + " ..." : all),
                        all);
        }
        Handle next(H5Oopen(at, part.c_str(), H5P_DEFAULT));
        if (!next.valid()) throw dangling(at, part, where);
        at = std::move(next);
        done += "/" + part;
    }
    return at;
}

Handle open_dataset(const Handle& file, const std::string& file_name, const std::string& path) {
    const Lock lock;
    Handle object = open_object(file, file_name, path);
    if (!is_dataset(object))
        throw Error(ErrorKind::input, "expected a dataset, found a group", file_name + "::" + path);
    return object;
}

bool is_dataset(hid_t object) {
    const Lock lock;
    return H5Iget_type(object) == H5I_DATASET;
}

bool is_group(hid_t object) {
    const Lock lock;
    return H5Iget_type(object) == H5I_GROUP;
}

std::vector<std::string> names_in(hid_t group) {
    const Lock lock;
    std::vector<std::string> names;
    H5G_info_t info;
    if (H5Gget_info(group, &info) < 0) return names;
    for (hsize_t i = 0; i < info.nlinks; ++i) {
        const ssize_t length =
            H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
        if (length <= 0) continue;
        std::string name(static_cast<std::size_t>(length) + 1, '\0');
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT);
        name.pop_back();
        names.push_back(std::move(name));
    }
    return names;
}

std::optional<std::string> link_target(hid_t group, const std::string& name) {
    const Lock lock;
    H5L_info_t info;
    if (H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT) < 0 || info.type == H5L_TYPE_HARD)
        return std::nullopt;
    std::string value(info.u.val_size + 1, '\0');
    if (H5Lget_val(group, name.c_str(), value.data(), value.size(), H5P_DEFAULT) < 0) return std::nullopt;
    if (info.type != H5L_TYPE_EXTERNAL) return std::string(value.c_str());
    const char *file = nullptr, *object = nullptr;
    unsigned flags = 0;
    if (H5Lunpack_elink_val(value.data(), info.u.val_size, &flags, &file, &object) < 0) return std::nullopt;
    std::string inside = object;
    // "//data" is a common way to write "/data"
    while (inside.starts_with("//")) inside.erase(0, 1);
    return std::string(file) + "::" + inside;
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

std::string filter_name(H5Z_filter_t filter) {
    struct Row {
        H5Z_filter_t filter;
        const char* name;
    };
    static constexpr std::array<Row, 15> rows{{{H5Z_FILTER_DEFLATE, "gzip"},
                                               {H5Z_FILTER_SHUFFLE, "shuffle"},
                                               {H5Z_FILTER_FLETCHER32, "fletcher32"},
                                               {H5Z_FILTER_SZIP, "szip"},
                                               {H5Z_FILTER_NBIT, "nbit"},
                                               {H5Z_FILTER_SCALEOFFSET, "scaleoffset"},
                                               {307, "bzip2"},
                                               {32000, "LZF"},
                                               {32001, "blosc"},
                                               {32004, "LZ4"},
                                               {32008, "bitshuffle"},
                                               {32013, "ZFP"},
                                               {32015, "zstd"},
                                               {32017, "SZ"},
                                               {32026, "blosc2"}}};
    for (const Row& row : rows)
        if (row.filter == filter) return row.name;
    return fmt::format("filter {}", filter);
}

namespace {

void walk_inside(hid_t group, const std::string& path, std::vector<std::string>& inside,
                 const std::function<bool(const Met&)>& meet) {
    for (const std::string& name : names_in(group)) {
        const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT));
        const bool descend = object.valid() && is_group(object);
        const std::string below = (path == "/" ? "" : path) + "/" + name;
        if (!meet({below, name, link_target(group, name).value_or(""), object, descend}) || !descend)
            continue;
        const std::string id = object_id(object);
        bool cycle = false;
        for (const std::string& outer : inside) cycle = cycle || outer == id;
        if (cycle) continue;
        inside.push_back(id);
        walk_inside(object, below, inside, meet);
        inside.pop_back();
    }
}

}  // namespace

void walk(hid_t group, const std::string& path, const std::function<bool(const Met&)>& meet) {
    const Lock lock;
    std::vector<std::string> inside{object_id(group)};
    walk_inside(group, path, inside, meet);
}

}  // namespace ks::io::h5
