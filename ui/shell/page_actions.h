#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QToolButton>
#include <QWidget>

namespace ks::ui {

/// An action of a page. A shortcut with Ctrl works wherever the focus is while the page is shown. Other
/// shortcuts work only if the page or a part of it has the focus: letters belong to the tools in an image and
/// are text elsewhere.
inline QAction* pageAction(QWidget* page, const char* name, const QString& text, const QKeySequence& key,
                           const QString& tip) {
    auto* action = new QAction(text, page);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(key);
    const bool everywhere = !key.isEmpty() && (key[0].keyboardModifiers() & Qt::ControlModifier);
    action->setShortcutContext(everywhere ? Qt::WindowShortcut : Qt::WidgetWithChildrenShortcut);
    action->setToolTip(QObject::tr("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
    action->setStatusTip(tip);
    page->addAction(action);
    return action;
}

/// For a page's bar.
inline QToolButton* flatButton(QAction* action) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(action->text());
    return button;
}

}  // namespace ks::ui
