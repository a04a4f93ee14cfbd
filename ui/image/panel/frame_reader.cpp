#include "ui/image/panel/frame_reader.h"

#include <algorithm>

#include "ui/base/jobs.h"

namespace ks::ui {

void FrameReader::read(std::size_t first, std::size_t count, Combination how) {
    if (!frames_ || frames_->frames() == 0) return;
    count = std::min(count, frames_->frames() - std::min(first, frames_->frames() - 1));
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("frame of the image"),
        [frames = frames_, first, count, how] {
            Progress progress;
            return std::shared_ptr<const Array>(
                std::make_shared<Array>(combined(*frames, first, count, how, progress)));
        },
        [this, first](const std::shared_ptr<const Array>& frame) {
            emit arrived(frame, static_cast<int>(first));
        },
        [this](const Error& error) { emit failed(error); });
}

}  // namespace ks::ui
