#include "core/io/hdf5/hdf5_columns.h"

namespace ks::io {

std::string column_path(const std::string& group, const std::string& column) {
    return group.ends_with('/') ? group + column : group + "/" + column;
}

bool has_object(const h5::Handle& file, const std::string& path) {
    return h5::exists(file, path);
}

std::string group_of_columns(const h5::Handle& file, const DataName& name,
                             const std::vector<std::string>& groups, const std::string& first) {
    if (!name.object.empty()) return name.object;
    for (const std::string& group : groups)
        if (has_object(file, column_path(group, first))) return group;
    return {};
}

}  // namespace ks::io
