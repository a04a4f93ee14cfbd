#include "ui/files/closable_frames.h"

#include <utility>

#include "core/base/error.h"
#include "core/io/open_frames.h"

namespace ks::ui {

ClosableFrames::ClosableFrames(std::shared_ptr<FrameSource> open)
    : open_(std::move(open)),
      name_(open_->name()),
      identity_(open_->identity()),
      frames_(open_->frames()),
      height_(open_->height()),
      width_(open_->width()),
      type_(open_->type()),
      sideBySide_(open_->reads_side_by_side()),
      mayLack_(open_->may_lack_pixels()),
      frameTime_(open_->frame_time()),
      frameTimeFault_(open_->frame_time_fault()),
      contradictions_(open_->contradictions()) {}

void ClosableFrames::close() {
    const std::lock_guard lock(mutex_);
    open_.reset();
}

std::shared_ptr<FrameSource> ClosableFrames::open() const {
    const std::lock_guard lock(mutex_);
    if (open_) return open_;
    std::shared_ptr<FrameSource> again = io::open_frames(name_);
    if (again->identity() != identity_)
        throw Error(ErrorKind::input, "the file has changed on disk and was closed", name_, "open it again");
    open_ = std::move(again);
    return open_;
}

void ClosableFrames::read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) {
    open()->read(first, count, into);
}

}  // namespace ks::ui
