#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/io/hdf5/hdf5_frames.h"

namespace ks::io {

/// Datasets of one file, opened as frames where they are asked for. Few stay open: a series may have
/// thousands, each in a file of its own. Safe from any thread.
class OpenDatasets {
  public:
    OpenDatasets(const h5::Handle& file, std::filesystem::path name);

    /// Throws ks::Error(input) as Hdf5Frames does, and where a source of it is still being written.
    std::shared_ptr<Hdf5Frames> at(const std::string& path) const;
    /// Of the file.
    const std::optional<double>& frame_time() const { return frame_time_; }

  private:
    h5::Handle file_;
    std::filesystem::path name_;
    std::optional<double> frame_time_;
    /// By path, those that were asked for last at the end. h5::Lock guards them.
    mutable std::vector<std::pair<std::string, std::shared_ptr<Hdf5Frames>>> open_;
};

}  // namespace ks::io
