#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/io/hdf5/hdf5.h"

namespace ks::io {

/// Datasets of one group that form a series: data_000001, data_000002, ..., as Eiger detectors write them,
/// each in a separate file behind an external link.
struct SeriesParts {
    std::string group;
    std::vector<std::string> names;  ///< from the first to the last number; links may be broken
    std::size_t first_number = 1;
    /// Number of frames that the detector was to record (nimages times ntrigger); nothing if the file does
    /// not state it.
    std::optional<std::size_t> asked_for = std::nullopt;

    std::string name_of(std::size_t number) const;  ///< "data_000007"
};
/// The parts meant if a file or the group at `path` is named: those in the first group on the search path of
/// default_frames() that has any. Nothing if the group has a dataset `data` (a virtual one of all parts) or
/// designates another signal.
std::optional<SeriesParts> series_parts(const h5::Handle& file, const std::string& file_name,
                                        const std::string& path);

/// SeriesParts::asked_for of a file.
std::optional<std::size_t> frames_asked_for(const h5::Handle& file, const std::string& file_name);

/// "data", "data_000001"
bool is_name_of_data(const std::string& name);

}  // namespace ks::io
