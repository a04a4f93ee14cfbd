// Images made of the frame, in its place.

#include "core/base/error.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/view/detector_view.h"

namespace ks::ui {

void ImagePanel::setDerived(const DerivedImage& derived) {
    if (!derived.values && !derived_.values) return;
    if (derived.values && (!frame_ || derived.values->shape() != frame_->shape()))
        throw Error(ErrorKind::run, "the image is not of the frame's shape", derived.title.toStdString());
    const QString before = derived_.title;
    const QString title = derived.values ? derived.title : QString();
    if (before != title) looks_[before] = {colours_.scale(), colours_.map()};
    derived_ = derived;
    derived_.title = title;
    view_->setValueTitle(title.isEmpty() ? tr("counts") : title);
    if (before != title) useLook(title, derived.yesOrNo);
    view_->setFrame(derived.values ? derived.values : frame_);
}

void ImagePanel::useLook(const QString& title, bool yesOrNo) {
    Look look{{}, looks_[QString()].map};
    if (yesOrNo) look = {{ScaleKind::linear, 0, 1, false, 100}, ColourMap::named(QStringLiteral("grey"))};
    look = looks_.value(title, look);
    colours_.setMap(look.map);
    colours_.setScale(look.scale);
}

}  // namespace ks::ui
