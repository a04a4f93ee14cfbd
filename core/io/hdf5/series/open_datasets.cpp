#include "core/io/hdf5/series/open_datasets.h"

#include <algorithm>

#include "core/io/hdf5/detector/detectors.h"

namespace ks::io {

OpenDatasets::OpenDatasets(const h5::Handle& file, const DataName& frames)
    : file_(file.share()), name_(frames.file), frame_time_(io::frame_time(file, frames)) {}

std::shared_ptr<Hdf5Frames> OpenDatasets::at(const std::string& path) const {
    constexpr std::size_t most_open = 16;
    const h5::Lock lock;
    const auto found = std::ranges::find(open_, path, [](const auto& one) { return one.first; });
    if (found != open_.end()) {
        std::rotate(found, found + 1, open_.end());
        return open_.back().second;
    }
    auto opened = std::make_shared<Hdf5Frames>(file_.share(), DataName{name_, path}, frame_time_);
    if (opened->needs_swmr()) throw still_written(opened->name());
    if (open_.size() == most_open) open_.erase(open_.begin());
    open_.emplace_back(path, opened);
    return opened;
}

}  // namespace ks::io
