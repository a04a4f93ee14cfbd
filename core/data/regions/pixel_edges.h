#pragma once

#include <cmath>
#include <cstddef>

namespace ks {

/// Products of coordinates that decide whether a pixel's centre is left or right of an edge. With the 64-bit
/// mantissa of x86 they are exact for coordinates of 15 bits (eighths of a pixel in an image of 4096), so
/// that ties are recognised as ties.
using Wide = long double;

/// First of n pixels along an axis whose centre is at or beyond `edge`; n if there is none.
inline std::size_t first_from(double edge, std::size_t n) {
    const double first = std::ceil(edge - 0.5);
    if (!(first > 0)) return 0;
    return first < static_cast<double>(n) ? static_cast<std::size_t>(first) : n;
}

inline double centre_of(std::size_t pixel) {
    return static_cast<double>(pixel) + 0.5;
}

/// First i in [from, to) for which `holds(i)`, which is false before it and true from there on; `to` if
/// there is none.
template <class Holds>
std::size_t first_that(std::size_t from, std::size_t to, Holds&& holds) {
    while (from < to) {
        const std::size_t middle = from + (to - from) / 2;
        if (holds(middle))
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

/// Pixels [first, end) of a row.
struct Columns {
    std::size_t first = 0, end = 0;
    bool empty() const { return first >= end; }
};

/// Columns of the row whose centres are `below` the centre of an ellipse: left edge included,
/// right edge excluded.
inline Columns ellipse_columns(std::size_t width, double centre_x, Wide below, double half_x, double half_y) {
    // (dx / half_x)^2 + (dy / half_y)^2 < 1 without divisions, which would round
    const Wide whole = Wide(half_x) * half_y, part = below * half_x;
    const Wide rest = whole * whole - part * part;
    if (!(rest > 0)) return {};
    const auto square = [&](std::size_t column) {
        const Wide side = (Wide(centre_of(column)) - centre_x) * half_y;
        return side * side;
    };
    const std::size_t middle = first_from(centre_x, width);
    return {first_that(0, middle, [&](std::size_t column) { return square(column) <= rest; }),
            first_that(middle, width, [&](std::size_t column) { return square(column) >= rest; })};
}

}  // namespace ks
