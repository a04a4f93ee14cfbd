#pragma once

#include <QRectF>
#include <QWidget>

namespace ks::ui {

/// Where a picture is drawn.
struct PicturePlace {
    QRectF viewport;  ///< that a picture could fill
    QRectF picture;   ///< as much of it as is seen; empty: there is none
};

/// From coordinates of `view` to those of `page`, which holds it.
inline PicturePlace placeIn(const QWidget& page, const QWidget& view, const PicturePlace& place) {
    const QPointF offset = view.mapTo(&page, QPoint());
    return {place.viewport.translated(offset), place.picture.translated(offset)};
}

}  // namespace ks::ui
