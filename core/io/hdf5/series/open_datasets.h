#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/io/hdf5/hdf5_frames.h"

namespace ks::io {

/// Datasets of one file, opened as frames on request. Few stay open: a series may have thousands, each in a
/// separate file. Safe from any thread.
class OpenDatasets {
  public:
    /// @param frames what the datasets form together: FILE::/group
    OpenDatasets(const h5::Handle& file, const DataName& frames);

    /// Throws ks::Error(input) as Hdf5Frames does, and if one of its sources is still being written.
    std::shared_ptr<Hdf5Frames> at(const std::string& path) const;
    /// Common to all of them.
    const FrameTime& frame_time() const { return frame_time_; }

  private:
    h5::Handle file_;
    std::filesystem::path name_;
    FrameTime frame_time_;
    /// By path, most recently used last. Guarded by h5::Lock.
    mutable std::vector<std::pair<std::string, std::shared_ptr<Hdf5Frames>>> open_;
};

}  // namespace ks::io
