#include "core/io/hdf5.h"

#include <fmt/format.h>

namespace ks::io::h5 {
namespace {

std::recursive_mutex& mutex() {
    static std::recursive_mutex the_one;
    return the_one;
}

extern "C" herr_t collect_failure(unsigned, const H5E_error2_t* error, void* lines) {
    static_cast<std::vector<std::string>*>(lines)->push_back(error->desc != nullptr ? error->desc : "");
    return 0;
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

namespace {

void walk_inside(hid_t group, const std::string& path, std::vector<std::string>& inside,
                 const std::function<bool(const Met&)>& meet) {
    for (const std::string& name : names_in(group)) {
        const Handle object = follow(group, name);
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
