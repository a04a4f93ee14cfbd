#include "ui/shell/undo_keys.h"

#include <QAbstractSpinBox>
#include <QCoreApplication>
#include <QKeyEvent>

namespace ks::ui {

UndoKeys::UndoKeys(QWidget& window) : QObject(&window), window_(window) {
    QCoreApplication::instance()->installEventFilter(this);
}

bool UndoKeys::eventFilter(QObject* object, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    if (!key->matches(QKeySequence::Undo) && !key->matches(QKeySequence::Redo) &&
        key->keyCombination() != (Qt::CTRL | Qt::Key_Y))
        return false;
    const auto* widget = qobject_cast<QWidget*>(object);
    if (!widget || widget->window() != &window_) return false;
    if (!qobject_cast<const QAbstractSpinBox*>(widget) &&
        !qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()))
        return false;
    event->ignore();
    return true;
}

}  // namespace ks::ui
