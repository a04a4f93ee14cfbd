#pragma once

#include "ui/base/picture_place.h"
#include "ui/image/view/detector_view.h"

namespace ks::ui {

/// The place of a detector image, in coordinates of the page that contains it.
inline PicturePlace placeIn(const QWidget& page, const DetectorView& view) {
    PicturePlace place{view.imageArea(), {}};
    if (const auto& frame = view.frame()) {
        const QPointF end(static_cast<double>(frame->shape()[1]), static_cast<double>(frame->shape()[0]));
        place.picture = QRectF(view.toWidget({0, 0}), view.toWidget(end)).intersected(place.viewport);
    }
    return placeIn(page, view, place);
}

}  // namespace ks::ui
