#include "ui/kernels/state_colours.h"

#include "ui/base/palette.h"

namespace ks::ui {

QColor stateColour(Finding::State state, const QPalette& palette) {
    const bool dark = isDark(palette);
    switch (state) {
        case Finding::State::yes:
            return dark ? QColor(0x56, 0xd3, 0x64) : QColor(0x1a, 0x7f, 0x37);
        case Finding::State::no:
            return dark ? QColor(0xff, 0x7b, 0x72) : QColor(0xc6, 0x28, 0x28);
        case Finding::State::unknown:
            break;
    }
    return dark ? QColor(0xe3, 0xb3, 0x41) : QColor(0x8a, 0x52, 0x00);
}

QString stateText(Finding::State state, const QString& html, const QPalette& palette) {
    return QStringLiteral("<b style='color:%1'>%2</b>").arg(stateColour(state, palette).name(), html);
}

}  // namespace ks::ui
