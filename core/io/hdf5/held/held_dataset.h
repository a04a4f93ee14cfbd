#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/data/pixel_blocks.h"
#include "core/io/hdf5/virtual_mapping.h"

namespace ks::io {

/// Which pixels of a dataset are stored in its files. A frame is one index of all dimensions but the last
/// two; a dataset with fewer than three dimensions is one frame. HDF5 reads missing values as the fill value,
/// without an error. HDF5 1.10 may crash if a source of a virtual dataset is shorter than its mapping;
/// therefore such a region counts as missing, even if another source is mapped to it. The functions call
/// HDF5: the caller must hold a Lock.
class HeldDataset {
  public:
    /// Everything is held until one of the functions below says otherwise.
    /// @param where "FILE::/path"
    HeldDataset(std::string where, std::vector<std::size_t> shape);

    /// Only the chunks that were written.
    /// @param dataset chunked; kept open
    void hold_written_chunks(h5::Handle dataset);
    /// Only the frames whose values are entirely within the first `bytes` bytes, for contiguous values
    /// of `element` bytes.
    void hold_first_bytes(std::uint64_t bytes, std::size_t element);
    /// Nothing is held.
    void hold_nothing();
    /// Only what its sources hold.
    struct Source {
        VirtualMapping mapping;
        std::shared_ptr<const HeldDataset> dataset;
    };
    void hold_sources(std::vector<Source> sources);

    std::size_t frames() const { return frames_; }
    /// Frames from this one on are not held at all; earlier ones may be.
    std::size_t end() const { return end_; }
    /// True if all frames are known to be whole without checking each.
    bool known_whole() const { return whole_; }
    /// True if each frame is known to be held either entirely or not at all.
    bool in_whole_frames() const { return whole_frames_; }
    bool whole(std::size_t frame) const;
    /// Non-overlapping rectangles; empty: the frame is not held.
    PixelBlocks held(std::size_t frame) const;
    /// Why a frame is not whole: "was never written (source FILE::/path)", "is in none of the sources of
    /// this virtual dataset".
    std::string why_not_whole(std::size_t frame) const;

  private:
    /// A source, whose selections may or may not correspond to this dataset dimension by dimension.
    struct Mapped {
        Source source;
        /// Pairs of corresponding outer dimensions (of this dataset, of the source).
        std::vector<std::pair<std::size_t, std::size_t>> outer;
        std::vector<std::size_t> source_start;  ///< outer index of the source for unpaired dimensions
        Along to_rows, to_columns, from_rows, from_columns;
        PixelBlocks covered;  ///< all pixels of a frame that it provides
        PixelBlocks lost;     ///< those beyond the source's rows or columns
        /// Set if pixels cannot be traced one by one: whether the source holds everything that is mapped.
        std::optional<bool> all_or_none;
    };
    struct Found {
        PixelBlocks held, lost;
        auto operator<=>(const Found&) const = default;
    };

    Mapped mapped(Source source) const;
    bool pair_dimensions(Mapped& one) const;
    static bool holds_all(const Source& source);
    std::vector<std::size_t> outer_index(std::size_t frame) const;
    /// Calls use(mapped, frame) for every source that covers a frame, with the number of that frame in the
    /// source. If the frame is beyond the end of the source, nothing is passed instead of the number.
    template <class Use>
    void each_source(std::size_t frame, const Use& use) const;
    Found sources_of(std::size_t frame) const;
    const PixelBlocks& settled(const Found& found) const;
    PixelBlocks chunks_of(std::size_t frame) const;
    bool chunk_written(const std::vector<hsize_t>& offset) const;
    std::uint64_t claimed_chunks() const;
    void list_few_chunks();
    bool find_whole_by_count() const;
    std::size_t same_until(std::size_t frame) const;
    std::size_t find_end() const;
    bool find_whole() const;
    PixelBlock all_pixels() const { return {0, height_, 0, width_}; }

    std::string where_;
    std::vector<std::size_t> shape_;
    std::size_t frames_ = 1, height_ = 1, width_ = 1, end_ = 1;
    mutable bool whole_ = true;
    bool whole_frames_ = true;

    h5::Handle dataset_;                                    ///< whose chunks are searched
    std::vector<hsize_t> chunk_;                            ///< extent of its chunks
    mutable bool counted_ = false;                          ///< its chunks were counted
    std::optional<std::set<std::vector<hsize_t>>> chunks_;  ///< the existing ones, if they are few

    bool virtual_ = false;
    std::vector<Mapped> sources_;       ///< ordered by their first index in the first dimension
    std::vector<std::uint64_t> reach_;  ///< the largest end in that dimension of sources 0 to i
    mutable std::map<Found, PixelBlocks> settled_;
};

}  // namespace ks::io
