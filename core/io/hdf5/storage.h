#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/io/files/file_states.h"
#include "core/io/hdf5/hdf5.h"

namespace ks::io {

/// Where the values of a dataset come from. HDF5 reads what is not there as zeros, without an error: sources
/// of virtual datasets that are missing, chunks that were never written. This looks before the reading.
class Storage {
  public:
    /// Checks filters, external files and, for virtual datasets, every source (recursively). Reads no values.
    /// Throws ks::Error(input) naming what is missing.
    Storage(const h5::Handle& file, const std::string& file_name, const std::string& path, hid_t dataset);

    /// Throws ks::Error(input) naming the first frame of [first, first + count) that was never written.
    /// A frame is one index of the first dimension of a dataset of rank 3 or 4, else the whole dataset.
    void require_written(std::size_t first, std::size_t count) const;
    /// False where require_written(frame, 1) throws.
    bool written(std::size_t frame) const { return !missing(frame, frame + 1); }
    /// True where nothing is known to be missing, so that no frame needs to be looked at.
    bool all_written() const { return partial_.empty() && gaps_.empty(); }

    /// True where a source of a virtual dataset is still being written and the dataset's file is not open for
    /// SWMR reading: HDF5 would read zeros.
    bool needs_swmr() const { return needs_swmr_; }

    /// The source files of a virtual dataset.
    const std::vector<std::filesystem::path>& sources() const { return sources_; }
    /// The same and the files of an external (raw) storage, as they were when they were opened.
    const FileStates& files() const { return files_; }

  private:
    /// Frames [first, last) of the stack are frames first + shift.. of a dataset.
    struct Slice {
        std::size_t first, last;
        std::ptrdiff_t shift;
        bool frames;  ///< false: any of the dataset's chunks may belong to any of the frames
    };
    /// A dataset of which not everything was written.
    struct Partial {
        h5::Handle dataset;
        std::string where;  ///< empty: the dataset itself
        Slice slice;
    };
    struct Place {
        const h5::Handle& file;
        std::string file_name, path;
    };

    void add(const Place& place, hid_t dataset, const Slice& slice, int depth);
    void add_virtual(const Place& place, hid_t dataset, hid_t properties, const Slice& slice, int depth);
    void add_source(const Place& master, const std::string& file, const std::string& path, const Slice& slice,
                    int depth);
    /// What is not there of frames [first, last), in a few words; nothing where all was written.
    std::optional<std::string> missing(std::size_t first, std::size_t last) const;

    std::string where_;
    bool swmr_ = false, needs_swmr_ = false;
    std::vector<Partial> partial_;
    std::vector<std::pair<std::size_t, std::size_t>>
        gaps_;  ///< frames of a virtual dataset that no source holds
    std::map<std::string, h5::Handle> open_;
    std::vector<std::filesystem::path> sources_;
    FileStates files_;
};

/// Throws ks::Error(input) where a filter of the dataset is not installed. @param all also optional ones,
/// which a writer may have left out
void require_filters(hid_t dataset, const std::string& where, bool all);

}  // namespace ks::io
