#include "ui/plots/crowd/curve_crowd.h"

#include <cmath>
#include <vector>

#include "ui/plots/curve_graph.h"

namespace ks::ui {
namespace {

/// @param corner of the picture along the axis
PixelScale scaleOf(const QCPAxis& axis, double corner, double ratio) {
    const bool logarithmic = axis.scaleType() == QCPAxis::stLogarithmic;
    const auto of = [&](double value) { return logarithmic ? std::log(value) : value; };
    const QCPRange range = axis.range();
    const double from = (axis.coordToPixel(range.lower) - corner) * ratio,
                 to = (axis.coordToPixel(range.upper) - corner) * ratio,
                 scale = (to - from) / (of(range.upper) - of(range.lower));
    return {from - scale * of(range.lower), scale, logarithmic};
}

}  // namespace

CurveCrowd::CurveCrowd(QCPAxisRect& rect, QCPLayer& layer)
    : QCPLayerable(rect.parentPlot(), layer.name(), &rect), rect_(rect) {}

QRect CurveCrowd::clipRect() const {
    return rect_.rect();
}

void CurveCrowd::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

void CurveCrowd::draw(QCPPainter* painter) {
    View view;
    std::vector<RasterLine> lines;
    const double ratio = mParentPlot->bufferDevicePixelRatio();
    for (int i = 0; i < mParentPlot->graphCount(); ++i) {
        const auto* curve = qobject_cast<const CurveGraph*>(mParentPlot->graph(i));
        if (!curve || !curve->inCrowd() || curve->layer() != layer() ||
            curve->keyAxis()->axisRect() != &rect_ || !curve->realVisibility())
            continue;
        view.curves << curve;
        lines.push_back(curve->rasterLine(ratio));
    }
    if (lines.empty()) return;
    const QCPAxis &x = *rect_.axis(QCPAxis::atBottom), &y = *rect_.axis(QCPAxis::atLeft);
    view.rect = rect_.rect();
    if (view.rect.isEmpty()) return;  // squeezed by titles and notes
    view.ratio = ratio;
    view.x = scaleOf(x, view.rect.left(), ratio);
    view.y = scaleOf(y, view.rect.top(), ratio);
    if (picture_.isNull() || !(view == drawn_)) {
        picture_ = rasterLines((QSizeF(view.rect.size()) * ratio).toSize(), view.x, view.y, lines);
        picture_.setDevicePixelRatio(ratio);
        drawn_ = view;
    }
    painter->drawImage(QPointF(view.rect.topLeft()), picture_);
}

}  // namespace ks::ui
