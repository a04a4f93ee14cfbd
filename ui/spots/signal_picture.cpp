#include "ui/spots/signal_picture.h"

#include <algorithm>
#include <cmath>

namespace ks::ui::spots {
namespace {

constexpr int edgeFrom = 6;       ///< cell size in device pixels from which cells have an edge
constexpr int translucent = 120;  ///< alpha (of 255) within the edge: the counts stay visible
constexpr int halfTranslucent = 200;

QRgb premultiplied(const QColor& colour, int alpha) {
    return qPremultiply(qRgba(colour.red(), colour.green(), colour.blue(), alpha));
}

}  // namespace

void SignalPicture::set(std::size_t width, std::vector<Set> sets) {
    width_ = width;
    sets_ = std::move(sets);
    picture_.changed();
}

bool SignalPicture::empty() const {
    return std::all_of(sets_.begin(), sets_.end(), [](const Set& one) { return one.pixels.empty(); });
}

void SignalPicture::draw(const QTransform& imageToWidget, const QPointF& corner, QImage& picture) const {
    const int wide = picture.width(), high = picture.height();
    const double ratio = picture.devicePixelRatio();
    const double scale = imageToWidget.m11() * ratio;
    const double left = (imageToWidget.dx() - corner.x()) * ratio,
                 top = (imageToWidget.dy() - corner.y()) * ratio;
    auto* bits = reinterpret_cast<QRgb*>(picture.bits());
    const auto stride = static_cast<std::size_t>(picture.bytesPerLine()) / sizeof(QRgb);
    const auto row = [&](int y) { return bits + static_cast<std::size_t>(y) * stride; };
    const auto from = [](double at) { return static_cast<int>(std::floor(at + 0.5)); };
    // Rows are ascending: those above and below the visible part are skipped at once.
    const auto firstRow = static_cast<std::uint64_t>(std::max(0.0, std::floor(-top / scale)));
    const auto lastRow = static_cast<std::uint64_t>(std::max(0.0, std::ceil((high - top) / scale)));
    for (const Set& one : sets_) {
        const QRgb solid = premultiplied(one.colour, 255);
        const QRgb inner = premultiplied(one.colour, scale >= edgeFrom ? translucent : halfTranslucent);
        const QRgb edge = scale >= edgeFrom ? solid : inner;
        const auto begin = std::lower_bound(one.pixels.begin(), one.pixels.end(), firstRow * width_);
        const auto end = std::lower_bound(begin, one.pixels.end(), (lastRow + 1) * width_);
        for (auto at = begin; at != end; ++at) {
            const double x = static_cast<double>(*at % width_), y = static_cast<double>(*at / width_);
            if (scale <= 1) {
                const int c = static_cast<int>(std::floor(left + (x + 0.5) * scale)),
                          r = static_cast<int>(std::floor(top + (y + 0.5) * scale));
                if (c >= 0 && r >= 0 && c < wide && r < high) row(r)[c] = solid;
                continue;
            }
            const int x0 = from(left + x * scale), x1 = from(left + (x + 1) * scale) - 1;
            const int y0 = from(top + y * scale), y1 = from(top + (y + 1) * scale) - 1;
            const int a = std::max(x0, 0), b = std::min(x1, wide - 1);
            for (int r = std::max(y0, 0); r <= std::min(y1, high - 1) && a <= b; ++r) {
                const bool rim = r == y0 || r == y1;
                std::fill(row(r) + a, row(r) + b + 1, rim ? edge : inner);
                if (x0 >= 0 && x0 < wide) row(r)[x0] = edge;
                if (x1 >= 0 && x1 < wide) row(r)[x1] = edge;
            }
        }
    }
}

void SignalPicture::paint(QPainter& painter, const QTransform& imageToWidget, const QRectF& area) const {
    if (empty() || width_ == 0 || area.isEmpty()) return;
    const double ratio = painter.device()->devicePixelRatioF();
    const QSize size(static_cast<int>(std::ceil(area.width() * ratio)),
                     static_cast<int>(std::ceil(area.height() * ratio)));
    picture_.paint(painter, imageToWidget, area, size,
                   [&](QImage& picture) { draw(imageToWidget, area.topLeft(), picture); });
}

}  // namespace ks::ui::spots
