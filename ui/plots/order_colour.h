#pragma once

#include <QColor>
#include <cstddef>

namespace ks::ui {

/// Colour of a curve among curves in an order, such as that of time: from the first to the last, the colours
/// go through the default ColourMap. `dark` as in binColour().
QColor orderColour(std::size_t index, std::size_t count, bool dark);

}  // namespace ks::ui
