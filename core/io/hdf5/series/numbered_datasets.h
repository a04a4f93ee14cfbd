#pragma once

#include <string>
#include <vector>

#include "core/io/hdf5/hdf5.h"

namespace ks::io {

/// Datasets of one group with one frame each, whose names differ only by their last number:
/// frame_0000, frame_0001, ...
struct NumberedDatasets {
    std::string group;
    std::vector<std::string> names;  ///< ordered by their numbers; gaps are ignored

    /// "frame_0000 to frame_0011 in /entry/data"
    std::string to_string() const;
};
/// Groups of names that differ by their last number, ordered by it; single names are left out.
std::vector<std::vector<std::string>> numbered_names(const std::vector<std::string>& names);
/// Series with at least two of the datasets at `paths`. They also include all other objects in their group
/// with such a name.
std::vector<NumberedDatasets> numbered_datasets(const h5::Handle& file,
                                                const std::vector<std::string>& paths);

}  // namespace ks::io
