#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/hdf5/hdf5.h"

namespace ks::io {

/// Datasets of one group that are a series together: data_000001, data_000002, ..., as Eiger detectors write
/// them, each in a file of its own behind an external link.
struct SeriesParts {
    std::string group;
    std::vector<std::string> names;  ///< from the first to the last number; a link may lead nowhere
};
/// The parts that are meant where a file or the group at `path` is named: in the first group with at least
/// two of them on the way that default_frames() goes. Nothing where the group has a dataset `data` (a virtual
/// one of all parts), or names another signal.
std::optional<SeriesParts> series_parts(const h5::Handle& file, const std::string& file_name,
                                        const std::string& path);

/// "data", "data_000001"
bool is_name_of_data(const std::string& name);

}  // namespace ks::io
