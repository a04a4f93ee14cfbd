#pragma once

#include <cstddef>
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
    std::size_t first_number = 1;
    /// Frames that the detector was asked for (nimages for each of ntrigger); nothing where the file does not
    /// say.
    std::optional<std::size_t> asked_for = std::nullopt;

    std::string name_of(std::size_t number) const;  ///< "data_000007"
};
/// The parts that are meant where a file or the group at `path` is named: in the first group with any of them
/// on the way that default_frames() goes. Nothing where the group has a dataset `data` (a virtual
/// one of all parts), or names another signal.
std::optional<SeriesParts> series_parts(const h5::Handle& file, const std::string& file_name,
                                        const std::string& path);

/// SeriesParts::asked_for of a file.
std::optional<std::size_t> frames_asked_for(const h5::Handle& file, const std::string& file_name);

/// "data", "data_000001"
bool is_name_of_data(const std::string& name);

}  // namespace ks::io
