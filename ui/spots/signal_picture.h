#pragma once

#include <QColor>
#include <QImage>
#include <QPainter>
#include <QRectF>
#include <QTransform>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ks::ui::spots {

/// What is drawn above an image, once per view of it: moving the cursor repaints it each time.
class KeptPicture {
  public:
    /// It shows something else from now on.
    void changed() { fresh_ = false; }
    /// Calls draw(image) if the view has changed, and paints the image. Its size is in device pixels.
    template <class Draw>
    void paint(QPainter& painter, const QTransform& imageToWidget, const QRectF& area, const QSize& size,
               Draw&& draw) {
        if (!std::exchange(fresh_, true) || image_.size() != size || by_ != imageToWidget || area_ != area) {
            image_ = QImage(size, QImage::Format_ARGB32_Premultiplied);
            image_.fill(Qt::transparent);
            image_.setDevicePixelRatio(painter.device()->devicePixelRatioF());
            by_ = imageToWidget;
            area_ = area;
            draw(image_);
        }
        painter.drawImage(area.topLeft(), image_);
    }

  private:
    QImage image_;
    QTransform by_;
    QRectF area_;
    bool fresh_ = false;
};

/// Signal pixels drawn above an image: translucent with an edge where they are large on screen, and at least
/// one screen pixel where they are small. Drawn once per view of the image, then copied.
class SignalPicture {
  public:
    struct Set {
        std::vector<std::uint32_t> pixels;  ///< flat indices over [y][x]
        QColor colour;
    };
    /// Later sets are drawn above earlier ones.
    void set(std::size_t width, std::vector<Set> sets);
    bool empty() const;
    /// @param area of the widget, in logical pixels
    void paint(QPainter& painter, const QTransform& imageToWidget, const QRectF& area) const;

  private:
    void draw(const QTransform& imageToWidget, const QPointF& corner, QImage& picture) const;

    std::size_t width_ = 0;
    std::vector<Set> sets_;
    mutable KeptPicture picture_;
};

}  // namespace ks::ui::spots
