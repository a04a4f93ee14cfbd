#include "ui/image/panel/escape_key.h"

#include <QApplication>

namespace ks::ui {

void EscapeKey::setOn(bool on) {
    if (on == on_) return;
    on_ = on;
    if (on)
        qApp->installEventFilter(this);
    else
        qApp->removeEventFilter(this);
}

bool EscapeKey::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) return false;
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() != Qt::Key_Escape || key->modifiers() != Qt::NoModifier) return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || widget->window() != page_->window() || !page_->isVisible()) return false;
    if (QApplication::activePopupWidget()) return false;
    event->accept();
    if (event->type() == QEvent::KeyPress) emit pressed(key);
    return true;
}

}  // namespace ks::ui
