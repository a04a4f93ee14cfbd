#pragma once

#include <QImage>
#include <QPalette>

#include "ui/base/palette.h"
#include "ui/plots/figure_export.h"

namespace ks::tests {

/// Whether an exported figure has a badge.
inline bool hasBadge(const ui::ExportablePlot& plot) {
    const QRgb ground = ui::printPalette().color(QPalette::Highlight).rgb();
    const QImage image = ui::drawnFigure(plot, {});
    int pixels = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) pixels += image.pixel(x, y) == ground ? 1 : 0;
    return pixels > 500;
}

}  // namespace ks::tests
