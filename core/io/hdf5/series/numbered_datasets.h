#pragma once

#include <string>
#include <vector>

#include "core/io/hdf5/hdf5.h"

namespace ks::io {

/// Datasets of one group whose names differ by a number, the last one in them, and which are a frame each:
/// frame_0000, frame_0001, ...
struct NumberedDatasets {
    std::string group;
    std::vector<std::string> names;  ///< in the order of their numbers; gaps count for nothing

    /// "frame_0000 to frame_0011 in /entry/data"
    std::string to_string() const;
};
/// Names that differ by their last number, in the order of these numbers; those that are alone are left out.
std::vector<std::vector<std::string>> numbered_names(const std::vector<std::string>& names);
/// Those that at least two of the datasets at `paths` belong to. Whatever else there is of such a name in
/// their group belongs to them, too.
std::vector<NumberedDatasets> numbered_datasets(const h5::Handle& file,
                                                const std::vector<std::string>& paths);

}  // namespace ks::io
