#include "ui/base/appearance.h"

#include <QApplication>
#include <QPalette>
#include <QStyleFactory>
#include <QToolTip>

namespace ks::ui {
namespace {

QPalette paletteOf(bool dark) {
    const QColor window = dark ? QColor(0x2b2d30) : QColor(0xf3f3f3);
    const QColor base = dark ? QColor(0x1e1f22) : QColor(0xffffff);
    const QColor text = dark ? QColor(0xdfe1e5) : QColor(0x1c1c1c);
    const QColor weak = dark ? QColor(0x8b8f96) : QColor(0x6b6b6b);
    const QColor button = dark ? QColor(0x393b40) : QColor(0xececec);
    QPalette palette(button, window);
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, dark ? QColor(0x26282b) : QColor(0xf7f7f7));
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, weak);
    palette.setColor(QPalette::Button, button);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, Qt::red);
    palette.setColor(QPalette::ToolTipBase, dark ? QColor(0x3c3f41) : QColor(0xffffe1));
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Highlight, QColor(0x0072b2));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, dark ? QColor(0x56b4e9) : QColor(0x0072b2));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, weak);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, weak);
    return palette;
}

}  // namespace

void applyAppearance(QApplication& application, Appearance appearance) {
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    if (appearance == Appearance::desktop) return;
    const QPalette palette = paletteOf(appearance == Appearance::dark);
    application.setPalette(palette);
    QToolTip::setPalette(palette);
}

}  // namespace ks::ui
