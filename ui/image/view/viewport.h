#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QTransform>

namespace ks::ui {

/// Which part of an image a screen rectangle shows: one scale for both axes, and an offset.
class Viewport {
  public:
    /// Size of the image in pixels, and the screen rectangle.
    void setImage(const QSizeF& size);
    void setArea(const QRectF& area);
    const QRectF& area() const { return area_; }

    double scale() const { return scale_; }
    QPointF toImage(const QPointF& screen) const { return (screen - offset_) / scale_; }
    QPointF toScreen(const QPointF& image) const { return image * scale_ + offset_; }
    QRectF visible() const { return {toImage(area_.topLeft()), toImage(area_.bottomRight())}; }
    QTransform transform() const { return {scale_, 0, 0, scale_, offset_.x(), offset_.y()}; }

    /// Shows the whole image as large as the area allows, centred; remains fitted when the area changes.
    void fit();
    bool fitted() const { return fitted_; }
    /// Shows all of `part` (image), centred.
    void show(const QRectF& part);
    /// The image point under `anchor` stays in place. The scale stays between a quarter of the fit and 256.
    void zoomBy(double factor, const QPointF& anchor);
    /// A part of the image always stays visible.
    void panBy(const QPointF& screen);

  private:
    double fitScale() const;
    void keepVisible();

    QSizeF image_;
    QRectF area_;
    double scale_ = 1;
    QPointF offset_;
    bool fitted_ = true;
};

}  // namespace ks::ui
