#include "ui/base/appearance.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolTip>
#include <QVariant>
#include <utility>

#include "ui/base/palette.h"

namespace ks::ui {
namespace {

const QColor chosen(0x0072b2);

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
    palette.setColor(QPalette::Highlight, chosen);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, dark ? QColor(0x56b4e9) : QColor(0x0072b2));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, weak);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, weak);
    return palette;
}

constexpr const char* property = "appearance";
const QColor accent(0x3d9fe0);

/// Fusion draws outlines darker than the window, which is invisible on a dark window: draw them there as if
/// the window were light.
class VisibleLines : public QProxyStyle {
  public:
    VisibleLines() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        if (element == PE_FrameFocusRect && !qobject_cast<const QAbstractItemView*>(widget))
            return drawFocus(*option, *painter, 0);
        const bool lines = element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton ||
                           element == PE_FrameGroupBox || element == PE_FrameLineEdit ||
                           element == PE_FrameTabWidget || element == PE_PanelButtonCommand;
        const Lit lit(*this, option, lines);
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
        if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
            box && element == CE_ComboBoxLabel && box->currentIcon.isNull()) {
            // Fusion only cuts off text that does not fit.
            const QRect room = subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget);
            QStyleOptionComboBox elided = *box;
            elided.currentText =
                box->fontMetrics.elidedText(box->currentText, Qt::ElideRight, room.width() - 2);
            return QProxyStyle::drawControl(element, &elided, painter, widget);
        }
        QProxyStyle::drawControl(element, option, painter, widget);
        if (element == CE_PushButton && option->state & State_HasFocus) drawFocus(*option, *painter, 1);
        if (element != CE_TabBarTabShape || !isDark(option->palette)) return;
        const bool chosen = option->state & State_Selected;
        const QRect tab = option->rect.adjusted(0, chosen ? 0 : 2, -1, 0);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->setPen(QColor(0x7a7f87));
        painter->drawRect(tab);
        if (chosen) painter->fillRect(QRect(tab.left(), tab.top(), tab.width() + 1, 3), accent);
        painter->restore();
    }
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override {
        const Lit lit(*this, option, control == CC_Slider || control == CC_ComboBox || control == CC_SpinBox);
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    }

  private:
    /// Fusion's frame around what has the focus of the keyboard is hardly visible on a dark window.
    /// @param inside distance from the edge, in pixels
    static void drawFocus(const QStyleOption& option, QPainter& painter, int inside) {
        if (!(option.state & State_KeyboardFocusChange)) return;
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(option.palette.color(QPalette::Link), 2));
        const int by = 1 + inside;
        painter.drawRoundedRect(QRectF(option.rect).adjusted(by, by, -by, -by), 2, 2);
        painter.restore();
    }
    /// Gives an option the light window during its lifetime.
    class Lit {
      public:
        Lit(const VisibleLines& style, const QStyleOption* option, bool wanted)
            : option_(wanted && option && isDark(option->palette) ? const_cast<QStyleOption*>(option)
                                                                  : nullptr) {
            if (option_) before_ = std::exchange(option_->palette, style.lit(option_->palette));
        }
        ~Lit() {
            if (option_) option_->palette = before_;
        }
        Lit(const Lit&) = delete;
        Lit& operator=(const Lit&) = delete;

      private:
        QStyleOption* option_;
        QPalette before_;
    };

    /// Kept because Fusion caches its pictures by palette.
    const QPalette& lit(const QPalette& palette) const {
        if (palette.cacheKey() != key_) {
            key_ = palette.cacheKey();
            lit_ = palette;
            lit_.setColor(QPalette::Window, QColor(0xbcc1ca));
            // Of the frame of a field with the focus, which Fusion darkens. One with a colour of its own
            // keeps it.
            if (palette.color(QPalette::Active, QPalette::Highlight) == chosen)
                for (const auto group : {QPalette::Active, QPalette::Inactive})
                    lit_.setColor(group, QPalette::Highlight, palette.color(QPalette::Link));
        }
        return lit_;
    }

    mutable qint64 key_ = 0;
    mutable QPalette lit_;
};

}  // namespace

QString nameOf(Appearance appearance) {
    constexpr const char* names[] = {"desktop", "light", "dark"};
    return QLatin1String(names[static_cast<std::size_t>(appearance)]);
}

Appearance appearanceFrom(const QString& name) {
    for (const Appearance one : {Appearance::light, Appearance::dark})
        if (name == nameOf(one)) return one;
    return Appearance::desktop;
}

void applyAppearance(QApplication& application, Appearance appearance) {
    if (!application.property(property).isValid()) application.setStyle(new VisibleLines);
    application.setProperty(property, nameOf(appearance));
    // An empty palette is the desktop's.
    application.setPalette(appearance == Appearance::desktop ? QPalette()
                                                             : paletteOf(appearance == Appearance::dark));
    QToolTip::setPalette(application.palette());
}

Appearance appearance() {
    return qApp ? appearanceFrom(qApp->property(property).toString()) : Appearance::desktop;
}

}  // namespace ks::ui
