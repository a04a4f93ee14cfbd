#include "ui/spots/intermediate_image.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/spots/signal/intermediate.h"
#include "ui/base/jobs.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/image_panel.h"
#include "ui/spots/threshold_form.h"

namespace ks::ui::spots {
namespace {

const QString imageJob = QStringLiteral("intermediate image");

}  // namespace

struct IntermediateImage::Input {
    std::shared_ptr<const Array> frame;
    std::shared_ptr<const std::vector<std::uint8_t>> ignore;  ///< [y][x], never changed; null: no mask
    ks::spots::Thresholds thresholds;
    ks::spots::Intermediate kind;
    double limit;  ///< values greater than or equal to this are invalid
    int number;    ///< number of the frame
};

IntermediateImage::IntermediateImage(ImagePanel& image, const ThresholdForm& form, const SessionMask& mask,
                                     Jobs& jobs, QObject* parent)
    : QObject(parent), image_(image), form_(form), mask_(mask), jobs_(jobs) {}

IntermediateImage::~IntermediateImage() {
    if (progress_) progress_->cancel();
}

void IntermediateImage::drop() {
    waiting_.reset();
    if (!progress_) return;
    progress_->cancel();
    progress_.reset();
    jobs_.drop(this, imageJob);
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
        drop();
        image_.setDerived({});
        return emit noteChanged({});
    }
    waiting_ = std::make_shared<const Input>(
        Input{image_.frame(), mask_.copy(), form_.thresholds(), kind, limit(), image_.shownFrame()});
    next();
}

void IntermediateImage::start(const std::shared_ptr<const Input>& input) {
    progress_ = std::make_shared<Progress>();
    jobs_.start(
        Jobs::Lane::general, this, imageJob,
        [input, progress = progress_] {
            const Array& frame = *input->frame;
            const std::vector<std::uint8_t> none(input->ignore ? 0 : frame.size(), 0);
            const ks::spots::ImageView view{
                frame.bytes(),
                frame.type(),
                frame.shape()[0],
                frame.shape()[1],
                input->ignore ? std::span<const std::uint8_t>(*input->ignore) : none,
                input->limit};
            return std::shared_ptr<const Array>(std::make_shared<Array>(
                ks::spots::intermediate_image(view, input->thresholds, input->kind, *progress)));
        },
        [this, input](const std::shared_ptr<const Array>& image) {
            progress_.reset();
            show(*input, image);
            next();
        },
        [this](const Error& error) {
            progress_.reset();
            if (error.kind() != ErrorKind::cancelled) emit failed(error);
            next();
        });
}

void IntermediateImage::next() {
    if (!progress_ && waiting_) start(std::exchange(waiting_, nullptr));
}

void IntermediateImage::show(const Input& input, const std::shared_ptr<const Array>& made) {
    if (!image_.frame() || made->shape() != image_.frame()->shape()) return;
    QString title;
    for (const auto& info : ks::spots::intermediates())
        if (info.kind == input.kind) title = QString::fromUtf8(info.title);
    emit noteChanged(tr("%1, frame %2").arg(title).arg(input.number));
    image_.setDerived({made, title, made->type() == ElementType::u8});
}

}  // namespace ks::ui::spots
