#include "ui/spots/intermediate_image.h"

#include <cmath>
#include <limits>
#include <optional>

#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/image_panel.h"
#include "ui/spots/threshold_form.h"

namespace ks::ui::spots {

IntermediateImage::IntermediateImage(ImagePanel& image, const ThresholdForm& form, const SessionMask& mask,
                                     Jobs& jobs, QObject* parent)
    : QObject(parent), image_(image), form_(form), mask_(mask), maker_(new PictureMaker(jobs, this)) {
    connect(maker_, &PictureMaker::made, this, &IntermediateImage::show);
    connect(maker_, &PictureMaker::failed, this, &IntermediateImage::failed);
}

void IntermediateImage::drop() {
    maker_->drop();
}

// The file's value is the largest count that is still valid.
double IntermediateImage::limit() const {
    if (const auto given = form_.saturation()) return *given;
    constexpr double none = std::numeric_limits<double>::infinity();
    const std::optional<double>& last = mask_.saturation();
    return last ? std::nextafter(*last, none) : none;
}

void IntermediateImage::make() {
    const ks::spots::Intermediate kind = form_.picture();
    if (kind == ks::spots::Intermediate::image || !image_.frame()) {
        maker_->drop();
        image_.setDerived({});
        return emit noteChanged({});
    }
    PictureInput input;
    input.frame = image_.frame();
    input.ignore = mask_.copy();
    input.thresholds = form_.thresholds();
    input.kind = kind;
    input.limit = limit();
    input.number = image_.shownFrame();
    maker_->make(input);
}

void IntermediateImage::show(const PictureInput& input, const std::shared_ptr<const Array>& made) {
    if (!image_.frame() || made->shape() != image_.frame()->shape()) return;
    QString title;
    for (const auto& info : ks::spots::intermediates())
        if (info.kind == input.kind) title = QString::fromUtf8(info.title);
    emit noteChanged(tr("%1, frame %2").arg(title).arg(input.number));
    image_.setDerived({made, title, made->type() == ElementType::u8});
}

}  // namespace ks::ui::spots
