#pragma once

#include <QImage>
#include <QSize>
#include <QVector>
#include <vector>

namespace ks::ui {

/// Values to pixels of an axis: origin + scale * value, or of its natural logarithm.
struct PixelScale {
    double origin = 0, scale = 1;
    bool logarithmic = false;
    bool operator==(const PixelScale&) const = default;

    double operator()(double value) const;
};

/// A curve as columns of pixels see it.
struct RasterLine {
    const QVector<double>*x, *y;  ///< as many values; x ascending and finite, NaN in y is a gap
    QRgb colour;                  ///< opaque
    bool joined = true;           ///< by lines; otherwise only the points themselves
    int thicker = 0;              ///< further pixels on each side
    int on = 1, period = 1;       ///< of each `period` columns, the first `on` are drawn
};

/// Draws lines one pixel wide, without antialiasing: of each column of pixels, those between the lowest and
/// the highest point of the line within the column. Later lines cover earlier ones. Several processors share
/// the columns; the picture does not depend on their number.
/// @param size in pixels; (0, 0) is the upper left corner
/// @returns transparent where no line is
QImage rasterLines(const QSize& size, const PixelScale& x, const PixelScale& y,
                   const std::vector<RasterLine>& lines);

}  // namespace ks::ui
