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

/// Signal pixels drawn above an image: as translucent pixels with an edge where they are large on the screen,
/// as one point of the screen at least where they are small. Drawn once for a view of the image, then copied.
class SignalPicture {
  public:
    struct Set {
        std::vector<std::uint32_t> pixels;  ///< indices [y][x]
        QColor colour;
    };
    /// Later sets lie above earlier ones.
    void set(std::size_t width, std::vector<Set> sets);
    bool empty() const;
    /// @param area of the widget, logical pixels
    void paint(QPainter& painter, const QTransform& imageToWidget, const QRectF& area) const;

  private:
    void draw(const QTransform& imageToWidget, double ratio) const;

    std::size_t width_ = 0;
    std::vector<Set> sets_;
    // The picture of the newest view, and which view that was.
    mutable QImage picture_;
    mutable QTransform shownBy_;
    mutable QRectF area_;
    mutable bool fresh_ = false;
};

}  // namespace ks::ui::spots
