#pragma once

#include <QRectF>
#include <QWidget>

namespace ks::ui {

/// Where a picture is drawn.
struct PicturePlace {
    QRectF viewport;  ///< area available for a picture
    QRectF picture;   ///< visible part of the picture; empty: there is none
};

/// From coordinates of `view` to those of `page`, which contains it.
inline PicturePlace placeIn(const QWidget& page, const QWidget& view, const PicturePlace& place) {
    const QPointF offset = view.mapTo(&page, QPoint());
    return {place.viewport.translated(offset), place.picture.translated(offset)};
}

}  // namespace ks::ui
