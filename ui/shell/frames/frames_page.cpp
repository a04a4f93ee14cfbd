#include "ui/shell/frames/frames_page.h"

#include <QTimer>
#include <utility>

#include "core/input/frame_input.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/view/detector_view.h"
#include "ui/runs/run_source.h"

namespace ks::ui {

FramesPage::FramesPage(const QString& analysis, PageContext& context)
    : AnalysisPage({analysis}),
      context_(context),
      runs_([this](const Run& run) { return file_ ? isOfFrames(run) : isShownAlone(run); }),
      image_(new ImagePanel(context.jobs, *context.mask, *context.geometry)),
      inputs_(new QWidget) {
    image_->maskBar().setHistory(context.history.get());
    connect(image_, &ImagePanel::cursorMoved, this, &Page::cursorMoved);
    connect(image_, &ImagePanel::hint, this, &Page::hint);
    connect(image_, &ImagePanel::failed, this, &Page::failed);
    connect(context.mask.get(), &SessionMask::failed, this, &Page::failed);
    connect(this, &Page::openingChanged, this, &FramesPage::showOpening);
}

QStringList FramesPage::sharedParameters() {
    QStringList ids{QStringLiteral("file_mask")};
    for (const ParameterSpec& spec : io::geometry_parameters()) ids << QString::fromStdString(spec.id);
    return ids;
}

void FramesPage::take(std::shared_ptr<const OpenFile> file) {
    file_ = std::move(file);
    editWaits_ = false;
    runs_.setPreview(nullptr);
    image_->setFile(file_);
    showOpening();
}

// Until its first frame is there.
void FramesPage::showOpening() {
    if (image_->frame()) return;
    image_->view().setEmptyText(isOpening() || file_ ? openingText()
                                : !lack().isEmpty()  ? lack()
                                                     : DetectorView::openHint());
}

bool FramesPage::isOfFrames(const Run& run) const {
    return readFrom(run, "frames", *file_);
}

void FramesPage::apply(const ParameterSet& given) {
    if (given.contains("swap_xy")) context_.geometry->setSwapped(boolean(given, "swap_xy"));
}

QString FramesPage::missing() const {
    return file_ ? QString() : tr("no frames: open a file or the demo first");
}

void FramesPage::fill(Request& request) const {
    request.inputs["frames"] = {file_->name.toStdString(), {}};
    context_.mask->fill(request);
    fillOwn(request.parameters);
}

FileValues FramesPage::fileValues() const {
    if (!file_) return {};
    return {.parameters = {{QStringLiteral("saturation"), context_.mask->saturationText()}},
            .resolve = [this](ParameterSet& parameters) { image_->resolveGeometry(parameters); }};
}

void FramesPage::setOutdated(const QStringList& labels) {
    if (labels == outdated_) return;
    outdated_ = labels;
    showOutdated();
}

std::vector<PicturePlace> FramesPage::pictures() const {
    const DetectorView& view = image_->view();
    PicturePlace place{view.imageArea(), {}};
    if (const auto& frame = view.frame()) {
        const QPointF end(static_cast<double>(frame->shape()[1]), static_cast<double>(frame->shape()[0]));
        place.picture = QRectF(view.toWidget({0, 0}), view.toWidget(end)).intersected(place.viewport);
    }
    return {placeIn(*this, view, place)};
}

QList<QAction*> FramesPage::editActions() const {
    QList<QAction*> actions;
    for (const char* name : {"invert", "grow", "shrink", "clear", "hotPixels", "load", "save"})
        actions << image_->maskBar().action(QLatin1String(name));
    return actions;
}

bool FramesPage::maskEdited() const {
    return !context_.mask->loading() && (image_->editor().canUndo() || image_->editor().canRedo());
}

void FramesPage::editedSomewhere() {
    if (parentWidget() && isHidden())
        editWaits_ = true;
    else
        edited();
}

void FramesPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    // After the window has fully switched to this page, including its parameters.
    QTimer::singleShot(0, this, [this] {
        if (!isHidden() && std::exchange(editWaits_, false) && context_.mask->file() == file_) edited();
    });
}

}  // namespace ks::ui
