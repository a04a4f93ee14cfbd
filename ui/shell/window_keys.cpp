#include "ui/shell/window_keys.h"

#include <QAbstractSpinBox>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>

namespace ks::ui {
namespace {

bool isNumberField(const QWidget& widget) {
    return qobject_cast<const QAbstractSpinBox*>(&widget) ||
           qobject_cast<const QAbstractSpinBox*>(widget.parentWidget());
}

}  // namespace

WindowKeys::WindowKeys(QWidget& window) : QObject(&window), window_(window) {
    QCoreApplication::instance()->installEventFilter(this);
}

bool WindowKeys::eventFilter(QObject* object, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* widget = qobject_cast<QWidget*>(object);
    if (!widget || widget->window() != &window_) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool undo = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo) ||
                      key->keyCombination() == (Qt::CTRL | Qt::Key_Y);
    const bool exports = key->keyCombination() == (Qt::CTRL | Qt::Key_E);
    if (!(undo && isNumberField(*widget)) &&
        !(exports && (isNumberField(*widget) || qobject_cast<const QLineEdit*>(widget))))
        return false;
    event->ignore();
    return true;
}

}  // namespace ks::ui
