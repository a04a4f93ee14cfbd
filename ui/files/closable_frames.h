#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/data/frame_source.h"

namespace ks::ui {

/// Frames of a file that can be closed while others still hold them. A library returns the old contents of a
/// file that was overwritten in place as long as anybody has it open, so the file must be closed before it is
/// reopened.
class ClosableFrames : public FrameSource {
  public:
    explicit ClosableFrames(std::shared_ptr<FrameSource> open);

    /// Later reads open the file again if it is what it was; otherwise they throw ks::Error(input). Shape and
    /// times stay valid. Call it under the same threading rule as read().
    void close();

    std::string name() const override { return name_; }
    std::string identity() const override { return identity_; }
    std::size_t frames() const override { return frames_; }
    std::size_t height() const override { return height_; }
    std::size_t width() const override { return width_; }
    ElementType type() const override { return type_; }
    bool reads_side_by_side() const override { return sideBySide_; }
    bool written(std::size_t frame) const override { return open()->written(frame); }
    PixelBlocks lacking(std::size_t frame) const override { return open()->lacking(frame); }
    bool may_lack_pixels() const override { return mayLack_; }
    std::optional<double> frame_time() const override { return frameTime_; }
    std::optional<std::string> frame_time_fault() const override { return frameTimeFault_; }
    std::vector<std::string> contradictions() const override { return contradictions_; }

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override;
    std::shared_ptr<FrameSource> open() const;

    mutable std::mutex mutex_;
    mutable std::shared_ptr<FrameSource> open_;  ///< null: closed
    const std::string name_, identity_;
    const std::size_t frames_, height_, width_;
    const ElementType type_;
    const bool sideBySide_, mayLack_;
    const std::optional<double> frameTime_;
    const std::optional<std::string> frameTimeFault_;
    const std::vector<std::string> contradictions_;
};

}  // namespace ks::ui
