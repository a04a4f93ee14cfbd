#pragma once

#include <QColor>
#include <QImage>
#include <QRectF>
#include <QTransform>
#include <cstddef>
#include <cstdint>
#include <vector>

class QPainter;

namespace ks::ui::spots {

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
    void draw(const QTransform& imageToWidget, double ratio) const;

    std::size_t width_ = 0;
    std::vector<Set> sets_;
    // The picture of the newest view, and that view.
    mutable QImage picture_;
    mutable QTransform shownBy_;
    mutable QRectF area_;
    mutable bool fresh_ = false;
};

}  // namespace ks::ui::spots
