#include "ui/image/view/viewport.h"

#include <algorithm>

namespace ks::ui {
namespace {
constexpr double largest = 256;  ///< screen pixels per image pixel
constexpr double minShown = 24;  ///< screen pixels of the image that stay visible
}  // namespace

double Viewport::fitScale() const {
    if (image_.isEmpty()) return 1;
    return std::max(std::min(area_.width() / image_.width(), area_.height() / image_.height()), 1e-6);
}

void Viewport::setImage(const QSizeF& size) {
    image_ = size;
    fit();
}

void Viewport::setArea(const QRectF& area) {
    const QPointF centre = toImage(area_.center());
    area_ = area;
    if (fitted_) return fit();
    offset_ = area_.center() - centre * scale_;
    keepVisible();
}

void Viewport::fit() {
    scale_ = std::min(fitScale(), largest);
    offset_ = area_.center() - QPointF(image_.width(), image_.height()) * scale_ / 2;
    fitted_ = true;
}

void Viewport::show(const QRectF& part) {
    scale_ = std::min(area_.width() / part.width(), area_.height() / part.height());
    offset_ = area_.center() - part.center() * scale_;
    fitted_ = false;
}

void Viewport::zoomBy(double factor, const QPointF& anchor) {
    const QPointF fixed = toImage(anchor);
    const double smallest = std::min(fitScale(), largest) / 4;
    scale_ = std::clamp(scale_ * factor, smallest, std::max(largest, smallest));
    offset_ = anchor - fixed * scale_;
    fitted_ = false;
}

void Viewport::panBy(const QPointF& screen) {
    offset_ += screen;
    fitted_ = false;
    keepVisible();
}

void Viewport::keepVisible() {
    const auto keep = [](double offset, double length, double from, double to) {
        return std::clamp(offset, std::min(from + minShown - length, to - minShown), to - minShown);
    };
    offset_ = {keep(offset_.x(), image_.width() * scale_, area_.left(), area_.right()),
               keep(offset_.y(), image_.height() * scale_, area_.top(), area_.bottom())};
}

}  // namespace ks::ui
