#pragma once

#include <QList>

class QWidget;

namespace ks::ui {

/// The widgets of a window that the Tab key reaches, as they are read: row by row, and all of a group before
/// what stands beside or below it. Qt takes the order in which widgets are made, so that the fields of a form
/// that is made anew would come last.
QList<QWidget*> tabOrder(const QWidget& window);

/// Focuses the widget that follows the focused one in this order, or precedes it; from the last one the
/// first. For QWidget::focusNextPrevChild() of a window.
/// @return false: nothing is focused, or a widget that is not in this order
bool moveFocus(const QWidget& window, bool next);

}  // namespace ks::ui
