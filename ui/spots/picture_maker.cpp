#include "ui/spots/picture_maker.h"

#include "ui/base/jobs.h"

namespace ks::ui::spots {

PictureMaker::~PictureMaker() {
    if (progress_) progress_->cancel();
}

void PictureMaker::make(const PictureInput& input) {
    if (progress_)
        waiting_ = std::make_shared<const PictureInput>(input);
    else
        start(input);
}

void PictureMaker::drop() {
    waiting_.reset();
    if (!progress_) return;
    progress_->cancel();
    progress_.reset();
    jobs_.drop(this, QStringLiteral("intermediate image"));
}

void PictureMaker::start(const PictureInput& input) {
    const auto progress = std::make_shared<Progress>();
    progress_ = progress;
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("intermediate image"),
        [input, progress] {
            const Array& frame = *input.frame;
            const std::vector<std::uint8_t> none(input.ignore ? 0 : frame.size(), 0);
            const ks::spots::ImageView view{
                frame.bytes(),
                frame.type(),
                frame.shape()[0],
                frame.shape()[1],
                input.ignore ? std::span<const std::uint8_t>(*input.ignore) : none,
                input.limit};
            return std::shared_ptr<const Array>(std::make_shared<Array>(
                ks::spots::intermediate_image(view, input.thresholds, input.kind, *progress)));
        },
        [this, input](const std::shared_ptr<const Array>& image) {
            progress_.reset();
            emit made(input, image);
            next();
        },
        [this](const Error& error) {
            progress_.reset();
            if (error.kind() != ErrorKind::cancelled) emit failed(error);
            next();
        });
}

void PictureMaker::next() {
    if (progress_ || !waiting_) return;
    const PictureInput input = *waiting_;
    waiting_.reset();
    start(input);
}

}  // namespace ks::ui::spots
