#pragma once

#include <string>
#include <vector>

#include "core/io/hdf5/hdf5.h"
#include "core/io/open_frames.h"

namespace ks::io {

/// "GROUP/COLUMN"
std::string column_path(const std::string& group, const std::string& column);
/// True if every part of the path exists.
bool has_object(const h5::Handle& file, const std::string& path);

/// The group with the columns of a table: the object of `name`, else the first of `groups` that has a dataset
/// `first`; empty if there is none.
std::string group_of_columns(const h5::Handle& file, const DataName& name,
                             const std::vector<std::string>& groups, const std::string& first);

}  // namespace ks::io
