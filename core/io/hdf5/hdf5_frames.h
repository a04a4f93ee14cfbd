#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/hdf5/chunks/chunk_reader.h"
#include "core/io/hdf5/detector/detectors.h"
#include "core/io/hdf5/storage.h"
#include "core/io/stored_frames.h"

namespace ks::io {

/// Frames of an HDF5 dataset: see h5::StackAxes.
class Hdf5Frames : public StoredFrames {
  public:
    /// Opens and checks, reads nothing.
    /// @param name with an object in it, which may select a scan
    Hdf5Frames(const h5::Handle& file, const DataName& name);
    /// @param frame_time of the file: finding it means searching the whole file
    Hdf5Frames(h5::Handle file, DataName name, FrameTime frame_time);

    bool written(std::size_t frame) const override;
    /// True if written() is known to be true for all frames without checking each.
    bool all_written() const { return storage_->all_written(); }
    PixelBlocks lacking(std::size_t frame) const override;
    bool may_lack_pixels() const override { return !storage_->all_written() && !storage_->in_whole_frames(); }
    bool reads_side_by_side() const override { return chunks_ != nullptr; }
    const PackedFrames* packed() const override { return chunks_ ? chunks_->packed() : nullptr; }
    std::optional<double> frame_time() const override { return frame_time_.seconds; }
    std::optional<std::string> frame_time_fault() const override { return frame_time_.fault; }
    std::vector<std::string> contradictions() const override { return contradictions_; }
    void contradict(std::string what) { contradictions_.push_back(std::move(what)); }

    /// See Storage: frames for which this is true must not be read.
    bool needs_swmr() const { return storage_->needs_swmr(); }

  private:
    void read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) override;
    void require_written(std::size_t first, std::size_t count) const override;
    void read_whole(std::size_t first, std::size_t count, std::span<std::byte> into) const;
    void read_parts(std::size_t first, std::size_t count, const PixelBlocks& held,
                    std::span<std::byte> into) const;
    void read_directly(std::size_t first, std::span<std::byte> into) const;
    void read_one_by_one(std::size_t first, std::size_t count, std::span<std::byte> into) const;
    void read_slab(std::size_t first, std::size_t count, std::span<std::byte> into) const;
    bool try_slab(std::size_t first, std::size_t count, std::span<std::byte> into) const;
    bool try_block(std::size_t first, std::size_t count, const PixelBlock& part,
                   std::span<std::byte> into) const;
    std::size_t in_storage(std::size_t frame) const { return axes_.frames_before() + frame; }
    std::string make_identity() const;

    h5::Handle file_, dataset_;
    std::unique_ptr<Storage> storage_;
    std::unique_ptr<h5::ChunkReader> chunks_;  ///< null: HDF5 reads
    h5::StackAxes axes_;
    FrameTime frame_time_;
    std::vector<std::string> contradictions_;
    std::optional<std::uint64_t> offset_;  ///< in the file, if values can be copied unchanged
    std::string data_file_;
    const char* kept_name_;  ///< name of the file, for h5::Lock
};

/// For frames or another dataset for which needs_swmr() is true although opened that way.
Error still_written(const std::string& where);

/// Why open_frames() cannot read the dataset ("expected ..., found ..."); nothing if it can.
std::optional<std::string> why_not_frames(hid_t dataset, std::optional<std::size_t> scan = std::nullopt);

}  // namespace ks::io
