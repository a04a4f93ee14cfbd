#pragma once

#include <QIcon>

class QPalette;

namespace ks::ui {

enum class MaskGlyph {
    pointer,
    rectangle,
    ellipse,
    polygon,
    brush,
    flood,
    add,
    remove,
    invert,
    grow,
    shrink,
    clear,
    hotPixels,
    undo,
    redo,
    more
};

/// 20 x 20, in the palette's text colour, or its link colour when checked: the desktop's icons are black even
/// in a dark window.
QIcon maskIcon(MaskGlyph glyph, const QPalette& palette);

}  // namespace ks::ui
