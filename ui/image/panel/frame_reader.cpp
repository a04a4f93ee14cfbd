#include "ui/image/panel/frame_reader.h"

#include <algorithm>

#include "ui/base/jobs.h"

namespace ks::ui {
namespace {

struct Read {
    std::shared_ptr<const Array> frame;
    PixelBlocks lacking;
};

PixelBlocks lackingInAll(const FrameSource& frames, std::size_t first, std::size_t count) {
    if (!frames.may_lack_pixels()) return {};
    PixelBlocks common = disjoint(frames.lacking(first));
    for (std::size_t frame = first + 1; frame < first + count && !common.empty(); ++frame)
        common = disjoint(common, disjoint(common, frames.lacking(frame)));
    return common;
}

}  // namespace

void FrameReader::read(std::size_t first, std::size_t count, Combination how) {
    if (!frames_ || frames_->frames() == 0) return;
    count = std::min(count, frames_->frames() - std::min(first, frames_->frames() - 1));
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("frame of the image"),
        [frames = frames_, first, count, how] {
            Progress progress;
            return Read{std::make_shared<const Array>(combined(*frames, first, count, how, progress)),
                        lackingInAll(*frames, first, count)};
        },
        [this, first](const Read& read) { emit arrived(read.frame, static_cast<int>(first), read.lacking); },
        [this](const Error& error) { emit failed(error); });
}

}  // namespace ks::ui
