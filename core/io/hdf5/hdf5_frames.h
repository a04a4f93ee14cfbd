#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/data/frame_source.h"
#include "core/io/files/file_states.h"
#include "core/io/hdf5/storage.h"
#include "core/io/open_frames.h"

namespace ks::io {

/// Frames of an HDF5 dataset of rank 3 ([frame][y][x]) or 2 (one frame).
class Hdf5Frames : public FrameSource, public FromFiles {
  public:
    /// @param name with an object in it. Opens and checks, reads nothing.
    Hdf5Frames(h5::Handle file, DataName name);

    std::string name() const override { return name_.to_string(); }
    std::string identity() const override { return identity_; }
    const FileStates& files() const override { return files_; }
    std::size_t frames() const override { return frames_; }
    std::size_t height() const override { return height_; }
    std::size_t width() const override { return width_; }
    ElementType type() const override { return type_; }
    void read(std::size_t first, std::size_t count, std::span<std::byte> into) override;
    bool written(std::size_t frame) const override;
    std::optional<double> frame_time() const override { return frame_time_; }

    /// See Storage: frames of which this is true are not to be read.
    bool needs_swmr() const { return storage_->needs_swmr(); }

  private:
    /// Values of the stored type.
    void read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) const;
    void read_directly(std::size_t first, std::span<std::byte> into) const;
    void read_slab(std::size_t first, std::size_t count, std::span<std::byte> into) const;
    /// Reads values of a type that frames do not have, frame by frame, into that of type().
    template <class From, class To>
    void read_narrowed(std::size_t first, std::size_t count, std::span<std::byte> into) const;
    void require_i32(std::size_t first, std::span<const std::byte> values) const;
    /// "frame 3 at row 0, column 1", of the i-th value of frames first, first + 1, ...
    std::string place_of(std::size_t first, std::size_t i) const;
    std::string make_identity() const;

    DataName name_;
    h5::Handle file_, dataset_;
    std::unique_ptr<Storage> storage_;
    std::size_t rank_ = 0, frames_ = 0, height_ = 0, width_ = 0;
    ElementType type_ = ElementType::u8, stored_ = ElementType::u8;
    std::optional<double> frame_time_;
    std::optional<std::uint64_t> offset_;  ///< in the file, of values that can be copied as they are
    std::string identity_, data_file_;
    FileStates files_;
};

/// The type of frames whose pixels are stored so: u64 is read as u32 and f64 as f32, others stay.
ElementType frame_type(ElementType stored);
/// What open_frames can read: nothing where it can, else why not ("expected ..., found ...").
std::optional<std::string> why_not_frames(hid_t dataset);

}  // namespace ks::io
