#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/held/held_dataset.h"
#include "core/io/series/file_states.h"

namespace ks::io {

/// Where the values of a dataset come from. HDF5 reads missing values as zeros, without an error, for example
/// those of chunks that were never written, or pixels that no source of a virtual dataset contains. This
/// class checks before reading. A frame is one index of all dimensions but the last two; a dataset with fewer
/// than three dimensions is one frame.
class Storage {
  public:
    /// Checks filters, external files and, for virtual datasets, every source (recursively, each once). Reads
    /// no values. Throws ks::Error(input) naming what is missing.
    Storage(const h5::Handle& file, const std::string& file_name, const std::string& path, hid_t dataset);

    /// True if nothing is known to be missing, so that frames need not be checked.
    bool all_written() const { return held_->known_whole(); }
    /// True if each frame is known to be present either entirely or not at all.
    bool in_whole_frames() const { return held_->in_whole_frames(); }
    /// Whether any pixel of a frame is present.
    bool written(std::size_t frame) const;
    /// Whether all of them are.
    bool whole(std::size_t frame) const;
    /// The pixels of a frame that are present, as non-overlapping rectangles. HDF5 must not be used to read
    /// any other pixels.
    PixelBlocks held(std::size_t frame) const;
    /// "was never written (source FILE::/path)" and the like, for a frame that is not whole.
    std::string why_not_whole(std::size_t frame) const;
    /// Throws ks::Error(input) naming the first frame that is not whole.
    void require_whole() const;

    /// True if a source of a virtual dataset is still being written and the dataset's file is not open for
    /// SWMR reading: HDF5 would read zeros.
    bool needs_swmr() const { return needs_swmr_; }

    /// The source files of a virtual dataset.
    const std::vector<std::filesystem::path>& sources() const { return sources_; }
    /// The same, and also the files of an external (raw) storage, as they were when opened.
    const FileStates& files() const { return files_; }

  private:
    struct Place {
        const h5::Handle& file;
        std::string file_name, path;
    };
    /// Sources of virtual datasets by file and path, so that each is checked once.
    using Looked = std::map<std::pair<std::string, std::string>, std::shared_ptr<const HeldDataset>>;

    std::shared_ptr<const HeldDataset> look_at(const Place& place, hid_t dataset, int depth);
    std::vector<HeldDataset::Source> look_at_sources(const Place& place, hid_t properties,
                                                     const std::vector<std::size_t>& shape, int depth);
    std::shared_ptr<const HeldDataset> look_at_source(const Place& master, const std::string& file,
                                                      const std::string& path, int depth);

    std::string where_;
    bool swmr_ = false, needs_swmr_ = false;
    Looked looked_;
    std::map<std::string, std::pair<std::string, h5::Handle>>
        open_;                     ///< by name as written and the file that names it
    std::set<std::string> named_;  ///< sources_ by name
    std::vector<std::filesystem::path> sources_;
    FileStates files_;
    std::shared_ptr<const HeldDataset> held_;
};

/// Throws ks::Error(input) if a filter of the dataset is not installed.
/// @param all also optional ones, which a writer may have skipped
void require_filters(hid_t dataset, const std::string& where, bool all);

}  // namespace ks::io
