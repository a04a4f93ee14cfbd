#include "ui/plots/order_colour.h"

#include <algorithm>

#include "ui/base/colour_map.h"

namespace ks::ui {

QColor orderColour(std::size_t index, std::size_t count, bool dark) {
    static const ColourMap map;
    const double place =
        static_cast<double>(index) / static_cast<double>(std::max<std::size_t>(count, 2) - 1);
    // The lightest colours cannot be seen on white, the darkest ones not on black.
    return QColor(map.at((dark ? 0.25 : 0.05) + 0.7 * place));
}

}  // namespace ks::ui
