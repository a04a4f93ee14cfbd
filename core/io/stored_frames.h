#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data/frame_source.h"
#include "core/io/files/data_name.h"
#include "core/io/series/file_states.h"

namespace ks::io {

/// The type of frames whose pixels are stored with this type: u64 is read as u32 and f64 as f32,
/// others are kept.
ElementType frame_type(ElementType stored);

/// The types in which pixels of frames can be stored, for messages.
extern const char* const frame_types;
/// Nothing if an array of this shape is a stack of frames, [frame][y][x], or one frame [y][x]; else the
/// reason ("expected ..., found ...").
std::optional<std::string> why_not_stack(const std::vector<std::size_t>& shape);
/// What is done with values of a type that frames do not have: "; values beyond 32 bits are rejected". Empty
/// for a type that frames have.
std::string narrowing_text(ElementType stored);
/// "3 frames of 512 x 512 u16, 1.5 MiB"
std::string frames_text(const FrameSource& source);

/// Frames stored in a file. Values of types that frames do not have are converted frame by frame; those that
/// do not fit are rejected, with their place.
class StoredFrames : public FrameSource, public FromFiles {
  public:
    std::string name() const override { return name_.to_string(); }
    std::string identity() const override { return identity_; }
    const FileStates& files() const override { return files_; }
    std::size_t frames() const override { return frames_; }
    std::size_t height() const override { return height_; }
    std::size_t width() const override { return width_; }
    ElementType type() const override { return frame_type(stored_); }
    ElementType stored() const { return stored_; }
    /// "u16", "i8", ...: the type of the pixels in the file.
    virtual std::string type_text() const { return name_of(stored_); }
    /// How they are stored: "3 pages, deflated"; empty: there is nothing to say.
    virtual std::string layout_text() const { return {}; }

  protected:
    explicit StoredFrames(DataName name) : name_(std::move(name)) {}

    /// Throws ks::Error(input) if why_not_stack() has a reason or the number of bytes exceeds 64 bits.
    void set_stack(const std::vector<std::size_t>& shape, ElementType stored);
    /// Values of type stored(), of at least one existing frame.
    virtual void read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) = 0;
    /// Throws ks::Error(input) if the file has no values for a frame.
    virtual void require_written(std::size_t /*first*/, std::size_t /*count*/) const {}

    DataName name_;
    std::string identity_;
    FileStates files_;

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) final;
    template <class From, class To>
    void read_narrowed(std::size_t first, std::size_t count, std::span<std::byte> into);
    void require_i32(std::size_t first, std::span<const std::byte> values) const;
    /// "frame 3 at row 0, column 1", for the i-th value of frames first, first + 1, ...
    std::string place_of(std::size_t first, std::size_t i) const;

    std::size_t frames_ = 0, height_ = 0, width_ = 0;
    ElementType stored_ = ElementType::u8;
};

/// FrameFormat::open of a format whose frames are of this class.
template <class Frames>
std::shared_ptr<FrameSource> open_as(const DataName& name) {
    return std::make_shared<Frames>(name);
}

}  // namespace ks::io
